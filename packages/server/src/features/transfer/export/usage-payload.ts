import type { EventKey } from './event-key.ts';
import type { EventReads } from './event-reads.ts';
import type { UsageGroupKey, UsagePage } from './queries/usage-page.ts';

/** Details per statement. */
const DETAIL_BATCH = 1_024;
const encoder = new TextEncoder();

interface Group extends UsageGroupKey {
  /** Newest first. */
  readonly ids: number[];
}

interface Totals {
  requests: number;
  failures: number;
  tokens: number;
}

/**
 * The newest `limit` events in the compatible format: totals, then endpoint → model → details. The ordered ids are known before
 * the first byte is sent; the details follow in batches.
 */
export async function* usagePayload(
  reads: EventReads,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const totals: Totals = { requests: 0, failures: 0, tokens: 0 };
  const groups = await collectGroups(reads, limit, signal, totals);
  yield encoder.encode(
    `{"total_requests":${totals.requests},"success_count":${totals.requests - totals.failures},` +
      `"failure_count":${totals.failures},"total_tokens":${totals.tokens},"apis":{`,
  );
  let previous: Group | null = null;
  for (const group of groups) {
    yield encoder.encode(opening(previous, group));
    for (let from = 0; from < group.ids.length; from += DETAIL_BATCH) {
      const ids = Float64Array.from(group.ids.slice(from, from + DETAIL_BATCH));
      const details = await reads.run('usageDetails', { ids }, { signal });
      if (from > 0) yield encoder.encode(',');
      yield details;
    }
    previous = group;
  }
  yield encoder.encode(previous === null ? '}}' : ']}}}}}');
}

/** Closes the previous list and opens the next one, with its endpoint when that is new. */
function opening(previous: Group | null, group: Group): string {
  const model = `${JSON.stringify(group.model)}:{"details":[`;
  if (previous?.endpoint === group.endpoint) return `]},${model}`;
  return `${previous === null ? '' : ']}}},'}${JSON.stringify(group.endpoint)}:{"models":{${model}`;
}

async function collectGroups(
  reads: EventReads,
  limit: number,
  signal: AbortSignal,
  totals: Totals,
): Promise<readonly Group[]> {
  const groups = new Map<string, Group>();
  const { lastId } = await reads.run('exportRange', null, { signal });
  let before: EventKey | null = null;
  do {
    const page: UsagePage = await reads.run(
      'usagePage',
      { before, lastId, limit: limit - totals.requests },
      { signal },
    );
    const here = page.groups.map((key) => groupFor(groups, key));
    for (const [index, id] of page.ids.entries()) here[page.groupOf[index] ?? 0]?.ids.push(id);
    totals.requests += page.ids.length;
    totals.failures += page.failures;
    totals.tokens += page.totalTokens;
    before = page.next;
  } while (before !== null && totals.requests < limit);
  return [...groups.values()].sort(
    (left, right) => byteOrder(left.endpoint, right.endpoint) || byteOrder(left.model, right.model),
  );
}

function groupFor(groups: Map<string, Group>, key: UsageGroupKey): Group {
  const name = JSON.stringify([key.endpoint, key.model]);
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group = { ...key, ids: [] };
  groups.set(name, group);
  return group;
}

function byteOrder(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
