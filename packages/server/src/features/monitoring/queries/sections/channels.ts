import type { ChannelShare, FailureSource } from '@manager/core/contract/monitoring/sections';
import { byBytes } from '../../../../facts/answers/sort.ts';
import { foldTotals } from '../../../../facts/kernels/totals.ts';
import { averageLatency, costMember } from '../../../../facts/ratios.ts';
import type { Scan } from '../../../../facts/scan.ts';
import { newestValues } from '../fold/identities.ts';
import { orDash, orNone, snapshotMembers } from '../fold/members.ts';
import { gather, numberValues } from '../fold/numbering.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { type IdentityModels, planIdentityModels } from './identity-models.ts';

const FIELDS = ['source', 'account', 'label', 'provider'] as const;
const NOTHING = { source: '', account: '', label: '', provider: '' };

export function planChannelShare(plan: AnalyticsPlan, scan: Scan): () => ChannelShare[] {
  const models = planIdentityModels(plan, scan);
  return () => plan.once(scan, 'channel share', () => channelShare(models()));
}

/** Auth indices, most requests first. */
function channelShare({ state, groups }: IdentityModels): ChannelShare[] {
  const channels = numberValues(groups.identities.map(({ authIndex }) => orDash(authIndex)));
  const rowOf = gather(channels.numbers, groups.identityOf);
  const values = newestValues(groups, rowOf, channels.distinct.length, FIELDS);
  return foldTotals(state, rowOf, channels.distinct.length)
    .map((totals, row): ChannelShare => {
      const shown = values[row] ?? NOTHING;
      return {
        auth_index: channels.distinct[row] ?? '',
        source: orNone(shown.source),
        ...snapshotMembers(shown),
        calls: totals.calls,
        success: totals.calls - totals.failures,
        failure: totals.failures,
        tokens: totals.totalTokens,
        ...costMember(totals),
        average_latency_ms: averageLatency(totals),
      };
    })
    .sort((left, right) => right.calls - left.calls || byBytes(left.auth_index, right.auth_index));
}

/** Sources of failures, most failures first. Requests are all requests of that source. */
export function failureSources({ state, groups }: IdentityModels): FailureSource[] {
  const parts = groups.identities.map(({ sourceHash, authIndex }) => [orDash(sourceHash), orDash(authIndex)] as const);
  const sources = numberValues(parts.map((part) => JSON.stringify(part)));
  const rowOf = gather(sources.numbers, groups.identityOf);
  const values = newestValues(groups, rowOf, sources.distinct.length, FIELDS);
  return foldTotals(state, rowOf, sources.distinct.length)
    .flatMap((totals, row): FailureSource[] => {
      if (totals.failures === 0) return [];
      const shown = values[row] ?? NOTHING;
      const [sourceHash, authIndex] = JSON.parse(sources.distinct[row] ?? '') as readonly [string, string];
      return [
        {
          source: orNone(shown.source),
          source_hash: sourceHash,
          auth_index: authIndex,
          ...snapshotMembers(shown),
          calls: totals.calls,
          failure: totals.failures,
          last_seen_ms: totals.newestMs,
          average_latency_ms: averageLatency(totals),
        },
      ];
    })
    .sort(
      (left, right) =>
        right.failure - left.failure ||
        right.last_seen_ms - left.last_seen_ms ||
        byBytes(left.source_hash, right.source_hash) ||
        byBytes(left.auth_index, right.auth_index),
    );
}
