import { describe, expect, test } from 'bun:test';
import { makeMaintenance } from '../testing/make-maintenance.ts';
import { bytesOfEvent, compactionRoom, freedBytes, offlineSteps, storageParts } from './storage-view.ts';

const per = { raw: 240, facts: 73, ledger: 54, other: 4, estimated: false };
const { storage } = makeMaintenance();
const measured = {
  ...storage,
  page_count: 250,
  page_size: 4_000,
  database_bytes: 100_000,
  reclaimable_bytes: 40_000,
  bytes_per_event: per,
};

describe('the parts of the database', () => {
  test('count raw rows by those that are left, all else by every event there ever was', () => {
    const parts = storageParts(
      makeMaintenance({ raw_event_count: 1_000, raw_deleted_event_count: 500, storage: measured }),
    );
    expect(parts.map(({ key, events, bytes }) => [key, events, bytes])).toEqual([
      ['raw', 1_000, 240_000],
      ['facts', 1_500, 109_500],
      ['ledger', 1_500, 81_000],
      ['other', 1_500, 6_000],
      ['free', null, 40_000],
    ]);
    expect(parts[0]?.share).toBe(0.24);
  });

  test('are not made up while nothing is measured', () => {
    expect(storageParts(makeMaintenance())).toEqual([]);
    expect([bytesOfEvent(undefined), freedBytes(undefined, 5)]).toEqual([null, null]);
    expect([bytesOfEvent(per), freedBytes(per, 10)]).toEqual([371, 2_400]);
  });

  test('of an empty file have no share', () => {
    const empty = makeMaintenance({ storage: { ...measured, page_count: 0, database_bytes: 0 } });
    expect(storageParts(empty).every(({ share }) => share === 0)).toBe(true);
  });
});

describe('making it smaller', () => {
  test('takes as much room as the file has once its log is in it', () => {
    expect(compactionRoom(measured)).toEqual({ least: 1_000_000, safe: 2_000_000 });
  });

  test.each([
    ['compact-usage', 'native'],
    ['compact-usage', 'container'],
    ['cleanup-derived', 'native'],
    ['cleanup-derived', 'container'],
  ] as const)('%s on a %s server stops it first and starts it last', (command, environment) => {
    const lines = offlineSteps(command, environment).map((step) => step.command);
    expect(lines[0]).toContain('stop');
    expect(lines[1]).toContain(command);
    expect(lines[2]).toContain('start');
    expect(lines.join(' ')).not.toContain('undefined');
  });
});
