import type { SnapshotWindow } from '../../contract/quotas/snapshots.ts';
import { type ObservationOutcome, observe } from '../quota/lifecycle.ts';
import { EMPTY_QUOTA_STATE, type QuotaState } from '../quota/lifecycle-state.ts';
import { CODEX_INVENTORY, observationText, type QuotaObservation } from '../quota/observation.ts';
import type { SnapshotRow } from '../quota/read-selection.ts';

export const T0 = 1_700_000_000_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const WEEK_SECONDS = 604_800;

/** A weekly main window of Codex that ends at `endMs`. */
export function weekly(
  usedPercent: number | null,
  endMs: number,
  change: Partial<SnapshotWindow> = {},
): SnapshotWindow {
  return fixed('weekly', WEEK_SECONDS, usedPercent, endMs, change);
}

/** A five-hour main window of Codex that ends at `endMs`. */
export function fiveHour(
  usedPercent: number | null,
  endMs: number,
  change: Partial<SnapshotWindow> = {},
): SnapshotWindow {
  return fixed('five-hour', 18_000, usedPercent, endMs, change);
}

function fixed(
  id: string,
  seconds: number,
  usedPercent: number | null,
  endMs: number,
  change: Partial<SnapshotWindow>,
): SnapshotWindow {
  return {
    provider_window_id: id,
    window_mode: 'fixed',
    model_scope_kind: 'family',
    model_scope_key: 'codex_main',
    source: 'response_header',
    observed_at_ms: 0,
    boundary_accuracy: 'exact',
    cycle_start_ms: endMs - seconds * 1000,
    cycle_end_ms: endMs,
    duration_seconds: seconds,
    ...(usedPercent === null ? {} : { used_percent: usedPercent }),
    ...change,
  };
}

/** A Codex observation from headers by default; its windows take over source, time and id. */
export function observationAt(
  observedAtMs: number,
  windows: readonly SnapshotWindow[],
  change: Partial<QuotaObservation> = {},
): QuotaObservation {
  const observation: QuotaObservation = {
    accountKey: 'account',
    provider: 'codex',
    source: 'response_header',
    observationId: '',
    observedAtMs,
    inventoryScope: CODEX_INVENTORY,
    inventoryMode: 'partial',
    windows: [],
    removed: [],
    ...change,
  };
  const own = windows.map((window) => ({ ...window, source: observation.source, observed_at_ms: observedAtMs }));
  return { ...observation, windows: own };
}

/** Stores observations one after the other as a store does: the state and the rows that count. */
export function recorder() {
  let state: QuotaState = EMPTY_QUOTA_STATE;
  let next = 0;
  let rows: (SnapshotRow & { readonly hash: string; readonly cycleId: string | null })[] = [];
  return {
    state: () => state,
    rows: () => rows,
    see(observation: QuotaObservation): ObservationOutcome {
      const hash = observationText(observation);
      const outcome = observe(state, observation, {
        hash,
        newId: () => {
          next += 1;
          return String(next);
        },
      });
      state = outcome.state;
      rows = rows.filter((row) => row.hash !== outcome.displacedHash);
      for (const { window, logicalWindowId, cycleId, inLifecycle } of outcome.rows) {
        if (inLifecycle && logicalWindowId !== null)
          rows.push({ id: rows.length + 1, hash, logicalWindowId, cycleId, window });
      }
      return outcome;
    },
    window(id: string) {
      const found = state.windows.find(({ windowId }) => windowId === id);
      if (found === undefined) throw new Error(`no window ${id}`);
      return found;
    },
  };
}
