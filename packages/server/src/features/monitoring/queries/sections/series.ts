import type { ApiKeyTimelinePoint, CredentialTimelinePoint } from '@manager/core/contract/monitoring-sections';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { foldTotals, type Totals, totalsSection } from '../../../../facts/kernels/totals.ts';
import { averageLatency, costMember, rateMembers, tokenMembers } from '../../../../facts/ratios.ts';
import { clientKeyId, credentialId } from '../../identity.ts';
import { sortTexts } from '../../sort.ts';
import { type TimeBuckets, timeBuckets } from '../buckets.ts';
import { IDENTITY_COLUMNS, type Identity, identityGroups, newestValues } from '../fold/identities.ts';
import { gather, numberPairs, numberValues, type PairNumbering } from '../fold/numbering.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { CREDENTIAL_FIELDS, credentialMembers } from './credential-stats.ts';

/** What each credential did in each bucket: by bucket, then id. */
export function planCredentialTimeline(plan: AnalyticsPlan): () => CredentialTimelinePoint[] {
  const { pricer, snapshot, query, range } = plan;
  const buckets = timeBuckets(query);
  const read = range.add(totalsSection([buckets.dimension, symbolDimension(IDENTITY_COLUMNS)], pricer));
  return () => {
    const state = read();
    const groups = identityGroups(state, 1, snapshot.symbols);
    const credentials = numberValues(groups.identities.map(credentialId));
    const points = numberPairs(state.groups.membersOf(0), gather(credentials.numbers, groups.identityOf));
    const starts = state.groups.valuesIn(0).map(([start = 0]) => start);
    buckets.checkCount(starts.length);
    const values = newestValues(groups, points.numbers, points.count, CREDENTIAL_FIELDS);
    const totals = foldTotals(state, points.numbers, points.count);
    const labels = labelsOf(buckets);
    return inOrder(points, starts, credentials.distinct).map((point): CredentialTimelinePoint => {
      const id = credentials.distinct[points.right[point] ?? 0] ?? '';
      const shown = values[point];
      return {
        id,
        label: labelOf(shown, id),
        ...credentialMembers(shown),
        ...pointMembers(starts[points.left[point] ?? 0] ?? 0, labels, totals[point]),
      };
    });
  };
}

/** What each client key did in each bucket: by bucket, then key. Events without a key are left out. */
export function planApiKeyTimeline(plan: AnalyticsPlan): () => ApiKeyTimelinePoint[] {
  const { pricer, snapshot, query, range } = plan;
  const buckets = timeBuckets(query);
  const read = range.add(totalsSection([buckets.dimension, symbolDimension(['api_key_hash'])], pricer));
  return () => {
    const state = read();
    const keys = numberValues(
      state.groups.valuesIn(1).map(([key = 0]) => clientKeyId(snapshot.symbols.text(key)) ?? ''),
    );
    const points = numberPairs(state.groups.membersOf(0), gather(keys.numbers, state.groups.membersOf(1)));
    const starts = state.groups.valuesIn(0).map(([start = 0]) => start);
    buckets.checkCount(starts.length);
    const totals = foldTotals(state, points.numbers, points.count);
    const labels = labelsOf(buckets);
    return inOrder(points, starts, keys.distinct).map((point) => ({
      api_key_hash: keys.distinct[points.right[point] ?? 0] ?? '',
      ...pointMembers(starts[points.left[point] ?? 0] ?? 0, labels, totals[point]),
    }));
  };
}

/** Points by start of their bucket, then id; those without an id are left out. */
function inOrder(points: PairNumbering, starts: readonly number[], ids: readonly string[]): number[] {
  const rankOfId = new Map(sortTexts(ids).map((id, rank) => [id, rank]));
  const ranks = ids.map((id) => rankOfId.get(id) ?? -1);
  const rankOf = (point: number) => ranks[points.right[point] ?? 0] ?? -1;
  const startOf = (point: number) => starts[points.left[point] ?? 0] ?? 0;
  return Array.from({ length: points.count }, (_, point) => point)
    .filter((point) => rankOf(point) >= 0)
    .sort((left, right) => startOf(left) - startOf(right) || rankOf(left) - rankOf(right));
}

/** Labels of starts, each made once. */
function labelsOf(buckets: TimeBuckets): (startMs: number) => string {
  const known = new Map<number, string>();
  return (startMs) => {
    const label = known.get(startMs) ?? buckets.label(startMs);
    known.set(startMs, label);
    return label;
  };
}

function labelOf(shown: Identity | undefined, id: string): string {
  if (shown === undefined) return id;
  return shown.label || shown.account || shown.file || shown.source || shown.authIndex || id;
}

function pointMembers(startMs: number, labels: (startMs: number) => string, totals: Totals | undefined) {
  if (totals === undefined) throw new Error('a point without sums');
  return {
    bucket_ms: startMs,
    bucket_label: labels(startMs),
    calls: totals.calls,
    tokens: totals.totalTokens,
    success: totals.calls - totals.failures,
    failure: totals.failures,
    ...tokenMembers(totals),
    reasoning_tokens: totals.reasoningTokens,
    total_tokens: totals.totalTokens,
    ...costMember(totals),
    average_latency_ms: averageLatency(totals),
    ...rateMembers(totals),
  };
}
