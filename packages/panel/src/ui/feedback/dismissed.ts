import { useState } from 'react';
import { isRecord, readStored, writeStored } from '../../platform/browser/storage.ts';
import type { StatusNote } from './banner.ts';

const DAY_MS = 86_400_000;

/** Kind of a banner → time until which it stays hidden, ms. */
type Dismissals = Readonly<Record<string, number>>;

export function readDismissals(stored: unknown): Dismissals {
  if (!isRecord(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([kind, until]) => (typeof until === 'number' ? [[kind, until] as const] : [])),
  );
}

/** Past entries are dropped. */
export function dismissed(before: Dismissals, note: StatusNote, nowMs: number): Dismissals {
  const kept = Object.entries(before).filter(([, until]) => until > nowMs);
  const until = note.dismiss === 'ever' ? Number.MAX_SAFE_INTEGER : nowMs + DAY_MS;
  return { ...Object.fromEntries(kept), [note.kind]: until };
}

/** Dismissed banners of this browser. */
export function useDismissed(nowMs: number): readonly [(note: StatusNote) => boolean, (note: StatusNote) => void] {
  const [untils, setUntils] = useState(() => readDismissals(readStored('browser', 'dismissed')));
  return [
    (note) => note.dismiss !== undefined && (untils[note.kind] ?? 0) > nowMs,
    (note) => {
      const next = dismissed(untils, note, nowMs);
      setUntils(next);
      writeStored('browser', 'dismissed', next);
    },
  ];
}
