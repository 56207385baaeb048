import type { GapKind } from '../../gateway/collector.ts';
import type { CollectorLogger, CollectorStore } from './ports.ts';
import type { Gap, GapSummary } from './store.ts';
import { createBackoff } from './wait.ts';

const MAX_GAPS = 10_000;

/** Keeps the gaps of the running process: which are open and which are not written yet. */
export interface GapKeeper {
  /** A gap with both ends. One that overlaps the last of its kind extends it. */
  record(kind: GapKind, fromMs: number, toMs: number, estimatedLost?: number | null): void;
  /** Does nothing when one of this kind is open. */
  open(kind: GapKind, fromMs: number): void;
  /** Does nothing when none of this kind is open. */
  close(kind: GapKind, toMs: number, estimatedLost?: number | null): void;
  /** Start of the open gap of this kind, null = none. */
  openSince(kind: GapKind): number | null;
  /** Takes over open gaps of an earlier process. */
  adopt(open: readonly Gap[]): void;
  /** Start of the oldest unwritten gap. */
  unsavedSince(): number | null;
  summary(): { readonly count: number; readonly open: readonly GapKind[]; readonly last: Omit<Gap, 'id'> | null };
  /** Reads counts and the newest row again. */
  reload(): Promise<void>;
  /** Tries to write everything; true when nothing is left. */
  flush(): Promise<boolean>;
}

interface Entry {
  id: number | null;
  readonly kind: GapKind;
  readonly fromMs: number;
  toMs: number | null;
  estimatedLost: number | null;
  dirty: boolean;
}

export function createGapKeeper(deps: {
  readonly store: CollectorStore;
  readonly logger: CollectorLogger;
  readonly backoffMs: readonly number[];
}): GapKeeper {
  /** Open entries, unwritten ones, and the last of each kind. */
  let entries: Entry[] = [];
  let stored: GapSummary = { count: 0, open: [], last: null };
  let added = 0;
  let newest: Entry | null = null;
  let saving: Promise<void> | null = null;
  let retry: Timer | null = null;
  const backoff = createBackoff(deps.backoffMs);

  function changed(): void {
    if (retry === null) void save();
  }

  function save(): Promise<void> {
    saving ??= saveAll().finally(() => {
      saving = null;
    });
    return saving;
  }

  async function saveAll(): Promise<void> {
    for (let entry = nextDirty(); entry !== null; entry = nextDirty()) {
      entry.dirty = false;
      try {
        const { id, kind, fromMs, toMs, estimatedLost } = entry;
        entry.id = (await deps.store.saveGap({ id, kind, fromMs, toMs, estimatedLost })).id;
        backoff.reset();
      } catch {
        entry.dirty = true;
        retry ??= setTimeout(() => {
          retry = null;
          void save();
        }, backoff.next());
        return;
      }
    }
    const lastOfKind = new Map(entries.map((entry) => [entry.kind, entry]));
    entries = entries.filter((entry) => entry.dirty || entry.toMs === null || lastOfKind.get(entry.kind) === entry);
  }

  function nextDirty(): Entry | null {
    return entries.find((entry) => entry.dirty) ?? null;
  }

  function openEntry(kind: GapKind): Entry | null {
    return entries.find((entry) => entry.kind === kind && entry.toMs === null) ?? null;
  }

  function add(kind: GapKind, fromMs: number, toMs: number | null, estimatedLost: number | null): void {
    const entry: Entry = { id: null, kind, fromMs, toMs, estimatedLost, dirty: true };
    entries.push(entry);
    newest = entry;
    added += 1;
    changed();
  }

  return {
    record(kind, fromMs, toMs, estimatedLost = null) {
      if (toMs <= fromMs) return;
      const last = entries.findLast((entry) => entry.kind === kind);
      if (last !== undefined && last.toMs !== null && last.fromMs <= fromMs && fromMs <= last.toMs) {
        last.toMs = Math.max(last.toMs, toMs);
        last.estimatedLost =
          last.estimatedLost === null || estimatedLost === null ? null : last.estimatedLost + estimatedLost;
        last.dirty = true;
        changed();
        return;
      }
      deps.logger.warn(`events may have been lost (${kind}): from ${iso(fromMs)} to ${iso(toMs)}`);
      add(kind, fromMs, toMs, estimatedLost);
    },
    open(kind, fromMs) {
      if (openEntry(kind) !== null) return;
      deps.logger.warn(`events may be lost (${kind}) since ${iso(fromMs)}`);
      add(kind, fromMs, null, null);
    },
    close(kind, toMs, estimatedLost = null) {
      const entry = openEntry(kind);
      if (entry === null) return;
      entry.toMs = Math.max(toMs, entry.fromMs);
      entry.estimatedLost = estimatedLost;
      entry.dirty = true;
      deps.logger.info(`gap closed (${kind}): from ${iso(entry.fromMs)} to ${iso(entry.toMs)}`);
      changed();
    },
    openSince: (kind) => openEntry(kind)?.fromMs ?? null,
    adopt(open) {
      for (const gap of open) {
        if (entries.some((entry) => entry.id === gap.id)) continue;
        entries.push({ ...gap, dirty: false });
      }
    },
    unsavedSince() {
      const unsaved = entries.filter((entry) => entry.dirty || entry.id === null).map((entry) => entry.fromMs);
      return unsaved.length === 0 ? null : Math.min(...unsaved);
    },
    summary() {
      const open = new Set(entries.filter((entry) => entry.toMs === null).map((entry) => entry.kind));
      return {
        count: Math.min(stored.count + added, MAX_GAPS),
        open: [...open].sort(),
        last: newest ?? entries.find((entry) => entry.id === stored.last?.id) ?? stored.last,
      };
    },
    async reload() {
      const before = added;
      stored = await deps.store.gapSummary();
      // Gaps that were added before are in the answer, unless they are unwritten.
      added = entries.filter((entry) => entry.id === null).length + (added - before);
      newest = entries.findLast((entry) => entry.id === null) ?? null;
    },
    async flush() {
      if (retry !== null) clearTimeout(retry);
      retry = null;
      await save();
      if (retry !== null) clearTimeout(retry);
      retry = null;
      return nextDirty() === null;
    },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
