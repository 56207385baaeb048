import type { InspectionJournal } from './ports.ts';
import type { LogLine } from './queries/write-logs.ts';
import type { InspectionWrites } from './store.ts';

export interface JournalDeps {
  readonly runId: string;
  readonly writer: InspectionWrites;
  readonly now: () => number;
}

/** The log of a run that is written behind it, a batch of lines at a time. */
export interface RunJournal extends InspectionJournal {
  /** Takes no more lines, and waits a moment for those it has. */
  close(): Promise<void>;
}

/** Lines that wait at most: a writer that is busy for so long loses the rest, the work goes on. */
const MAX_WAITING = 2_000;
const MAX_BATCH = 200;
const CLOSE_MS = 750;

export function createJournal({ runId, writer, now }: JournalDeps): RunJournal {
  const waiting: LogLine[] = [];
  let closed = false;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting.splice(0, MAX_BATCH);
      // What cannot be written is lost: the log must not hold up the run.
      await writer.run('addInspectionLogs', { runId, lines }).catch(() => {});
    }
    writing = null;
  }

  return {
    log(level, message, detail) {
      if (closed || waiting.length >= MAX_WAITING) return;
      waiting.push({ level, message, detail: detail ?? null, createdAtMs: now() });
      // One turn later, so that lines which come together are written together.
      writing ??= Promise.resolve().then(write);
    },
    async close() {
      closed = true;
      if (writing !== null) await Promise.race([writing, Bun.sleep(CLOSE_MS)]);
    },
  };
}
