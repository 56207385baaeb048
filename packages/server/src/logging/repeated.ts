const WINDOW_MS = 60_000;
/** Bounds memory when messages hold changing numbers. */
const MAX_MESSAGES = 256;

type Level = 'info' | 'warn' | 'error';

/** The part of a logger that is used here. */
export type LeveledLog = { readonly [level in Level]: (fields: object, message: string) => void };

export interface RepeatedLog {
  /** Logs at once; the same level and message within a minute are only counted. */
  log(level: Level, fields: object, message: string): void;
  /** Reports what was counted in minutes that are over. To be called now and then, and at the end with `everything`. */
  flush(everything?: boolean): void;
}

interface Repeats {
  readonly level: Level;
  readonly message: string;
  fields: object;
  loggedAtMs: number;
  suppressed: number;
}

/** Collapses an error that comes back again and again into one line a minute with a count. */
export function createRepeatedLog(log: LeveledLog, now: () => number): RepeatedLog {
  const repeats = new Map<string, Repeats>();

  function report(entry: Repeats): void {
    const repeated = entry.suppressed > 0 ? { repeated: entry.suppressed } : {};
    log[entry.level]({ ...entry.fields, ...repeated }, entry.message);
    entry.suppressed = 0;
    entry.loggedAtMs = now();
  }

  function flush(everything = false): void {
    for (const [key, entry] of repeats) {
      // A clock that was set back must not silence a message for longer than a minute.
      if (!everything && Math.abs(now() - entry.loggedAtMs) < WINDOW_MS) continue;
      if (entry.suppressed > 0) report(entry);
      else repeats.delete(key);
    }
  }

  return {
    log(level, fields, message) {
      flush();
      const key = `${level} ${message}`;
      const known = repeats.get(key);
      if (known !== undefined) {
        known.suppressed += 1;
        known.fields = fields;
        return;
      }
      if (repeats.size >= MAX_MESSAGES) flush(true);
      const entry = { level, message, fields, loggedAtMs: now(), suppressed: 0 };
      repeats.set(key, entry);
      report(entry);
    },
    flush,
  };
}
