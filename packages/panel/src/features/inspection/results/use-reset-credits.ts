import { QUOTA_SNAPSHOTS_QUERY_PATH } from '@manager/core/contract/constants';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { QuotaSnapshotsQueryResponse } from '@manager/core/contract/quotas/snapshots';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { INSPECTION_KEY } from '../../../platform/queries/inspection.ts';
import { creditQuestion, creditsOf } from './reset-credits.ts';

const NONE: ReadonlyMap<number, number> = new Map();

/** Result ids with a disable suggestion that an unused reset credit may avoid, with the number of credits. */
export function useResetCredits(results: readonly InspectionResult[], settled: boolean): ReadonlyMap<number, number> {
  const { client } = useServices();
  const asked = useMemo(() => creditQuestion(results), [results]);
  const { data } = useQuery({
    queryKey: [INSPECTION_KEY, 'credits', asked.accounts.map(({ row_key }) => row_key)],
    enabled: settled && asked.accounts.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const answer = await client.call<QuotaSnapshotsQueryResponse>(QUOTA_SNAPSHOTS_QUERY_PATH, {
        method: 'POST',
        body: asked,
        signal,
      });
      return creditsOf(answer);
    },
  });
  return data ?? NONE;
}
