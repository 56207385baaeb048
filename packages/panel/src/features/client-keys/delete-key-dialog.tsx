import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { RemoveOutcome } from './key-changes.ts';
import type { KeyRow } from './key-rows.ts';
import { maskedKey, notDeleted } from './key-words.ts';
import type { KeyChanges } from './use-key-changes.ts';

/** Confirms the deletion of a key, with its known use. */
export function DeleteKeyDialog({
  row,
  last,
  rangeName,
  changes,
  onClose,
  onDone,
}: {
  /** null = closed. */
  readonly row: KeyRow | null;
  /** The gateway's last key. */
  readonly last: boolean;
  readonly rangeName: string;
  readonly changes: KeyChanges;
  readonly onClose: () => void;
  /** @param dropped its name was removed too */
  readonly onDone: (outcome: RemoveOutcome, row: KeyRow, dropped: boolean) => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const [dropsAlias, setDropsAlias] = useState(false);
  const close = () => {
    setDropsAlias(false);
    onClose();
  };
  return (
    <ConfirmDialog
      opened={row !== null}
      onClose={close}
      title={t('clientKeys.deleteTitle')}
      confirmLabel={t('clientKeys.delete')}
      danger
      {...(last ? { typedWord: 'DELETE' } : {})}
      failure={(error) => notDeleted(error, t)}
      onConfirm={async () => {
        if (row === null) return;
        const drops = dropsAlias && row.alias !== '';
        onDone(await changes.remove(row.hash, drops), row, drops);
      }}
    >
      {row !== null && (
        <Stack>
          <dl className="definitions">
            {row.alias !== '' && (
              <>
                <dt>{t('clientKeys.alias')}</dt>
                <dd>
                  <span className="value">{shown(masker.account(row.alias))}</span>
                </dd>
              </>
            )}
            <dt>{t('clientKeys.key')}</dt>
            <dd>
              <span className="value mono">{maskedKey(row)}</span>
            </dd>
          </dl>
          <p>
            <RecentUse row={row} rangeName={rangeName} />
          </p>
          <p>{t('clientKeys.deleteText')}</p>
          {row.listed > 1 && <p>{t('clientKeys.deleteAll', { count: row.listed })}</p>}
          {last && (
            <Note tone="bad" fact={t('clientKeys.lastFact')}>
              {t('clientKeys.lastText')}
            </Note>
          )}
          {row.alias !== '' && (
            <label className="row tick">
              <input
                type="checkbox"
                checked={dropsAlias}
                onChange={(event) => setDropsAlias(event.currentTarget.checked)}
              />
              <span>{t('clientKeys.dropAlias')}</span>
            </label>
          )}
        </Stack>
      )}
    </ConfirmDialog>
  );
}

function RecentUse({ row, rangeName }: { readonly row: KeyRow; readonly rangeName: string }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  if (row.use === undefined) return t('clientKeys.useUnknown');
  if (row.use === null) return t('clientKeys.usedNever', { range: rangeName });
  const { calls, last_seen_ms } = row.use;
  return t('clientKeys.usedRecently', {
    range: rangeName,
    count: calls,
    value: formatCount(calls),
    time: shortTime(last_seen_ms, client.now(), zone, locale),
  });
}
