import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openDatabase } from '../../sqlite/open.ts';
import { collectorReads, collectorWrites, type Heartbeat } from './store.ts';
import { type Files, temporaryFiles } from './testing.ts';

let files: Files;
let db: Database;
beforeEach(() => {
  files = temporaryFiles();
  db = openDatabase(files.databasePath);
});
afterEach(() => {
  db.close();
  files.remove();
});

const context = () => ({ db, now: () => 0 });
const heartbeat = (changes: Partial<Heartbeat> = {}): Heartbeat => ({
  timeMs: 100_000,
  uncommittedSinceMs: 99_000,
  heardUntilMs: null,
  retentionMs: 60_000,
  upstream: 'http://gateway:8317',
  clean: false,
  starvedReason: null,
  ...changes,
});
const begin = (seenAliveAtMs: number | null = null) =>
  collectorWrites.beginCollecting(context(), { heartbeat: heartbeat({ timeMs: 200_000 }), seenAliveAtMs });
const gaps = () => collectorReads.gapsInRange({ db }, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER });

test('the first start records no gap', () => {
  expect(begin()).toEqual({ previous: null, uncleanUntilMs: null, open: [] });
  expect(gaps()).toEqual([]);
});

test('without a clean mark, the time from the oldest uncommitted record to 5 s after the heartbeat is a gap', () => {
  collectorWrites.writeHeartbeat(context(), heartbeat({ uncommittedSinceMs: 97_500 }));
  expect(begin()).toMatchObject({ previous: heartbeat({ uncommittedSinceMs: 97_500 }), uncleanUntilMs: 105_000 });
  expect(gaps()).toMatchObject([{ fromMs: 97_500, toMs: 105_000, kind: 'unclean_stop', estimatedLost: null }]);
  // The heartbeat of the new start is unclean again.
  begin();
  expect(gaps()).toHaveLength(2);
});

test('a later sign of life extends it', () => {
  collectorWrites.writeHeartbeat(context(), heartbeat());
  expect(begin(140_000).uncleanUntilMs).toBe(145_000);
});

test('a clean mark records no gap', () => {
  collectorWrites.writeHeartbeat(context(), heartbeat({ clean: true }));
  expect(begin(140_000).uncleanUntilMs).toBeNull();
  expect(gaps()).toEqual([]);
});

test('an unreadable heartbeat is ignored', () => {
  db.run("INSERT INTO settings (key, value, updated_at_ms) VALUES ('collector_heartbeat', '{', 0)");
  expect(begin().previous).toBeNull();
});

test('open gaps are passed to the next start, and changed in place', () => {
  const { id } = collectorWrites.saveGap(context(), {
    id: null,
    fromMs: 1,
    toMs: null,
    kind: 'away',
    estimatedLost: null,
  });
  expect(begin().open).toEqual([{ id, fromMs: 1, toMs: null, kind: 'away', estimatedLost: null }]);
  collectorWrites.saveGap(context(), { id, fromMs: 1, toMs: 9, kind: 'away', estimatedLost: 4 });
  expect(gaps()).toEqual([{ id, fromMs: 1, toMs: 9, kind: 'away', estimatedLost: 4 }]);
  expect(collectorReads.gapSummary({ db })).toEqual({
    count: 1,
    open: [],
    last: { id, fromMs: 1, toMs: 9, kind: 'away', estimatedLost: 4 },
  });
});

test('a range shows the gaps that overlap it, including open ones', () => {
  const save = (fromMs: number, toMs: number | null) =>
    collectorWrites.saveGap(context(), { id: null, fromMs, toMs, kind: 'dropped', estimatedLost: null });
  save(10, 20);
  save(20, 30);
  save(5, null);
  const range = (fromMs: number, toMs: number) =>
    collectorReads.gapsInRange({ db }, { fromMs, toMs }).map((gap) => gap.fromMs);
  expect(range(20, 40)).toEqual([5, 20]);
  expect(range(0, 10)).toEqual([5]);
  expect(range(0, 11)).toEqual([5, 10]);
});

test('the newest 10,000 are kept', () => {
  db.run(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO collection_gaps (from_ms, to_ms, kind) SELECT i, i + 1, 'dropped' FROM n`);
  collectorWrites.saveGap(context(), { id: null, fromMs: 1e6, toMs: 2e6, kind: 'away', estimatedLost: null });
  expect(collectorReads.gapSummary({ db }).count).toBe(10_000);
  expect(gaps()[0]?.fromMs).toBe(2);
});
