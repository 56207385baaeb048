import type { SnapshotScopeKind, SnapshotWindow } from '../../contract/quotas/snapshots.ts';

/** Which requests a window counts, as snapshots write it. */
export interface SnapshotScope {
  readonly kind: SnapshotScopeKind;
  /** '' = none. */
  readonly key: string;
  /** Sorted. */
  readonly models: readonly string[];
}

export function scopeOfWindow(
  window: Pick<SnapshotWindow, 'model_scope_kind' | 'model_scope_key' | 'model_ids'>,
): SnapshotScope {
  return { kind: window.model_scope_kind, key: window.model_scope_key ?? '', models: window.model_ids ?? [] };
}

/** One text per scope: windows of the same id and of different scopes are different windows. */
export function scopeText(scope: SnapshotScope): string {
  return JSON.stringify([scope.kind, scope.key, [...scope.models].sort()]);
}

/**
 * Names a window within its account and provider, whatever source it comes from.
 *
 * @example windowKey('weekly', { kind: 'all', key: '', models: [] }) // '["weekly","all","",[]]'
 */
export function windowKey(id: string, scope: SnapshotScope): string {
  return JSON.stringify([id, scope.kind, scope.key, [...scope.models].sort()]);
}

export function windowKeyOf(window: SnapshotWindow): string {
  return windowKey(window.provider_window_id, scopeOfWindow(window));
}
