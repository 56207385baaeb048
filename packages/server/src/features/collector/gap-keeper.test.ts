import { expect, test } from 'bun:test';
import { createWorkerClient } from '../../sqlite/worker/client.ts';
import { workerEntry } from '../../sqlite/worker/entry.ts';
import { DATABASE_WORKERS } from '../../workers/entries.ts';
import { createGapKeeper } from './gap-keeper.ts';
import { createCollectorStore } from './ports.ts';
import { storedGaps, temporaryFiles } from './testing.ts';

test('a gap that begins where the last of its kind ended extends it, with the events of both', async () => {
  const files = temporaryFiles();
  const open = (name: 'writer' | 'reader') =>
    createWorkerClient<never>({
      name,
      entry: workerEntry(DATABASE_WORKERS[name]),
      init: { path: files.databasePath, ...(name === 'writer' ? { hourlyRollup: true } : {}) },
    });
  const writer = open('writer');
  const reader = open('reader');
  try {
    const logger = { info() {}, warn() {}, error() {} };
    const gaps = createGapKeeper({ store: createCollectorStore(writer, reader), logger, backoffMs: [1] });
    gaps.record('starved', 1_000, 2_000, 30);
    gaps.record('starved', 2_000, 3_000, 12);
    gaps.record('starved', 5_000, 6_000, 7);
    expect(await gaps.flush()).toBe(true);
    expect(
      storedGaps(files, 'starved').map(({ from_ms, to_ms, estimated_lost }) => [from_ms, to_ms, estimated_lost]),
    ).toEqual([
      [1_000, 3_000, 42],
      [5_000, 6_000, 7],
    ]);
  } finally {
    await Promise.all([writer.close(), reader.close()]);
    files.remove();
  }
});
