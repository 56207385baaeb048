import type { ViewerLinkCreated } from '@manager/core/contract/viewer-links/links';
import { VIEWER_EXPIRY_DAYS, VIEWER_NAME_MAX, type ViewerExpiryDays } from '@manager/core/contract/viewer-links/words';
import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useKeyNames } from '../../../platform/queries/queries.ts';
import { viewerAddress } from '../../../platform/session/viewer-token.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { toggled } from '../../../ui/table/rows.ts';
import { useCreateLink } from './viewer-link-calls.ts';

const USUAL_DAYS: ViewerExpiryDays = 30;

/** Makes a link, and shows it once. */
export function NewLinkDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog opened={opened} onClose={onClose} locked={busy} held title={t('viewerLinks.newTitle')}>
      {/* Mounted with the dialog: no token outlives it. */}
      <NewLinkSteps onClose={onClose} onBusy={setBusy} />
    </Dialog>
  );
}

interface StepProps {
  readonly onClose: () => void;
  readonly onBusy: (busy: boolean) => void;
}

function NewLinkSteps(props: StepProps) {
  const [created, setCreated] = useState<ViewerLinkCreated | null>(null);
  if (created === null) return <NewLinkForm {...props} onCreated={setCreated} />;
  return <NewLinkDone created={created} onClose={props.onClose} />;
}

function NewLinkForm({
  onClose,
  onBusy,
  onCreated,
}: StepProps & { readonly onCreated: (created: ViewerLinkCreated) => void }) {
  const { t } = useText();
  const names = useKeyNames();
  const create = useCreateLink();
  const [name, setName] = useState('');
  const [all, setAll] = useState(false);
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [days, setDays] = useState<ViewerExpiryDays>(USUAL_DAYS);
  const trimmed = name.trim();
  const ready = trimmed !== '' && [...trimmed].length <= VIEWER_NAME_MAX && (all || keys.size > 0);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready || create.isPending) return;
    onBusy(true);
    try {
      onCreated(await create.mutateAsync({ name: trimmed, keys: all ? null : [...keys], expiresInDays: days }));
    } catch {
      // Shown below.
    } finally {
      onBusy(false);
    }
  };
  const failure = failureText(create.error);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="lg">
        <TextInput
          size="md"
          label={t('notifications.name')}
          value={name}
          maxLength={VIEWER_NAME_MAX}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div>
          <Segmented
            label={t('viewerLinks.covers')}
            value={all ? 'all' : 'chosen'}
            options={[
              { value: 'chosen', label: t('viewerLinks.chosen') },
              { value: 'all', label: t('viewerLinks.all') },
            ]}
            onChange={(choice) => setAll(choice === 'all')}
          />
        </div>
        {!all && (
          <fieldset style={{ border: 0, padding: 0, margin: 0, maxHeight: 240, overflowY: 'auto' }}>
            <legend className="visually-hidden">{t('analytics.keys')}</legend>
            <Stack gap="xs">
              {[...names].map(([hash, label]) => (
                <label key={hash} className="tick">
                  <input type="checkbox" checked={keys.has(hash)} onChange={() => setKeys(toggled(keys, hash))} />
                  {shown(label)}
                </label>
              ))}
            </Stack>
          </fieldset>
        )}
        <div className="form-row">
          <span className="medium">{t('viewerLinks.expires')}</span>
          <Segmented
            label={t('viewerLinks.expires')}
            value={String(days)}
            options={VIEWER_EXPIRY_DAYS.map((count) => ({
              value: String(count),
              label: count === 0 ? t('settings.idleLockNever') : t('span.days', { value: count }),
            }))}
            onChange={(chosen) => setDays(VIEWER_EXPIRY_DAYS.find((count) => String(count) === chosen) ?? USUAL_DAYS)}
          />
        </div>
      </Stack>
      {create.error !== null && (
        <p className="form-error" role="alert" style={{ marginTop: 12 }}>
          {t(failure.key, failure.values)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose} disabled={create.isPending}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" kind="primary" disabled={!ready || create.isPending} aria-busy={create.isPending}>
          {t('viewerLinks.create')}
        </Button>
      </div>
    </form>
  );
}

/** The only time that the link is known. */
function NewLinkDone({ created, onClose }: { readonly created: ViewerLinkCreated; readonly onClose: () => void }) {
  const { t } = useText();
  const [copied, copy] = useCopied();
  const address = viewerAddress(window.location.origin + window.location.pathname, created.token);
  return (
    <Stack>
      <Note tone="ok" fact={t('viewerLinks.done')}>
        {t('viewerLinks.doneText')}
      </Note>
      <TextInput
        size="md"
        label={t('viewerLinks.link')}
        value={address}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('common.close')}</Button>
        <Button kind="primary" data-autofocus onClick={() => copy(address)}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? t('common.copied') : t('report.copyLink')}
        </Button>
      </div>
    </Stack>
  );
}
