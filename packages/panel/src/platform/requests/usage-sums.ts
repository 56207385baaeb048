/** Sums of a model, a client key, an account or a provider, whatever list they come from. */
export interface UsageSums {
  readonly calls: number;
  readonly failed: number;
  readonly tokens: number;
  readonly cost: number;
  /** Unpriced requests, which the cost lacks. */
  readonly unpriced: number;
  /** null = missing in this list, here and below. */
  readonly input: number | null;
  readonly output: number | null;
  /** Tokens from a cache. */
  readonly cached: number | null;
  readonly hitRate: number | null;
  readonly latencyMs: number | null;
  readonly lastSeenMs: number | null;
}

/** What the lists of the manager have in common. */
interface SummedRow {
  readonly calls: number;
  readonly failure_calls: number;
  readonly total_tokens: number;
  readonly cost: number;
  readonly unpriced_calls?: number | undefined;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cached_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly average_latency_ms?: number | null;
  readonly last_seen_ms?: number;
}

export function usageSums(row: SummedRow): UsageSums {
  const { input_tokens: input = null, cached_tokens } = row;
  const cached = cached_tokens === undefined ? null : cached_tokens + (row.cache_read_tokens ?? 0);
  return {
    calls: row.calls,
    failed: row.failure_calls,
    tokens: row.total_tokens,
    cost: row.cost,
    unpriced: row.unpriced_calls ?? 0,
    input,
    output: row.output_tokens ?? null,
    cached,
    hitRate: hitRateOf(cached, input),
    latencyMs: row.average_latency_ms ?? null,
    lastSeenMs: row.last_seen_ms ?? null,
  };
}

/** What rows have together. Mean latencies do not add up: requests without a latency are not counted apart. */
export function addUpSums(rows: readonly UsageSums[]): UsageSums {
  const total = (name: 'calls' | 'failed' | 'tokens' | 'cost' | 'unpriced') =>
    rows.reduce((sum, row) => sum + row[name], 0);
  const unlessMissing = (name: 'input' | 'output' | 'cached') =>
    rows.reduce((sum: number | null, row) => (sum === null || row[name] === null ? null : sum + row[name]), 0);
  const [input, cached] = [unlessMissing('input'), unlessMissing('cached')];
  const seen = rows.flatMap(({ lastSeenMs }) => (lastSeenMs === null ? [] : [lastSeenMs]));
  return {
    calls: total('calls'),
    failed: total('failed'),
    tokens: total('tokens'),
    cost: total('cost'),
    unpriced: total('unpriced'),
    input,
    output: unlessMissing('output'),
    cached,
    hitRate: hitRateOf(cached, input),
    latencyMs: rows.length === 1 ? (rows[0]?.latencyMs ?? null) : null,
    lastSeenMs: seen.length === 0 ? null : Math.max(...seen),
  };
}

/** As the manager calculates it: cached tokens as a share of all input. */
function hitRateOf(cached: number | null, input: number | null): number | null {
  return cached === null || input === null || input <= 0 ? null : Math.min(1, cached / input);
}

type Counted = Pick<UsageSums, 'calls' | 'failed'>;

export const failureRate = ({ calls, failed }: Counted): number | null => (calls === 0 ? null : failed / calls);

export const successRate = ({ calls, failed }: Counted): number | null =>
  calls === 0 ? null : (calls - failed) / calls;
