import { createWorkerClient } from '../../sqlite/worker/client.ts';
import { workerEntry } from '../../sqlite/worker/entry.ts';
import type { CheckpointerOperations } from '../../workers/checkpointer.ts';
import { DATABASE_WORKERS } from '../../workers/entries.ts';
import { SEGMENT_ROWS } from '../columns.ts';

/** Encodes the tail of a database as the server does, and prints the most additional memory that it needed. */
const worker = createWorkerClient<CheckpointerOperations>({
  name: 'checkpointer',
  entry: workerEntry(DATABASE_WORKERS.checkpointer),
  init: { path: process.argv[2] ?? '' },
});
// Once in advance: compiled code stays in memory.
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
