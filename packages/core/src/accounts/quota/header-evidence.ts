import type { SnapshotWindow } from '../../contract/quotas/snapshots.ts';
import {
  classWithoutLength,
  genericWindowId,
  type ModelScope,
  SLOT_NAMES,
  type WindowClass,
  type WindowSlot,
  windowClass,
} from '../../contract/quotas/window.ts';
import { trimText } from '../../json/text.ts';
import { accountKey, normalizedProvider } from '../../usage/account-key.ts';
import type { UsageEvent } from '../../usage/event.ts';
import type { QuotaWindow as HeaderWindow, ResponseMetadata } from '../../usage/metadata-schema.ts';
import { analyticsModel } from '../../usage/models.ts';
import { isNativeXai } from '../../usage/provider-usage.ts';
import { normalizedEvidence } from '../cooldown/evidence.ts';
import { storedMetadata } from '../stored-texts.ts';
import { codexRequestScope } from './codex-scope.ts';
import { CODEX_INVENTORY, type QuotaObservation, XAI_FREE_INVENTORY, XAI_FREE_WINDOW_ID } from './observation.ts';
import { withCodexContainers } from './subwindows.ts';

/** Members of a stored event that quota evidence needs. */
export type QuotaEvent = Pick<
  UsageEvent,
  | 'event_hash'
  | 'timestamp_ms'
  | 'response_metadata_json'
  | 'provider'
  | 'executor_type'
  | 'model'
  | 'requested_model'
  | 'resolved_model'
  | 'source'
  | 'auth_file_snapshot'
  | 'auth_index'
  | 'auth_provider_snapshot'
  | 'auth_project_id_snapshot'
  | 'auth_label_snapshot'
  | 'account_snapshot'
>;

/**
 * The quota windows that a new event reports: those in the rate-limit headers of a Codex answer, or the used-up free
 * allowance of an xAI account. `null` when there are none, or the account is unknown.
 */
export function observationOfEvent(event: QuotaEvent): QuotaObservation | null {
  if (event.response_metadata_json === '') return null;
  const key = accountKey(event);
  if (key === '') return null;
  const origin = { accountKey: key, observationId: event.event_hash, observedAtMs: event.timestamp_ms };
  const inventory = { inventoryMode: 'partial', removed: [] } as const;
  const provider = normalizedProvider(trimText(event.auth_provider_snapshot) || event.provider);
  if (provider === 'codex') {
    const windows = codexWindows(event, storedMetadata(event).quota ?? {});
    if (windows.length === 0) return null;
    const source = 'response_header';
    return { ...origin, ...inventory, provider, source, inventoryScope: CODEX_INVENTORY, windows };
  }
  if (!isNativeXai(event)) return null;
  const window = freeUsageWindow(event, storedMetadata(event));
  if (window === null) return null;
  const source = 'response_body';
  return { ...origin, ...inventory, provider: 'xai', source, inventoryScope: XAI_FREE_INVENTORY, windows: [window] };
}

type Quota = NonNullable<ResponseMetadata['quota']>;

interface PlacedWindow {
  readonly slot: WindowSlot;
  readonly window: HeaderWindow;
  readonly lengthSeconds: number | null;
}

/** Answers without a limit send a set of zeros, which is no window. */
function isPlaceholder({ window, lengthSeconds }: PlacedWindow): boolean {
  return lengthSeconds === null && window.reset_at_ms === undefined && (window.used_percent ?? 0) === 0;
}

function placedWindows({ primary, secondary }: Quota): readonly PlacedWindow[] {
  const place = (slot: WindowSlot, window: HeaderWindow | undefined): readonly PlacedWindow[] => {
    if (window === undefined) return [];
    const minutes = window.window_minutes ?? 0;
    return [{ slot, window, lengthSeconds: minutes > 0 ? minutes * 60 : null }];
  };
  return [...place(0, primary), ...place(1, secondary)].filter((placed) => !isPlaceholder(placed));
}

/** A class holds one window; lengths count before slots. */
function classesOf(windows: readonly PlacedWindow[], planType: string): ReadonlyMap<PlacedWindow, WindowClass> {
  const classes = new Map<PlacedWindow, WindowClass>();
  const take = (placed: PlacedWindow, name: WindowClass | null) => {
    if (name !== null && ![...classes.values()].includes(name)) classes.set(placed, name);
  };
  for (const placed of windows) take(placed, windowClass(placed.lengthSeconds));
  for (const placed of windows) {
    if (placed.lengthSeconds === null) take(placed, classWithoutLength(placed.slot, planType));
  }
  return classes;
}

