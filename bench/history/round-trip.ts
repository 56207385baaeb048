import { join } from 'node:path';
import { emptyDataFolder, type WorkingCopy } from '../dataset/database.ts';
import { type Figure, quantile } from '../lib/figures.ts';
import { savePrices } from '../panel/prices.ts';
import { withManager } from '../panel/site.ts';
import { type RecordedAnswers, requireSameAnswers } from './answers.ts';
import { afterImport } from './comparisons.ts';
import { fileBytes, phase, requireSound, resourceFigures } from './phases.ts';
import { exportInto, importBySession, requireImported, requireSameFiles } from './transfer.ts';

export interface RoundTripOptions {
  readonly source: WorkingCopy;
  /** What the source says. */
  readonly answers: RecordedAnswers;
  readonly events: number;
  readonly folder: string;
  progress(text: string): void;
}

export interface RoundTrip {
  readonly figures: readonly Figure[];
  /** The export of the source. */
  readonly exportPath: string;
}

/** Export, import into a fresh database, second export, and every answer of that database. */
export async function measureRoundTrip(options: RoundTripOptions): Promise<RoundTrip> {
  const { source, answers, events, folder, progress } = options;
  progress('export');
  const exportPath = join(folder, 'first.jsonl');
  const exported = await phase(source, (manager) => exportInto(manager, exportPath));
  const { lines, bytes, seconds } = exported.result;
  if (lines !== events) throw new Error(`the export has ${lines} lines, the database ${events} events`);

  const target = emptyDataFolder();
  try {
    progress(`import of ${(bytes / 1e6).toFixed(0)} MB`);
    const imported = await phase(target, (manager) => importBySession(manager, exportPath));
    const { result, uploadSeconds, processingSeconds } = imported.result;
    requireImported('the import into the fresh database', result, events, 0);
    const targetBytes = fileBytes(target);

    progress('second export');
    const secondPath = join(folder, 'second.jsonl');
    const second = await phase(target, (manager) => exportInto(manager, secondPath));
    requireSameFiles('the second export', secondPath, exportPath);

    progress('answers of the fresh database');
    const compared = await withManager(target, {}, async (manager) => {
      await savePrices(manager);
      return requireSameAnswers('after export and import', manager, answers, afterImport());
    });
    await requireSound(target);
    return {
      exportPath,
      figures: [
        { name: 'export into a file', value: events / seconds, unit: 'events/s', bar: { atLeast: 60_000 } },
        ...resourceFigures('export', exported, events),
        {
          name: 'import of that file, upload included',
          value: events / (uploadSeconds + processingSeconds),
          unit: 'events/s',
          bar: { atLeast: 8_000 },
          note: `${bytes.toLocaleString('en')} bytes, ${(bytes / events).toFixed(0)} B/event`,
        },
        { name: 'its processing alone', value: events / processingSeconds, unit: 'events/s' },
        { name: 'its upload', value: bytes / 1e6 / uploadSeconds, unit: 'MB/s' },
        ...resourceFigures('import', imported, events),
        { name: 'import, /health p99', value: quantile(imported.healthMs, 0.99), unit: 'ms', bar: { atMost: 50 } },
        {
          name: 'the imported database',
          value: targetBytes / events,
          unit: 'B/event',
          note: 'exports leave out original items and failure bodies',
        },
        {
          name: 'second export, the same bytes',
          value: second.result.lines,
          unit: 'lines',
          note: `${(second.result.lines / second.result.seconds).toFixed(0)} events/s`,
        },
        ...resourceFigures('second export', second, events),
        { name: 'answers equal to those of the source', value: compared, unit: '' },
      ],
    };
  } finally {
    target.remove();
  }
}
