import { Database } from 'bun:sqlite';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { workFolder } from './paths.ts';
import { liveEvents } from './publishing.ts';
import { median } from './statistics.ts';

/** The machine's current speed without the product, for comparing results of other machines or times. */
export interface Calibration {
  /** Parsing one event with the runtime's JSON parser, one thread. */
  readonly parseEventUs: number;
  /** Inserting one row of 200 bytes into an in-memory table, one thread. */
  readonly insertRowUs: number;
  /** Writing and syncing half a megabyte, about one batch. */
  readonly syncMs: number;
}

const EVENTS = 2_000;
const ROUNDS = 9;
const ROW_BYTES = 200;
const SYNC_BYTES = 512 * 1024;

export function calibrate(): Calibration {
  const texts = liveEvents()
    .take(EVENTS)
    .map(({ text }) => text);
  const db = new Database(':memory:');
  db.run('CREATE TABLE rows (id INTEGER PRIMARY KEY, data BLOB)');
  const insert = db.query('INSERT INTO rows (data) VALUES (?)');
  const row = new Uint8Array(ROW_BYTES);
  const insertAll = db.transaction(() => {
    for (let index = 0; index < EVENTS; index++) insert.run(row);
  });
  const perEventUs = (work: () => void) => (median(times(work)) * 1000) / EVENTS;
  const result = {
    parseEventUs: perEventUs(() => {
      for (const text of texts) JSON.parse(text);
    }),
    insertRowUs: perEventUs(insertAll),
    syncMs: syncTime(),
  };
  db.close();
  return result;
}

function syncTime(): number {
  const folder = workFolder();
  const file = openSync(join(folder, 'sync'), 'w');
  const data = new Uint8Array(SYNC_BYTES);
  const taken = times(() => {
    writeSync(file, data);
    fsyncSync(file);
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return median(taken);
}

function times(work: () => void): number[] {
  work();
  return Array.from({ length: ROUNDS }, () => {
    const startedMs = performance.now();
    work();
    return performance.now() - startedMs;
  });
}
