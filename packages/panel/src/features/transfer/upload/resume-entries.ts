import type { UploadSource } from './source.ts';

/** Finds the session of a file again. Contains nothing of the file's content. */
interface ResumeEntry {
  /** 32 lower-case hex digits, random. */
  readonly resumeKey: string;
  /** Null until the server has named it: its answer may have been lost. */
  readonly sessionId: string | null;
  readonly expiresAtMs: number;
}

interface StoredEntry extends ResumeEntry {
  readonly base: string;
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
}

/** A JSON value that outlives the tab and is shared within the origin. */
interface EntryStorage {
  readonly read: () => unknown;
  readonly write: (value: unknown) => void;
}

export interface ResumeEntries {
  readonly find: (source: UploadSource) => ResumeEntry | null;
  readonly save: (source: UploadSource, entry: ResumeEntry) => void;
  readonly drop: (source: UploadSource) => void;
  readonly dropSession: (sessionId: string) => void;
}

export interface ResumeEntriesOptions {
  readonly storage: EntryStorage;
  /** Address of the server the session belongs to. */
  readonly base: string;
  /** Server time, ms. */
  readonly now: () => number;
}

const LAYOUT = 1;
/** Maximum kept; the oldest are dropped. */
const MAX_ENTRIES = 20;
const HEX_32 = /^[0-9a-f]{32}$/;

export function createResumeEntries({ storage, base, now }: ResumeEntriesOptions): ResumeEntries {
  /** Read again each time: another tab may have written. */
  function load(): readonly StoredEntry[] {
    const stored = storage.read();
    if (!isRecord(stored) || stored.layout !== LAYOUT || !Array.isArray(stored.entries)) return [];
    return stored.entries.filter((entry: unknown) => isEntry(entry)).filter(({ expiresAtMs }) => expiresAtMs > now());
  }

  function store(entries: readonly StoredEntry[]): void {
    storage.write({ layout: LAYOUT, entries: entries.slice(-MAX_ENTRIES) });
  }

  const isOf =
    ({ name, size, lastModified }: UploadSource) =>
    (entry: StoredEntry) =>
      entry.base === base && entry.name === name && entry.size === size && entry.lastModified === lastModified;

  return {
    find: (source) => load().find(isOf(source)) ?? null,
    save: (source, { resumeKey, sessionId, expiresAtMs }) => {
      const { name, size, lastModified } = source;
      const others = load().filter((entry) => !isOf(source)(entry));
      store([...others, { base, name, size, lastModified, resumeKey, sessionId, expiresAtMs }]);
    },
    drop: (source) => store(load().filter((entry) => !isOf(source)(entry))),
    dropSession: (sessionId) => store(load().filter((entry) => entry.base !== base || entry.sessionId !== sessionId)),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isEntry(value: unknown): value is StoredEntry {
  if (!isRecord(value)) return false;
  const { base, name, size, lastModified, resumeKey, sessionId, expiresAtMs } = value;
  return (
    [base, name].every((text) => typeof text === 'string') &&
    [size, lastModified, expiresAtMs].every((number) => Number.isFinite(number)) &&
    [resumeKey, sessionId ?? resumeKey].every((id) => typeof id === 'string' && HEX_32.test(id))
  );
}
