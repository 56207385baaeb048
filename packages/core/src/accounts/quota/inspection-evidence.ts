import type { SnapshotWindow } from '../../contract/quotas/snapshots.ts';
import { type QuotaWindow, windowClass } from '../../contract/quotas/window.ts';
import { accountKey, normalizedProvider } from '../../usage/account-key.ts';
import { modelScopeMembers } from './header-evidence.ts';
import { CODEX_INVENTORY, type QuotaObservation } from './observation.ts';
import { withCodexContainers } from './subwindows.ts';

/** Members of a stored inspection result that quota evidence needs. */
export interface InspectedAccount {
  readonly id: number;
  readonly runId: number;
  readonly fileName: string;
  readonly provider: string;
  readonly authIndex?: string | undefined;
  readonly accountSnapshot?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly error?: string | undefined;
  readonly planType?: string | undefined;
  readonly quotaInventoryObserved: boolean;
  readonly quotaWindows?: readonly QuotaWindow[] | undefined;
  readonly createdAtMs: number;
}

/** Of one result; every one is stored and followed. */
const MAX_WINDOWS = 128;

/**
 * The quota windows that an inspection of a Codex account found. Only an inspection of the whole inventory can report
 * missing windows. `null` for other providers and when there are no windows.
 */
export function observationOfInspection(result: InspectedAccount): QuotaObservation | null {
  if (normalizedProvider(result.provider) !== 'codex') return null;
  const status = result.statusCode ?? 0;
  const isComplete = status >= 200 && status < 300 && (result.error ?? '') === '' && result.quotaInventoryObserved;
  // A result of an earlier version may have any number of them.
  const found = (result.quotaWindows ?? []).slice(0, MAX_WINDOWS);
  if (!isComplete && found.length === 0) return null;
  const key = accountKey({
    auth_file_snapshot: result.fileName,
    auth_index: result.authIndex ?? '',
    auth_provider_snapshot: result.provider,
    account_snapshot: result.accountSnapshot ?? '',
    auth_label_snapshot: '',
    auth_project_id_snapshot: '',
    provider: result.provider,
    source: '',
  });
  if (key === '') return null;
  const observationId = `run:${result.runId}:result:${result.id}`;
  return {
    accountKey: key,
    provider: 'codex',
    source: 'inspection',
    observationId,
    observedAtMs: result.createdAtMs,
    inventoryScope: CODEX_INVENTORY,
    inventoryMode: isComplete ? 'complete' : 'partial',
    windows: withCodexContainers(found.map((window) => snapshotOf(window, result, observationId))),
    removed: [],
  };
}

function snapshotOf(window: QuotaWindow, result: InspectedAccount, observationId: string): SnapshotWindow {
  const { providerWindowAliases: aliases = [], usedPercent, limitWindowSeconds = null } = window;
  const kind = windowClass(limitWindowSeconds)?.replace('-', '_') ?? 'unknown';
  return {
    provider_window_id: window.id,
    window_kind: kind,
    ...modelScopeMembers(window.modelScope),
    ...(aliases.length === 0 ? {} : { provider_window_aliases: [...aliases].sort() }),
    source: 'inspection',
    observed_at_ms: result.createdAtMs,
    source_observation_id: observationId,
    ...boundaryMembers(window),
    ...(usedPercent === undefined ? {} : { used_percent: Math.min(Math.max(usedPercent, 0), 100) }),
    ...(result.planType === undefined || result.planType === '' ? {} : { plan_type: result.planType }),
  };
}

type BoundaryMembers = Pick<
  SnapshotWindow,
  'window_mode' | 'boundary_accuracy' | 'cycle_start_ms' | 'cycle_end_ms' | 'duration_seconds'
>;

/** Only a reset as a time counts; labels are for display. */
function boundaryMembers({ resetAtMs, resetAccuracy, limitWindowSeconds }: QuotaWindow): BoundaryMembers {
  const seconds = limitWindowSeconds === undefined ? 0 : Math.round(limitWindowSeconds);
  const length = seconds > 0 ? { duration_seconds: seconds } : {};
  if (resetAtMs === undefined) return { window_mode: 'unknown', boundary_accuracy: 'unknown', ...length };
  if (seconds <= 0) return { window_mode: 'unknown', boundary_accuracy: 'unknown', cycle_end_ms: resetAtMs };
  const start = resetAtMs - seconds * 1000;
  return {
    window_mode: 'fixed',
    boundary_accuracy: resetAccuracy,
    cycle_start_ms: start,
    cycle_end_ms: resetAtMs,
    ...length,
  };
}
