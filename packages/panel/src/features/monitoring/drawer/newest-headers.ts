import type { HeaderSnapshotItem } from '@manager/core/contract/accounts/header-snapshots';
import type { EventRow } from '@manager/core/contract/monitoring/analytics';

/** The item of the same account: by file and index where both are known, as the manager stores them. */
export function headersOf(items: readonly HeaderSnapshotItem[], event: EventRow): HeaderSnapshotItem | null {
  const file = event.auth_file_snapshot ?? '';
  const own = items.find((item) => {
    if (file !== '' || event.auth_index !== '') {
      return (item.auth_file_snapshot ?? '') === file && (item.auth_index ?? '') === event.auth_index;
    }
    return event.account_snapshot !== '' && item.account_snapshot === event.account_snapshot;
  });
  // Headers of another provider do not apply.
  if (own === undefined || (own.auth_provider_snapshot ?? '') !== event.auth_provider_snapshot) return null;
  return own;
}
