import type { SnapshotWindow } from '../../contract/quotas/snapshots.ts';

const FIVE_HOUR = /(^|-)five-hour(?=-|$)/;

/**
 * Ids of the possible containers of a Codex window, the preferred one first: a five-hour window is within the weekly,
 * else the monthly window of its family.
 *
 * @example codexContainerIds('spark-five-hour-0') // ['spark-weekly-0', 'spark-monthly-0']
 */
export function codexContainerIds(id: string): readonly string[] {
  if (!FIVE_HOUR.test(id)) return [];
  return ['weekly', 'monthly'].map((name) => id.replace(FIVE_HOUR, (_, before: string) => `${before}${name}`));
}

/** Marks the windows that are within another one. */
export function withCodexContainers(windows: readonly SnapshotWindow[]): readonly SnapshotWindow[] {
  const ids = new Set(windows.map(({ provider_window_id }) => provider_window_id));
  return windows.map((window) => {
    const container = codexContainerIds(window.provider_window_id).find((id) => ids.has(id));
    if (container === undefined) return window;
    return { ...window, relationship_kind: 'concurrent_subwindow', container_provider_window_id: container };
  });
}