function codexWindows(event: QuotaEvent, quota: Quota): readonly SnapshotWindow[] {
  const placed = placedWindows(quota);
  if (placed.length === 0) return [];
  // `-` is the display model of an event without one.
  const model = event.model === '-' ? '' : event.model;
  const { scope, prefix } = codexRequestScope({
    resolvedModel: event.resolved_model,
    analyticsModel: analyticsModel({ model, requested_model: event.requested_model }),
    requestedModel: event.requested_model,
    model,
  });
  const classes = classesOf(placed, quota.plan_type ?? '');
  const windows = placed.map((each): SnapshotWindow => {
    const name = classes.get(each);
    const id =
      name === undefined
        ? genericWindowId(each.lengthSeconds, each.slot, prefix === '' ? '' : `${prefix}-0`)
        : prefix === ''
          ? name
          : `${prefix}-${name}-0`;
    const { used_percent } = each.window;
    return {
      provider_window_id: id,
      window_kind: name?.replace('-', '_') ?? 'unknown',
      ...modelScopeMembers(scope),
      provider_window_aliases: [SLOT_NAMES[each.slot]],
      source: 'response_header',
      observed_at_ms: event.timestamp_ms,
      source_observation_id: event.event_hash,
      ...boundaryMembers(each),
      ...(used_percent === undefined ? {} : { used_percent: Math.min(Math.max(used_percent, 0), 100) }),
      ...(quota.plan_type === undefined ? {} : { plan_type: quota.plan_type }),
    };
  });
  return withCodexContainers(windows);
}

export function modelScopeMembers(
  scope: ModelScope,
): Pick<SnapshotWindow, 'model_scope_kind' | 'model_scope_key' | 'model_ids'> {
  return {
    model_scope_kind: scope.kind,
    ...(scope.key === undefined ? {} : { model_scope_key: scope.key }),
    ...(scope.models === undefined ? {} : { model_ids: [...scope.models].sort() }),
  };
}

type BoundaryMembers = Pick<
  SnapshotWindow,
  'window_mode' | 'boundary_accuracy' | 'cycle_start_ms' | 'cycle_end_ms' | 'duration_seconds'
>;

function boundaryMembers({ window, lengthSeconds }: PlacedWindow): BoundaryMembers {
  const end = window.reset_at_ms;
  const duration = lengthSeconds === null ? {} : { duration_seconds: lengthSeconds };
  if (end === undefined) return { window_mode: 'unknown', boundary_accuracy: 'unknown', ...duration };
  if (lengthSeconds === null) return { window_mode: 'unknown', boundary_accuracy: 'unknown', cycle_end_ms: end };
  return {
    window_mode: 'fixed',
    // Answers send both forms; the absolute one is derived from the relative one and moves with it.
    boundary_accuracy: window.reset_after_seconds === undefined ? 'exact' : 'derived',
    cycle_start_ms: end - lengthSeconds * 1000,
    cycle_end_ms: end,
    ...duration,
  };
}

const FREE_WINDOW_SECONDS = 86_400;

function freeUsageWindow(event: QuotaEvent, metadata: ResponseMetadata): SnapshotWindow | null {
  const evidence = normalizedEvidence(metadata.provider_usage);
  if (evidence === null) return null;
  const end = evidence.recover_at_ms ?? event.timestamp_ms + FREE_WINDOW_SECONDS * 1000;
  const { model, actual, limit } = evidence;
  return {
    provider_window_id: XAI_FREE_WINDOW_ID,
    window_kind: 'rolling_24h',
    window_mode: 'rolling',
    ...(model === undefined ? { model_scope_kind: 'all' } : { model_scope_kind: 'models', model_ids: [model] }),
    source: 'response_body',
    observed_at_ms: event.timestamp_ms,
    source_observation_id: event.event_hash,
    boundary_accuracy: 'estimated',
    cycle_start_ms: end - FREE_WINDOW_SECONDS * 1000,
    cycle_end_ms: end,
    duration_seconds: FREE_WINDOW_SECONDS,
    // This answer comes only when nothing is left.
    used_percent: 100,
    remaining_percent: 0,
    ...(actual === undefined ? {} : { used_value: actual }),
    ...(limit === undefined ? {} : { limit_value: limit, quota_unit: 'tokens' }),
  };
}
