import type { InspectionJournal } from './ports.ts';
import type { LogLine } from './queries/write-logs.ts';
import type { InspectionWrites } from './store.ts';

export interface JournalDeps {
  readonly runKey: string;
  readonly writer: InspectionWrites;
  readonly now: () => number;
}

/** The log of a run, written in the background in batches of lines. */
export interface RunJournal extends InspectionJournal {
  /** Accepts no more lines, and waits briefly for the pending ones. */
  close(): Promise<void>;
}

/** Most waiting lines: while the writer is busy longer, more lines are lost, and the work continues. */
const MAX_WAITING = 2_000;
const MAX_BATCH = 200;
const CLOSE_MS = 750;

export function createJournal({ runKey, writer, now }: JournalDeps): RunJournal {
  const waiting: LogLine[] = [];
  let closed = false;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting.splice(0, MAX_BATCH);
      // Lines that cannot be written are lost: the log must not delay the run.
      await writer.run('addInspectionLogs', { runKey, lines }).catch(() => {});
    }
    writing = null;
  }

  return {
    log(level, message, detail) {
      if (closed || waiting.length >= MAX_WAITING) return;
      waiting.push({ level, message, detail: detail ?? null, createdAtMs: now() });
      // One turn later, so that lines from the same turn are written together.
      writing ??= Promise.resolve().then(write);
    },
    async close() {
      closed = true;
      if (writing !== null) await Promise.race([writing, Bun.sleep(CLOSE_MS)]);
    },
  };
}
