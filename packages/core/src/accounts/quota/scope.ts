import type { SnapshotScopeKind, SnapshotWindow } from '../../contract/quotas/snapshots.ts';

/** Which requests a window counts, as stored in snapshots. */
export interface SnapshotScope {
  readonly kind: SnapshotScopeKind;
  /** '' = not set. */
  readonly key: string;
  /** Sorted. */
  readonly models: readonly string[];
}

export function scopeOfWindow(
  window: Pick<SnapshotWindow, 'model_scope_kind' | 'model_scope_key' | 'model_ids'>,
): SnapshotScope {
  return { kind: window.model_scope_kind, key: window.model_scope_key ?? '', models: window.model_ids ?? [] };
}

/**
 * Key of a window within its account and provider, the same for every source: the same id with another scope is another window.
 *
 * @example windowKey('weekly', { kind: 'all', key: '', models: [] }) // '["weekly","all","",[]]'
 */
export function windowKey(id: string, scope: SnapshotScope): string {
  return JSON.stringify([id, scope.kind, scope.key, [...scope.models].sort()]);
}

export function windowKeyOf(window: SnapshotWindow): string {
  return windowKey(window.provider_window_id, scopeOfWindow(window));
}
