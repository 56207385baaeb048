import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { ViewerRequestRow } from '@manager/core/contract/viewer-links/viewer';
import { propertyRuns } from '@manager/core/testing/property-runs';
import { analyticsModel } from '@manager/core/usage/models';
import fc from 'fast-check';
import { sealTail } from '../../facts/seal.ts';
import {
  createTestDatabase,
  type StoredEvent,
  type TestDatabase,
  testEvent,
} from '../../facts/testing/test-database.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { FROM_MS, members } from '../monitoring/testing/random-events.ts';
import { openViewerAnswers } from './testing.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const C = 'c'.repeat(64);
const EVERYTHING = { summary: true, comparison: true, timeline: true, models: true, keys: true, requests: {} };

let database: TestDatabase;
beforeEach(() => {
  database = createTestDatabase();
});
afterEach(() => database.dispose());

function withAnswers<Result>(look: (answers: ReturnType<typeof openViewerAnswers>) => Result): Result {
  const db = openDatabase(database.path, { readonly: true });
  try {
    return look(openViewerAnswers(db));
  } finally {
    db.close();
  }
}

const sum = (events: readonly StoredEvent[], name: 'total_tokens' | 'output_tokens') =>
  events.reduce((total, event) => total + event[name], 0);

describe('answers for a viewer', () => {
  test('equal a plain recount of the events of its client keys', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(members, fc.constantFrom(A, B, C, '')), { minLength: 1, maxLength: 40 }),
        fc.constantFrom<string[] | null>(null, [A], [B, C]),
        fc.constantFrom<string[]>([], [A], [A, B], [C]),
        fc.constantFrom<'all' | 'failed' | 'succeeded'>('all', 'failed', 'succeeded'),
        fc.integer({ min: 1, max: 9 }),
        (drafts, keys, asked, status, limit) => {
          database.dispose();
          database = createTestDatabase();
          const distinct = [...new Map(drafts.map(([draft, key]) => [draft.event_hash, { draft, key }])).values()];
          const events = distinct.map(({ draft, key }, index) =>
            testEvent(2 + index * 2, { ...draft, api_key_hash: key }),
          );
          database.insert(events.slice(0, 20));
          sealTail({ db: database.db, now: () => 0 }, 10);
          database.insert(events.slice(20));
          const own = events
            .filter(({ timestamp_ms: ms }) => ms >= FROM_MS && ms < FROM_MS + 5)
            .filter(({ api_key_hash: key }) => keys === null || keys.includes(key))
            .filter(({ api_key_hash: key }) => asked.length === 0 || asked.includes(key))
            .filter(({ failed }) => status === 'all' || failed === (status === 'failed'));
          const covered = keys === null || asked.length === 0 || asked.some((key) => keys.includes(key));
          withAnswers(({ ask }) => {
            const request = { from_ms: FROM_MS, to_ms: FROM_MS + 5, api_key_hashes: asked, status };
            if (!covered) {
              expect(() => ask({ keys, request })).toThrow('covers none');
              return;
            }
            const answer = ask({ keys, request: { ...request, include: EVERYTHING } });
            expect(answer.summary).toMatchObject({
              calls: own.length,
              failure_calls: own.filter(({ failed }) => failed).length,
              total_tokens: sum(own, 'total_tokens'),
              output_tokens: sum(own, 'output_tokens'),
            });
            const byKey = Map.groupBy(own, ({ api_key_hash: key }) => key);
            const keyCalls = (answer.keys ?? []).map((row) => [row.api_key_hash, row.calls] as const);
            expect(new Map(keyCalls)).toEqual(new Map([...byKey].map(([key, rows]) => [key, rows.length])));
            const byModel = Map.groupBy(own, analyticsModel);
            const modelCalls = (answer.models ?? []).map((row) => [row.model, row.calls] as const);
            expect(new Map(modelCalls)).toEqual(new Map([...byModel].map(([model, rows]) => [model, rows.length])));
            const inTime = (answer.timeline ?? []).reduce((total, { calls }) => total + calls, 0);
            expect(inTime).toBe(own.length);
            expect(answer.requests?.total_count).toBe(own.length);

            const rows: ViewerRequestRow[] = [];
            for (let cursor: string | null = ''; cursor !== null; ) {
              const page: ReturnType<typeof ask> = ask({
                keys,
                request: { ...request, include: { requests: { limit, cursor } } },
              });
              rows.push(...(page.requests?.items ?? []));
              cursor = page.requests?.next_cursor ?? null;
            }
            const expected = own.toSorted((a, b) => b.timestamp_ms - a.timestamp_ms || b.id - a.id);
            expect(rows.map((row) => [row.timestamp_ms, row.api_key_hash, row.failed])).toEqual(
              expected.map((event) => [event.timestamp_ms, event.api_key_hash, event.failed]),
            );
            expect(new Set(rows.map(({ id }) => id)).size).toBe(own.length);
            // The rows add up to the sums; unpriced ones have no cost.
            const cost = rows.reduce((total, row) => total + (row.cost ?? 0), 0);
            expect(cost).toBeCloseTo(answer.summary?.cost ?? 0, 9);
            expect(rows.filter((row) => row.cost === undefined)).toHaveLength(answer.summary?.unpriced_calls ?? 0);
          });
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  }, 120_000);

  test('name no account, no other client key and nothing that a provider answered', () => {
    database.insert([testEvent(1, marked('own', A)), testEvent(2, marked('foreign', B))]);
    withAnswers(({ ask, askAll }) => {
      const range = { from_ms: FROM_MS - 10, to_ms: FROM_MS + 10 };
      // The markers are where they should be found.
      const operators = JSON.stringify(askAll({ ...range, include: { events_page: {}, api_key_stats: true } }));
      for (const name of ['source', 'account_snapshot', 'fail_summary'])
        expect(operators).toContain(`marker-own-${name}`);
      const shown = JSON.stringify(ask({ keys: [A], request: { ...range, include: EVERYTHING } }));
      expect(shown).toContain('"calls":1');
      expect(shown).toContain('own-model');
      expect(shown).not.toContain('marker-');
      expect(shown).not.toContain('foreign');
      expect(shown).not.toContain(B);
    });
  });

  test('take a hash of a client key in upper case, as links do', () => {
    database.insert([testEvent(1, { timestamp_ms: FROM_MS, api_key_hash: A })]);
    withAnswers(({ ask }) => {
      const request = { from_ms: FROM_MS, to_ms: FROM_MS + 5, include: { summary: true } };
      for (const keys of [[A], null]) {
        const answer = ask({ keys, request: { ...request, api_key_hashes: [A.toUpperCase()] } });
        expect(answer.summary?.calls).toBe(1);
      }
    });
  });

  test('count nothing of others in a comparison', () => {
    const before = Array.from({ length: 3 }, (_, index) =>
      testEvent(10 + index, { timestamp_ms: FROM_MS - 4, api_key_hash: B }),
    );
    database.insert([...before, testEvent(1, { timestamp_ms: FROM_MS, api_key_hash: A })]);
    withAnswers(({ ask }) => {
      const request = { from_ms: FROM_MS, to_ms: FROM_MS + 5, include: EVERYTHING };
      expect(ask({ keys: [A], request }).comparison).toMatchObject({ calls: 0, total_tokens: 0, cost: 0 });
      expect(ask({ keys: [B], request }).comparison).toMatchObject({ calls: 3 });
      expect(ask({ keys: [B], request }).summary?.calls).toBe(0);
    });
  });

  test('page with cursors that only this process can read', () => {
    database.insert([1, 2, 3].map((id) => testEvent(id, { api_key_hash: A })));
    withAnswers(({ ask }) => {
      const page = (cursor: string) =>
        ask({ keys: [A], request: { from_ms: 1, to_ms: FROM_MS * 2, include: { requests: { limit: 1, cursor } } } });
      const next = page('').requests?.next_cursor ?? '';
      expect(next).toHaveLength(22);
      expect(page(next).requests?.items).toHaveLength(1);
      for (const wrong of ['x', 'A'.repeat(22), `${next}AAAA`])
        expect(() => page(wrong)).toThrow('load the list again');
    });
  });
});

/** An event with a marker in every member that is a text, but for what a viewer may see. */
function marked(whose: string, key: string): Partial<StoredEvent> {
  const { id: _, ...event } = testEvent(0);
  const texts = Object.entries(event).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, `marker-${whose}-${name}`] as const] : [],
  );
  return {
    ...Object.fromEntries(texts),
    event_hash: `marker-${whose}-hash`,
    timestamp: '',
    timestamp_ms: FROM_MS,
    api_key_hash: key,
    model: `${whose}-model`,
    requested_model: `${whose}-model`,
    resolved_model: '',
    token_quality: '',
    response_metadata_json: `{"trace":{"id":"marker-${whose}-trace"}}`,
    raw_json: `{"auth_account_id":"marker-${whose}-raw"}`,
    failed: true,
    fail_status_code: 429,
  } as Partial<StoredEvent>;
}
