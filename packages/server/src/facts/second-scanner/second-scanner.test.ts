import { afterEach, expect, test } from 'bun:test';
import { decodeDetail } from '../../events/detail/detail-codec.ts';
import { createWordReader } from '../../events/detail/words.ts';
import { createPriceReader } from '../../features/prices/price-book.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { workerEntry } from '../../sqlite/worker/entry.ts';
import { DATABASE_WORKERS } from '../../workers/entries.ts';
import { ANALYTICS_OPERATIONS } from '../../workers/operations/analytics.ts';
import { createFactReader } from '../reader.ts';
import { sealTail } from '../seal.ts';
import { createTestDatabase, testEvent } from '../testing/test-database.ts';
import type { ScanSharing } from './scan-share.ts';
import { createSecondScanner, type SecondScannerOptions } from './second-scanner.ts';

const SEGMENTS = 70;
const SEGMENT_ROWS = 40;
const FIRST_MS = Date.UTC(2026, 2, 1);

const dispose: (() => void)[] = [];
afterEach(() => {
  for (const close of dispose.splice(0).reverse()) close();
});

function store(options: Partial<SecondScannerOptions> = {}) {
  const database = createTestDatabase();
  database.insert(
    Array.from({ length: SEGMENTS * SEGMENT_ROWS }, (_, index) =>
      testEvent(index + 1, {
        timestamp_ms: FIRST_MS + index * 60_000,
        requested_model: `model ${index % 5}`,
        auth_index: String(index % 7),
        api_key_hash: index % 3 === 0 ? '' : `key ${index % 4}`,
        output_tokens: index,
        total_tokens: index,
        latency_ms: (index * 37) % 1_000,
        failed: index % 6 === 0,
      }),
    ),
  );
  while (sealTail({ db: database.db, now: () => 0 }, SEGMENT_ROWS)) {
    // The next segment.
  }
  const db = openDatabase(database.path, { readonly: true });
  const second = createSecondScanner({
    entry: workerEntry(DATABASE_WORKERS.secondScanner),
    init: { databasePath: database.path, columnBytes: 2 ** 20 },
    cores: 2,
    ...options,
  });
  dispose.push(database.dispose, () => db.close(), second.close);
  const words = createWordReader(db);
  /** Segments that the second thread took of the last question; null = it failed. */
  const taken: (number | null)[] = [];
  const sharing: ScanSharing = {
    least: second.least,
    begin(task) {
      const scan = second.begin(task);
      if (scan === null) return null;
      let own = 0;
      return {
        ...scan,
        takeNext: () => {
          const isOwn = scan.takeNext();
          if (isOwn) own += 1;
          return isOwn;
        },
        finish: () => {
          const packed = scan.finish();
          taken.push(packed === null ? null : task.segments.length - own);
          return packed;
        },
      };
    },
  };
  const ask = (minLatencyMs: number, isShared: boolean) => {
    const context = {
      // Nothing is known from before.
      facts: createFactReader(db, isShared ? { sharing } : {}),
      prices: createPriceReader(db),
      now: () => 0,
      checkStopped: () => {},
      decode: (detail: Uint8Array) => decodeDetail(detail, words),
    };
    const include = {
      ...{ summary: true, summary_percentiles: true, timeline: true, granularity: 'hour', model_stats: true },
      ...{ account_stats: true, api_key_stats: true, filter_options: true, recent_failures: 5 },
    };
    const range = { from_ms: FIRST_MS, to_ms: FIRST_MS + 90 * 86_400_000, time_zone: 'Asia/Kolkata' };
    const args = { body: JSON.stringify({ ...range, filters: { min_latency_ms: minLatencyMs }, include }) };
    second.asked({ operation: 'analytics', args });
    return Buffer.concat(ANALYTICS_OPERATIONS.analytics(context, args).value.pieces).toString();
  };
  return { ask, taken };
}

test('a second thread takes a part of a long scan, and the answer is the same', async () => {
  const { ask, taken } = store();
  for (let question = 1; !taken.some((segments) => (segments ?? 0) > 0); question++) {
    expect(ask(question, true)).toBe(ask(question, false));
    // It is still starting.
    await Bun.sleep(20);
  }
}, 60_000);

const hanging = `
  self.onmessage = () => {
    self.onmessage = ({ data }) => {
      const places = new Int32Array(data.memory);
      Atomics.sub(places, 0, 1);
    };
  };`;

const threadOf = (code: string) => URL.createObjectURL(new Blob([code], { type: 'application/javascript' }));

test('a second thread that hangs after it took a segment costs no answer', async () => {
  const { ask, taken } = store({ entry: threadOf(hanging), patienceMs: 50 });
  for (let question = 1; taken.length === 0; question++) {
    expect(ask(question, true)).toBe(ask(question, false));
    await Bun.sleep(10);
  }
  // Each of the scans of one question may have met it.
  expect(taken.every((segments) => segments === null)).toBe(true);
}, 60_000);

test('a second thread that fails costs no answer', async () => {
  const { ask, taken } = store({ entry: threadOf(`throw new Error('out of order')`), patienceMs: 50 });
  for (let question = 1; question <= 20; question++) {
    expect(ask(question, true)).toBe(ask(question, false));
    await Bun.sleep(10);
  }
  expect(taken).toEqual([]);
});

test('with one processor there is none', () => {
  const { ask, taken } = store({ cores: 1 });
  expect(ask(1, true)).toBe(ask(1, false));
  expect(taken).toEqual([]);
});
