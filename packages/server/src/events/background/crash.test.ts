import { afterEach, expect, test } from 'bun:test';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import {
  openContext,
  storedEvents,
  withoutMetadata,
  writeOlderDatabase,
  wronglyAccounted,
} from './testing/older-database.ts';

let folder: TestFolder | null = null;
afterEach(() => folder?.dispose());

const STATEMENTS = [
  ['the commit of a step', 'commit'],
  ['its checkpoint', 'UPDATE ON usage_data_migrations'],
  ['its first raw row', 'UPDATE ON usage_events'],
  ['the end of the old segment', 'DELETE ON fact_segments'],
  ['its difference in the hourly rollup', 'UPDATE ON hourly_core'],
] as const;

test.each(STATEMENTS)(
  'killed in or behind every step, each time at %s: what counts agrees, and the end is right',
  async (_, statement) => {
    folder = createTestFolder();
    const path = folder.path('usage.sqlite');
    const right = writeOlderDatabase(path, {
      events: 1_100,
      segments: [500],
      older: (event, index) => withoutMetadata(wronglyAccounted(event, index), index),
    });
    let kills = 0;
    for (let isDone = false; !isDone; ) {
      const life = Bun.spawnSync(
        [process.execPath, `${import.meta.dir}/crash-child.ts`, path, '1', statement, String(1_000 + kills)],
        { stdout: 'pipe', stderr: 'inherit' },
      );
      isDone = life.stdout.toString().includes('completed');
      if (!isDone) {
        expect(life.signalCode).toBe('SIGKILL');
        kills += 1;
        expect(kills).toBeLessThan(40);
      }
      expect(violations(path)).toEqual([]);
    }
    expect(kills).toBeGreaterThan(statement === 'commit' || statement.endsWith('migrations') ? 6 : 0);
    const { db } = openContext(path);
    const stored = storedEvents(db);
    // Each process first ingested some events.
    expect(stored.size).toBe(right.size + (kills + 1) * 7);
    const wrong = [...right].filter(([id, event]) => {
      const found = stored.get(id);
      const isMarked = event.response_metadata_json === '' && found?.response_metadata_json === '{}';
      return !Bun.deepEquals(found, isMarked ? { ...event, response_metadata_json: '{}' } : event);
    });
    expect(wrong.map(([id]) => id)).toEqual([]);
    db.close();
  },
  180_000,
);

function violations(path: string): readonly string[] {
  const db = openDatabase(path, { readonly: true });
  try {
    return checkInvariants(db);
  } finally {
    db.close();
  }
}
