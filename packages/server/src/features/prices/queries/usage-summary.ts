import type { Database } from 'bun:sqlite';
import type { UsageSummaryResponse } from '@manager/core/contract/prices';
import { readCounter } from '../../../events/ingest/counters.ts';
import type { FactChunk } from '../../../facts/chunk.ts';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { groupBySymbols } from '../../../facts/kernels/groups.ts';
import { refineByMask, type Selection, selectRows, withoutDeleted } from '../../../facts/kernels/selection.ts';

export interface UsageSummaryArgs {
  /** Number of newest events. */
  readonly limit: number;
}

interface Cutoff {
  readonly timestampMs: number;
  readonly id: number;
}

/** Reads usage_events_time from its end, whose entries end with the id: no row is read. */
export const CUTOFF_SQL = `
SELECT id, timestamp_ms AS timestampMs
FROM usage_events
ORDER BY timestamp_ms DESC, id DESC
LIMIT 1 OFFSET ?`;

const BEFORE_ALL: Cutoff = { timestampMs: Number.NEGATIVE_INFINITY, id: 0 };

/**
 * Counts the models of the newest events, to show which are unpriced. The sample is that of the raw events by time, then id;
 * the names come from their facts.
 */
export function usageSummary(context: AnalyticsContext, { limit }: UsageSummaryArgs): UsageSummaryResponse {
  return context.facts.read(({ db, chunks, symbols }) => {
    const cutoff = readCutoff(db, limit);
    const requested = new Map<number, number>();
    const resolved = new Map<number, number>();
    let sampled = 0;
    for (const chunk of chunks) {
      context.checkStopped();
      const selection = selectNewest(chunk, cutoff);
      sampled += selection.count;
      countModels(chunk, selection, requested, resolved);
    }
    const total = readCounter(db, 'events');
    return {
      sampled_events: sampled,
      total_events: total,
      truncated: sampled < total,
      models: modelRows(requested, resolved, symbols.text),
    };
  });
}

/** The oldest event of the sample. */
function readCutoff(db: Database, limit: number): Cutoff {
  return db.query<Cutoff, [number]>(CUTOFF_SQL).get(limit - 1) ?? BEFORE_ALL;
}

/** Rows of raw events that still exist, from the cutoff on. */
function selectNewest(chunk: FactChunk, cutoff: Cutoff): Selection {
  const query = { fromMs: cutoff.timestampMs, toMs: Number.POSITIVE_INFINITY, predicates: [] };
  const selection = withoutDeleted(chunk, selectRows(chunk, query));
  if (selection.count === 0 || chunk.minTimestampMs > cutoff.timestampMs || chunk.firstEventId >= cutoff.id) {
    return selection;
  }
  const times = chunk.numbers('timestamp_ms');
  const ids = chunk.eventIds();
  const keep = Uint8Array.from({ length: chunk.rowCount }, (_, row) => {
    const time = times.base + (times.values?.[row] ?? 0);
    return time > cutoff.timestampMs || ids.base + (ids.values?.[row] ?? 0) >= cutoff.id ? 1 : 0;
  });
  return refineByMask(selection, keep);
}

/** An event with a resolved model other than the requested one counts for both. Symbol 0 is the empty name. */
function countModels(
  chunk: FactChunk,
  selection: Selection,
  requested: Map<number, number>,
  resolved: Map<number, number>,
): void {
  if (selection.count === 0) return;
  const groups = groupBySymbols(chunk, selection, ['analytics_model', 'resolved_model']);
  const counts = new Uint32Array(groups.count);
  for (const group of groups.groupOf) counts[group] = (counts[group] ?? 0) + 1;
  const [analyticsModels, resolvedModels] = groups.symbols;
  for (const [group, count] of counts.entries()) {
    const analyticsModel = analyticsModels?.[group] ?? 0;
    const resolvedModel = resolvedModels?.[group] ?? 0;
    if (analyticsModel !== 0) add(requested, analyticsModel, count);
    if (resolvedModel !== 0 && resolvedModel !== analyticsModel) add(resolved, resolvedModel, count);
  }
}

function add(counts: Map<number, number>, symbol: number, count: number): void {
  counts.set(symbol, (counts.get(symbol) ?? 0) + count);
}

function modelRows(
  requested: ReadonlyMap<number, number>,
  resolved: ReadonlyMap<number, number>,
  textOf: (symbol: number) => string,
): UsageSummaryResponse['models'] {
  const symbols = new Set([...requested.keys(), ...resolved.keys()]);
  const rows = [...symbols].map((symbol) => {
    const requestedCalls = requested.get(symbol) ?? 0;
    const resolvedCalls = resolved.get(symbol) ?? 0;
    return {
      model: textOf(symbol),
      calls: requestedCalls + resolvedCalls,
      requested_calls: requestedCalls,
      resolved_calls: resolvedCalls,
    };
  });
  return rows.sort((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1));
}
