import { JITTER_MS } from '@manager/core/accounts/quota/counter-reset';
import type { SnapshotWindow } from '@manager/core/contract/quotas/snapshots';

/** Members that are rare and always different. */
const REST = [
  'remaining_percent',
  'used_value',
  'limit_value',
  'reset_credits_available',
  'reset_credits',
] as const satisfies readonly (keyof SnapshotWindow)[];

/** A split window: the part that many observations share, and the part that changes. */
export interface WindowMembers {
  /** JSON of all other members. */
  readonly shape: string;
  readonly usedPercent: number | null;
  /** Null when it follows from end and length. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** JSON, null = empty. */
  readonly rareMembers: string | null;
}

export function splitWindow(window: SnapshotWindow): WindowMembers {
  const {
    observed_at_ms: _time,
    source_observation_id: _id,
    cycle_start_ms: start,
    cycle_end_ms: end,
    used_percent: percent,
    remaining_percent: _remaining,
    used_value: _used,
    limit_value: _limit,
    reset_credits_available: _available,
    reset_credits: _credits,
    ...shape
  } = window;
  return {
    shape: JSON.stringify(shape),
    usedPercent: percent ?? null,
    startMs: start === undefined || start === startOf(end, shape.duration_seconds) ? null : start,
    endMs: end ?? null,
    rareMembers: REST.some((name) => window[name] !== undefined)
      ? JSON.stringify(window, [...REST, 'id', 'expires_at_ms'])
      : null,
  };
}

export function joinWindow(
  members: WindowMembers,
  observation: { readonly observedAtMs: number; readonly id: string },
): SnapshotWindow {
  const shape = JSON.parse(members.shape) as Omit<SnapshotWindow, 'observed_at_ms'>;
  const rareMembers = members.rareMembers === null ? {} : (JSON.parse(members.rareMembers) as Partial<SnapshotWindow>);
  const end = members.endMs ?? undefined;
  const start = members.startMs ?? startOf(end, shape.duration_seconds);
  return {
    ...shape,
    ...rareMembers,
    observed_at_ms: observation.observedAtMs,
    ...(observation.id === '' ? {} : { source_observation_id: observation.id }),
    ...(start === undefined ? {} : { cycle_start_ms: start }),
    ...(end === undefined ? {} : { cycle_end_ms: end }),
    ...(members.usedPercent === null ? {} : { used_percent: members.usedPercent }),
  };
}

function startOf(end: number | undefined, durationSeconds: number | undefined): number | undefined {
  return end === undefined || durationSeconds === undefined ? undefined : end - durationSeconds * 1000;
}

/** Percents with the same whole percent are equal. */
export function isSamePercent(known: number | null, told: number | null): boolean {
  if (known === null || told === null) return known === told;
  return Math.floor(known) === Math.floor(told);
}

/** Ends of a window that count as the same end: derived ones jitter by seconds. Both ends included; null = no end. */
export interface EndRange {
  readonly from: number | null;
  readonly to: number | null;
}

export function endRange(endMs: number | null, isDerived: boolean): EndRange {
  if (endMs === null || !isDerived) return { from: endMs, to: endMs };
  return { from: endMs - JITTER_MS, to: endMs + JITTER_MS };
}

export function isWithin({ from, to }: EndRange, endMs: number | null): boolean {
  if (endMs === null || from === null || to === null) return endMs === from;
  return from <= endMs && endMs <= to;
}
