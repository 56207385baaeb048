import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { collectedBatches } from '../../schema/0005-collected-batches.ts';
import { addCollectedBatch, oldestCollectedRange, takeCollected } from './collected-batches.ts';

function open(): Database {
  const db = new Database(':memory:');
  db.run(collectedBatches.sql);
  return db;
}

test('consecutive batches are one range, other ids end it', () => {
  const db = open();
  addCollectedBatch(db, [1, 2]);
  addCollectedBatch(db, []);
  addCollectedBatch(db, [3]);
  addCollectedBatch(db, [10, 11]);
  expect(db.query('SELECT * FROM collected_batches').all()).toEqual([
    { first_event_id: 1, last_event_id: 3 },
    { first_event_id: 10, last_event_id: 11 },
  ]);
});

test('events are removed once, from the front, while more arrive at the end', () => {
  const db = open();
  addCollectedBatch(db, [1, 2, 3]);
  expect(takeCollected(db, { firstEventId: 1, lastEventId: 2 })).toBe(true);
  expect(takeCollected(db, { firstEventId: 1, lastEventId: 2 })).toBe(false);
  addCollectedBatch(db, [4]);
  expect(oldestCollectedRange(db)).toEqual({ firstEventId: 3, lastEventId: 4 });
  expect(takeCollected(db, { firstEventId: 3, lastEventId: 4 })).toBe(true);
  expect(oldestCollectedRange(db)).toBeNull();
  expect(takeCollected(db, { firstEventId: 3, lastEventId: 4 })).toBe(false);
});
