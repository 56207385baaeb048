const DAY_MS = 86_400_000;

export const PRESET_DAYS = [7, 30, 90] as const;
export type PresetDays = (typeof PRESET_DAYS)[number];
const DEFAULT_DAYS: PresetDays = 30;

export type CutoffChoice =
  | { readonly kind: 'days'; readonly days: PresetDays }
  | { readonly kind: 'custom'; readonly atMs: number };

/** The instant before which events are archived, to the minute, so that it stays the same while the page is open. */
export function cutoffOf(choice: CutoffChoice, nowMs: number): number {
  if (choice.kind === 'custom') return choice.atMs;
  return Math.floor((nowMs - choice.days * DAY_MS) / 60_000) * 60_000;
}

/**
 * Presets from the longest to the default that can contain events, by the oldest row. A shorter one is only chosen by a person: rows that
 * somebody just decided to keep are not offered for deletion.
 */
function presetsWithEvents(oldestMs: number, nowMs: number): readonly PresetDays[] {
  if (oldestMs <= 0) return [];
  return PRESET_DAYS.toReversed().filter((days) => days >= DEFAULT_DAYS && oldestMs < nowMs - days * DAY_MS);
}

/** The longest preset with events to archive, never shorter than the default. `empty` are those whose preview found nothing. */
export function defaultDays(oldestMs: number, nowMs: number, empty: ReadonlySet<PresetDays>): PresetDays {
  return presetsWithEvents(oldestMs, nowMs).find((days) => !empty.has(days)) ?? DEFAULT_DAYS;
}

export type CustomProblem = 'missing' | 'future';

/** Why a typed time is no valid cutoff; null = it is valid. */
export function customProblem(atMs: number | null, nowMs: number): CustomProblem | null {
  if (atMs === null || atMs <= 0) return 'missing';
  return atMs > nowMs ? 'future' : null;
}
