import type { Condition } from '../../features/notifications/condition.ts';
import type { CollectorStatus } from '../../gateway/collector.ts';
import type { Store } from '../../workers/store.ts';

/** What is known of the collector; null = not known yet. */
export interface CollectorConditions {
  readonly down: readonly Condition[] | null;
  readonly starved: readonly Condition[] | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Follows the state of the collector: a short break is neither good nor bad, and a collector that someone switched off is no failure.
 *
 * @returns what holds, to be asked at every observation
 */
export function createCollectorWatch(): (
  status: CollectorStatus,
  downMinutes: number,
  nowMs: number,
) => CollectorConditions {
  let downSinceMs: number | null = null;

  return (status, downMinutes, nowMs) => {
    const starved = starvedCondition(status, nowMs);
    const isFailing = status.collector === 'error' || status.keyRefused !== undefined || status.lastError !== '';
    if (status.collector === 'stopped') {
      downSinceMs = null;
      return { down: [], starved: [] };
    }
    if (!isFailing) {
      // While it starts, nothing is known; how long it was down goes on.
      if (status.collector === 'starting') return { down: null, starved };
      downSinceMs = null;
      return { down: [], starved };
    }
    downSinceMs = Math.min(downSinceMs ?? nowMs, nowMs);
    if (nowMs - downSinceMs < downMinutes * MINUTE_MS) return { down: null, starved };
    const { keyRefused, failedStage } = status;
    // Never the text of an error: that may contain addresses.
    const reason = keyRefused?.reason ?? (failedStage === 'consume' ? 'events_not_stored' : 'gateway_unreachable');
    const down: Condition = { subject: '', name: '', provider: '', sinceMs: downSinceMs, facts: { reason } };
    return { down: [down], starved };
  };
}

function starvedCondition({ collector, starved, gaps }: CollectorStatus, nowMs: number): readonly Condition[] | null {
  if (collector === 'starting') return null;
  if (!starved) return [];
  const { last } = gaps;
  const sinceMs = last !== undefined && last.toMs === null ? last.fromMs : nowMs;
  return [{ subject: '', name: '', provider: '', sinceMs, facts: {} }];
}

/** Gaps of the last day that are over. What starves the collector is told while it lasts. */
export async function gapConditions(
  reader: Pick<Store['reader'], 'run'>,
  nowMs: number,
): Promise<readonly Condition[]> {
  const gaps = await reader.run('gapsInRange', { fromMs: nowMs - DAY_MS, toMs: nowMs }, { priority: 'background' });
  return gaps.flatMap(({ id, fromMs, toMs, kind }) =>
    toMs === null || kind === 'starved' || kind === 'publishing_off'
      ? []
      : [{ subject: String(id), name: '', provider: '', sinceMs: fromMs, facts: { toMs } }],
  );
}
