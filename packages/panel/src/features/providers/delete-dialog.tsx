import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { onlyHere, type ProviderRow } from './model/rows.ts';
import { rowTitle } from './provider-columns.tsx';
import type { ProviderActions } from './use-actions.ts';

/** Asks before an entry is deleted, with what stops working. */
export function DeleteDialog({
  row,
  all,
  onClose,
  onConfirm,
}: {
  /** null = closed. */
  readonly row: ProviderRow | null;
  readonly all: readonly ProviderRow[];
  readonly onClose: () => void;
  readonly onConfirm: ProviderActions['remove'];
}) {
  const { t } = useText();
  const lost = row === null ? [] : onlyHere(row, all);
  return (
    <ConfirmDialog
      opened={row !== null}
      onClose={onClose}
      title={t('providers.deleteTitle')}
      confirmLabel={t('providers.delete')}
      danger
      onConfirm={async () => {
        if (row !== null) await onConfirm(row);
      }}
    >
      {row !== null && (
        <>
          <p>
            <b>{rowTitle(row)}</b> · {row.kind.name}
          </p>
          <p>{t('providers.deleteText')}</p>
          {row.use && <p>{t('providers.deleteUse', { count: row.use.calls, value: formatCount(row.use.calls) })}</p>}
          {lost.length > 0 && <p>{t('providers.lostModels', { models: lost.slice(0, 12).join(', ') })}</p>}
        </>
      )}
    </ConfirmDialog>
  );
}
