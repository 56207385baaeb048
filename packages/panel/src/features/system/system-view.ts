import type { DatabaseFiles } from '@manager/core/contract/system/status';
import type { OfferedModel } from '../../platform/api/manager.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { StatusTone } from '../../ui/display/status.tsx';

const MIGRATION_LABELS: Readonly<Partial<Record<string, TextKey>>> = {
  discovering: 'migration.running',
  pending: 'migration.pending',
  running: 'migration.running',
  applying: 'migration.running',
  clearing: 'migration.running',
  completed: 'migration.completed',
  failed: 'migration.failed',
};

/** null = a status of a later version, which is shown unchanged. */
export function migrationLabel(status: string): TextKey | null {
  return Object.hasOwn(MIGRATION_LABELS, status) ? (MIGRATION_LABELS[status] ?? null) : null;
}

export function migrationTone(status: string): StatusTone {
  return status === 'completed' ? 'okQuiet' : status === 'failed' ? 'bad' : 'wait';
}

const CHECKPOINT_LABELS = {
  pending: 'system.checkpointPending',
  passive: 'system.checkpointPassive',
  truncate: 'system.checkpointTruncate',
} as const satisfies Record<DatabaseFiles['checkpoint']['mode'], TextKey>;

export const checkpointLabel = (mode: DatabaseFiles['checkpoint']['mode']): TextKey => CHECKPOINT_LABELS[mode];

export interface OwnerModels {
  /** '' = unknown. */
  readonly owner: string;
  readonly ids: readonly string[];
}

/** Models by owner, both by name; those without an owner last. */
export function modelsByOwner(models: readonly OfferedModel[], search: string): readonly OwnerModels[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Set<string>>();
  for (const { id, owner } of models) {
    const text = `${id} ${owner}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const ids = groups.get(owner) ?? new Set<string>();
    groups.set(owner, ids.add(id));
  }
  return [...groups]
    .map(([owner, ids]) => ({ owner, ids: [...ids].sort() }))
    .sort((a, b) => Number(a.owner === '') - Number(b.owner === '') || (a.owner < b.owner ? -1 : 1));
}
