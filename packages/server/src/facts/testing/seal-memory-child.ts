import { createWorkerClient } from '../../sqlite/worker/client.ts';
import { workerEntry } from '../../sqlite/worker/entry.ts';
import type { CheckpointerOperations } from '../../workers/checkpointer.ts';
import { DATABASE_WORKERS } from '../../workers/entries.ts';
import { SEGMENT_ROWS } from '../columns.ts';

/** Encodes the tail of the database it is given, as the server does, and says how much more memory that took at most. */
const worker = createWorkerClient<CheckpointerOperations>({
  name: 'checkpointer',
  entry: workerEntry(DATABASE_WORKERS.checkpointer),
  init: { path: process.argv[2] ?? '' },
});
// Once before: what is compiled stays.
await worker.run('encodeTail', SEGMENT_ROWS);
Bun.gc(true);
await Bun.sleep(200);
const beforeBytes = process.memoryUsage.rss();
let mostBytes = beforeBytes;
const timer = setInterval(() => {
  mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
}, 5);
const sealed = await worker.run('encodeTail', SEGMENT_ROWS);
clearInterval(timer);
await worker.close();
console.log(JSON.stringify({ rows: sealed?.rowCount ?? 0, grownBytes: mostBytes - beforeBytes }));
