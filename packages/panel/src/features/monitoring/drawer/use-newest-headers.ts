import type { HeaderSnapshotItem } from '@manager/core/contract/accounts/header-snapshots';
import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../platform/api/services.ts';
import { headersOf } from './newest-headers.ts';

/** The newest response headers of the account of a request; null = none are known. */
export function useNewestHeaders(event: EventRow): HeaderSnapshotItem | null {
  const { manager } = useServices();
  const { data } = useQuery({
    queryKey: ['header-snapshots'],
    queryFn: ({ signal }) => manager.headerSnapshots(signal),
    staleTime: 60_000,
  });
  return data === undefined ? null : headersOf(data.items, event);
}
