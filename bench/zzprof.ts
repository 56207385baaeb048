import { createEventWriter } from '../packages/server/src/db/ingest/event-writer.ts';
import { createIngester } from '../packages/server/src/db/ingest/ingest.ts';
import { openMigrated } from '../packages/server/src/db/migrate.ts';
import { accountSnapshots, benchAccounts, historyEvents } from './dataset/events.ts';

const db = openMigrated('/tmp/prof/p.sqlite', { now: Date.now, cacheBytes: 64 << 20 });
const ing = createIngester(db, createEventWriter(db, { hourlyCore: true }), Date.now);
const src = historyEvents(60000, 5);
const batches = [];
for (let b = 0; b < 120; b++) {
  const r = [];
  for (let i = 0; i < 500; i++) {
    const { text } = src.events.next().value;
    r.push({ text, receivedAtMs: src.nowMs() });
  }
  batches.push(r);
}
const snapshots = accountSnapshots(benchAccounts(), Date.now());
let t = performance.now(),
  c = process.cpuUsage();
for (let b = 0; b < 120; b++) {
  ing.ingest({ records: batches[b], snapshots });
  if (b % 20 === 19) {
    const n = performance.now(),
      u = process.cpuUsage(c);
    console.log('wall µs/ev', ((n - t) / 10).toFixed(0), 'cpu', ((u.user + u.system) / 10000).toFixed(0));
    t = n;
    c = process.cpuUsage();
  }
}
