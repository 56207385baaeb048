import type { ExecutableAction } from '@manager/core/contract/inspection/runs';
import { Stack } from '@mantine/core';
import { shown } from '../../platform/format/shown.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { COMMAND_LABELS } from '../../ui/inspection/words.ts';
import type { Batch, CommandBatch } from './batch.ts';
import { accountText } from './results/result-columns.tsx';

const TITLES: Readonly<Record<ExecutableAction, TextKey>> = {
  delete: 'inspection.deleteTitle',
  disable: 'inspection.disableTitle',
  enable: 'inspection.enableTitle',
};
const TEXTS: Readonly<Record<ExecutableAction, TextKey>> = {
  delete: 'inspection.deleteText',
  disable: 'inspection.disableText',
  enable: 'inspection.enableText',
};

interface BatchDialogProps {
  /** null = closed. */
  readonly batch: CommandBatch | null;
  readonly credits: ReadonlyMap<number, number>;
  readonly onConfirm: (batch: Batch) => void;
  readonly onClose: () => void;
}

/** Lists every file before anything changes at the gateway; a deletion must be typed. */
export function BatchDialog({ batch, credits, onConfirm, onClose }: BatchDialogProps) {
  const { t } = useText();
  const confirm = () => {
    if (batch !== null) onConfirm(batch);
  };
  return (
    <>
      {(['enable', 'disable', 'delete'] as const).map((command) => (
        <ConfirmDialog
          key={command}
          opened={batch?.command === command}
          onClose={onClose}
          title={t(TITLES[command], { count: batch?.results.length ?? 0 })}
          confirmLabel={t(COMMAND_LABELS[command])}
          onConfirm={confirm}
          size="review"
          {...(command === 'delete' ? { danger: true, typedWord: 'DELETE' } : {})}
        >
          {batch !== null && <BatchText batch={batch} credits={credits} />}
        </ConfirmDialog>
      ))}
    </>
  );
}

interface BatchTextProps {
  readonly batch: Batch;
  readonly credits: ReadonlyMap<number, number>;
}

/** What to know before the changes of a batch. */
export function BatchNotes({ batch, credits }: BatchTextProps) {
  const { t } = useText();
  const shared = batch.files.filter(({ others }) => others > 0).length;
  const withCredits = batch.results.filter(({ id, action }) => action === 'disable' && credits.has(id)).length;
  return (
    <>
      {batch.overrides > 0 && (
        <Note tone="warn" fact={t('inspection.overrides', { count: batch.overrides })}>
          {t('inspection.overridesText')}
        </Note>
      )}
      {withCredits > 0 && (
        <Note tone="warn" fact={t('inspection.creditsIn', { count: withCredits })}>
          {t('inspection.creditsText')}
        </Note>
      )}
      {shared > 0 && (
        <Note tone="warn" fact={t('inspection.sharedFiles', { count: shared })}>
          {t('inspection.sharedText')}
        </Note>
      )}
    </>
  );
}

function BatchText({ batch, credits }: BatchTextProps & { readonly batch: CommandBatch }) {
  const { t } = useText();
  const masker = useMasker();
  return (
    <>
      <p>{t(TEXTS[batch.command])}</p>
      <BatchNotes batch={batch} credits={credits} />
      <Stack
        component="ul"
        gap="sm"
        mah="40vh"
        className="box"
        style={{ overflowY: 'auto', overflowWrap: 'anywhere' }}
        aria-label={t('inspection.files')}
      >
        {batch.files.map((file) => (
          <Stack component="li" gap={0} key={file.fileName}>
            <span className="mono">{shown(masker.file(file.fileName))}</span>
            <span className="small ink-3">
              {file.results.map((result) => accountText(result, masker)).join(' · ')}
              {file.others > 0 && ` · ${t('inspection.othersIn', { count: file.others })}`}
            </span>
          </Stack>
        ))}
      </Stack>
    </>
  );
}
