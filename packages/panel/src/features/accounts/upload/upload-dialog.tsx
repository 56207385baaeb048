import { Group, Input, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type DragEvent, useState } from 'react';
import type { Account } from '../../../platform/accounts/account.ts';
import { SIGN_IN_PATH } from '../../../platform/accounts/sign-in-again.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FilePick } from '../../../ui/controls/file-pick.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { UploadLine } from './upload-line.tsx';
import { useUpload } from './use-upload.ts';

interface UploadDialogProps {
  readonly opened: boolean;
  /** All accounts on screen. */
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}

/** Adds auth files: dropped, chosen or pasted, after a look at what becomes of each. */
export function UploadDialog({ opened, accounts, onClose }: UploadDialogProps) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const [held, setHeld] = useState(false);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('accountUpload.title')} size="review" locked={busy} held={held}>
      {/* Mounted with the dialog: no token outlives it. */}
      {opened && <UploadForm accounts={accounts} onClose={close} onBusy={setBusy} onHeld={setHeld} />}
    </Dialog>
  );
}

function UploadForm({
  accounts,
  onClose,
  onBusy,
  onHeld,
}: Omit<UploadDialogProps, 'opened'> & {
  readonly onBusy: (busy: boolean) => void;
  readonly onHeld: (held: boolean) => void;
}) {
  const { t } = useText();
  const upload = useUpload(accounts);
  const [over, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  const { items, endings, running, waiting } = upload;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onHeld(true);
    if (!running) void upload.addFiles([...event.dataTransfer.files]);
  };
  const addPasted = () => {
    upload.addText(pasted);
    setPasted('');
  };
  const run = async () => {
    onBusy(true);
    await upload.run();
    onBusy(false);
  };
  const kinds = items.map(({ key }) => endings.get(key)?.kind);
  const done = kinds.filter((kind) => kind === 'done').length;
  const missing = kinds.filter((kind) => kind === 'missing').length;
  const failed = kinds.filter((kind) => kind === 'failed' || kind === 'conflict').length;
  const unknown = kinds.filter((kind) => kind === 'unknown').length;
  const failure = failureText(upload.error);
  const again = kinds.some((kind) => kind === 'failed' || kind === 'unknown');
  return (
    <Stack>
      <p className="dialog-text">
        {t('accountUpload.text')}{' '}
        <Link to={SIGN_IN_PATH} search={{}} className="link">
          {t('accountUpload.signIn')}
        </Link>
      </p>
      <Stack
        component="section"
        aria-label={t('accountUpload.drop')}
        align="center"
        gap="xs"
        p="md"
        bdrs="md"
        bd={`1px dashed var(${over ? '--accent' : '--line-strong'})`}
        onDragOver={(event: DragEvent) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <span className="ink-2">{t('accountUpload.drop')}</span>
        <FilePick
          label={t('accountUpload.choose')}
          accept=".json,application/json"
          multiple
          disabled={running}
          onFiles={(files) => {
            onHeld(true);
            void upload.addFiles(files);
          }}
        />
      </Stack>
      <Input.Wrapper label={t('accountUpload.paste')} description={t('accountUpload.pasteText')}>
        <Input
          component="textarea"
          multiline
          rows={3}
          classNames={{ input: 'mono' }}
          value={pasted}
          spellCheck={false}
          autoComplete="off"
          disabled={running}
          onChange={(event) => {
            setPasted(event.currentTarget.value);
            onHeld(true);
          }}
        />
      </Input.Wrapper>
      <Group>
        <Button disabled={pasted.trim() === '' || running} onClick={addPasted}>
          {t('accountUpload.addPasted')}
        </Button>
      </Group>
      {items.length > 0 && (
        <Stack
          component="ul"
          gap="sm"
          mah="32vh"
          style={{ overflowY: 'auto' }}
          className="wrap lines"
          aria-label={t('accountUpload.files')}
          tabIndex={0}
        >
          {items.map((item) => (
            <UploadLine
              key={item.key}
              item={item}
              ending={endings.get(item.key)}
              running={running}
              onReplace={upload.replace}
              onRemove={upload.remove}
            />
          ))}
        </Stack>
      )}
      {upload.error !== null && (
        <Note tone="bad" fact={t('accountUpload.notStarted')}>
          {t(failure.key, failure.values)}
        </Note>
      )}
      {!running && done + missing + failed + unknown > 0 && (
        <Note
          tone={failed > 0 ? 'bad' : missing + unknown > 0 ? 'warn' : 'ok'}
          fact={t('accountUpload.done', { count: done })}
        >
          {failed > 0 && `${t('accountUpload.failed', { count: failed })} `}
          {unknown > 0 && `${t('accountUpload.unknownCount', { count: unknown })} `}
          {missing > 0 && t('accountUpload.missingCount', { count: missing })}
        </Note>
      )}
      <div className="dialog-actions">
        {running ? (
          <Button onClick={upload.stop}>{t('quotaRefresh.stop')}</Button>
        ) : (
          <Button onClick={onClose}>{t('common.close')}</Button>
        )}
        <Button
          kind="primary"
          disabled={waiting.length === 0 || running}
          aria-busy={running}
          onClick={() => void run()}
        >
          {t(again ? 'accounts.retryFailed' : 'accountUpload.send', { count: waiting.length })}
        </Button>
      </div>
    </Stack>
  );
}
