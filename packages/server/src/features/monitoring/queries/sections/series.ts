import { AppError } from '@manager/core/contract/errors';
import { IDENTITY_TIMELINE_MAX_POINTS } from '@manager/core/contract/monitoring/analytics';
import type { AccountTimelinePoint, ApiKeyTimelinePoint } from '@manager/core/contract/monitoring/sections';
import { accountKeyId, clientKeyId } from '../../../../facts/answers/identity.ts';
import { IDENTITY_COLUMNS, type Identity } from '../../../../facts/answers/identity-columns.ts';
import { sortTexts } from '../../../../facts/answers/sort.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { foldTable, totalsSection } from '../../../../facts/kernels/totals.ts';
import { type TimeBuckets, timeBuckets } from '../buckets.ts';
import { identityGroups, shownValues } from '../fold/identities.ts';
import { ACCOUNT_FIELDS, accountMembers } from '../fold/members.ts';
import { gather, numberPairs, numberValues, type PairNumbering } from '../fold/numbering.ts';
import { POINT_MEMBERS } from '../fold/totals-members.ts';
import { type Fragment, fragment, openObject } from '../json/json-writer.ts';
import { WrittenList } from '../json/written-list.ts';
import type { AnalyticsPlan } from '../plan.ts';

const CLOSE = fragment('}');

/** Sums per account and bucket: by bucket, then id. */
export function planAccountTimeline(plan: AnalyticsPlan): () => WrittenList<AccountTimelinePoint> {
  const { pricer, snapshot, query, range } = plan;
  const buckets = timeBuckets(query);
  const read = range.add(totalsSection([buckets.dimension, symbolDimension(IDENTITY_COLUMNS)], pricer));
  return () => {
    const state = read();
    const groups = identityGroups(state, 1, snapshot.symbols);
    const gatewayAccounts = numberValues(groups.identities.map(accountKeyId));
    const points = numberPairs(state.groups.membersOf(0), gather(gatewayAccounts.numbers, groups.identityOf));
    const starts = state.groups.valuesIn(0).map(([start = 0]) => start);
    buckets.checkCount(starts.length);
    const sorted = inOrder(points, starts, gatewayAccounts.distinct);
    checkPoints('credential_timeline', sorted.length, 'filters.credential_ids');
    const head = shownValues(groups, points.numbers, points.count, ACCOUNT_FIELDS, (values, point) => {
      const id = gatewayAccounts.distinct[points.right[point] ?? 0] ?? '';
      return openObject({ id, label: labelOf(values, id), ...accountMembers(values) });
    });
    const totals = foldTable(state, points.numbers, points.count);
    const bucketMembers = starts.map((start) => membersOfBucket(start, buckets));
    return new WrittenList(sorted.length, (out, index) => {
      const point = sorted[index] ?? 0;
      out.fragment(head(point));
      out.fragment(bucketMembers[points.left[point] ?? 0] ?? CLOSE);
      out.numbers(POINT_MEMBERS, totals.at(point));
      out.fragment(CLOSE);
    });
  };
}

/** Sums per client key and bucket: by bucket, then key. Events without a key are left out. */
export function planApiKeyTimeline(plan: AnalyticsPlan): () => WrittenList<ApiKeyTimelinePoint> {
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
    const sorted = inOrder(points, starts, keys.distinct);
    checkPoints('api_key_timeline', sorted.length, 'filters.api_key_hashes');
    const totals = foldTable(state, points.numbers, points.count);
    const heads = keys.distinct.map((api_key_hash) => openObject({ api_key_hash }));
    const bucketMembers = starts.map((start) => membersOfBucket(start, buckets));
    return new WrittenList(sorted.length, (out, index) => {
      const point = sorted[index] ?? 0;
      out.fragment(heads[points.right[point] ?? 0] ?? CLOSE);
      out.fragment(bucketMembers[points.left[point] ?? 0] ?? CLOSE);
      out.numbers(POINT_MEMBERS, totals.at(point));
      out.fragment(CLOSE);
    });
  };
}

/** Identities times buckets have no natural bound, and a cut answer would look complete. */
function checkPoints(section: string, count: number, filter: string): void {
  if (count <= IDENTITY_TIMELINE_MAX_POINTS) return;
  throw new AppError('too_many_points', {
    message:
      `${section}: at most ${IDENTITY_TIMELINE_MAX_POINTS} points in one response, here ${count}; ` +
      `name some in ${filter}, or choose a shorter range or longer buckets`,
  });
}

/** Points by start of their bucket, then id; those without an id are left out. */
function inOrder(points: PairNumbering, starts: readonly number[], ids: readonly string[]): Uint32Array {
  const rankOfId = new Map(sortTexts(ids).map((id, rank) => [id, rank]));
  const ranks = ids.map((id) => rankOfId.get(id) ?? -1);
  const rankOf = (point: number) => ranks[points.right[point] ?? 0] ?? -1;
  const startOf = (point: number) => starts[points.left[point] ?? 0] ?? 0;
  return Uint32Array.from({ length: points.count }, (_, point) => point)
    .filter((point) => rankOf(point) >= 0)
    .sort((left, right) => startOf(left) - startOf(right) || rankOf(left) - rankOf(right));
}

function membersOfBucket(startMs: number, buckets: TimeBuckets): Fragment {
  return fragment(`,"bucket_ms":${startMs},"bucket_label":${JSON.stringify(buckets.label(startMs))}`);
}

function labelOf(shown: Identity, id: string): string {
  return shown.label || shown.account || shown.file || shown.source || shown.authIndex || id;
}
