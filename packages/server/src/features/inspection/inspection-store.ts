import type { InspectionStore } from './ports.ts';
import type { InspectionReads, InspectionWrites } from './store.ts';

export interface InspectionStoreDeps {
  readonly reader: InspectionReads;
  readonly writer: InspectionWrites;
  readonly now: () => number;
}

const RESULT_WRITE_MS = 2_000;

export function createInspectionStore({ reader, writer, now }: InspectionStoreDeps): InspectionStore {
  return {
    writeProgress: (runKey, counts) => writer.run('writeInspectionProgress', { runKey, ...counts, nowMs: now() }),
    saveResults: (runKey, results) =>
      // Waits for a started write: the caller must learn its result.
      writer.run(
        'saveInspectionResults',
        { runKey, results, nowMs: now() },
        { signal: AbortSignal.timeout(RESULT_WRITE_MS) },
      ),
    async accountTurns() {
      const turns = await reader.run('inspectionAccountTurns', null);
      return new Map(turns.map(({ accountKey, inspectedAtMs }) => [accountKey, inspectedAtMs]));
    },
  };
}
