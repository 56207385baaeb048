import { codeOf } from '../../sqlite/worker/errors.ts';
import { openStore, prepareStore } from '../../workers/store.ts';
import { sampleRecords } from './sample-records.ts';

/**
 * A process that ingests without end and prints one line per batch: `committed <events so far>` or the code of the
 * error, after which the same batch is retried. Tests kill it or fill its disk, and let it seal small segments.
 */
const [path = '', tempDirectory = '', batchSize = '200', limit = '0', segmentRows = '65536'] = process.argv.slice(2);

prepareStore(path, { now: Date.now, tempDirectory });
const store = openStore({
  path,
  hourlyRollup: true,
  now: Date.now,
  log: { info: () => {}, error: (text) => console.error(text) },
  segmentRows: Number(segmentRows),
});
const counts = await store.reader.run('storedCounts', null);
// A restarted process continues with other events.
const next = sampleRecords({ seed: counts.events + 1, startMs: Date.UTC(2026, 8, 1) + counts.events * 250 });
let total = counts.events;
while (limit === '0' || total < Number(limit)) {
  const records = Array.from({ length: Number(batchSize) }, () => ({ text: next(), receivedAtMs: Date.now() }));
  for (let stored = false; !stored; ) {
    try {
      const result = await store.writer.run('ingest', { records });
      total += result.inserted;
      stored = true;
      console.log(`committed ${total}`);
    } catch (error) {
      console.log(codeOf(error));
      await Bun.sleep(20);
    }
  }
}
await store.close();
console.log('closed');
