import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { REQUEST_EXPORT_PATH } from '@manager/core/contract/constants';
import { sealTail } from '../../../facts/seal.ts';
import { type StoredEvent, testEvent } from '../../../facts/testing/test-database.ts';
import { openSite, type Site } from '../testing/site.ts';
import { deleteRawEvents } from '../testing/vector-site.ts';
import { requestExportRoutes } from './routes.ts';

const EVENTS = 2_600;
const SEGMENT_ROWS = 700;

/** Two names with the same mask; times that are neither in the order of ids nor all different. */
function event(id: number): StoredEvent {
  return testEvent(id, {
    event_hash: id.toString(16).padStart(64, '0'),
    timestamp_ms: 1_773_100_800_000 + ((id * 7_919) % 900),
    account_snapshot: id % 2 === 0 ? 'operator.one@example.com' : 'operator.two@example.com',
    model: id % 3 === 0 ? 'priced' : 'unknown',
    input_tokens: 1_000_000,
    total_tokens: 1_000_000,
    failed: id % 5 === 0,
    fail_summary: id % 5 === 0 ? '=HYPERLINK("x"), from operator.one@example.com' : '',
  });
}

const RANGE = { from_ms: 1, to_ms: 1_800_000_000_000 };

let site: Site;

beforeAll(() => {
  site = openSite(
    (pages) =>
      requestExportRoutes({
        pages,
        exports: { running: () => 0, enter: async () => () => {} },
        log: { warn: () => {} },
      }),
    (database) => {
      database.insert(Array.from({ length: EVENTS }, (_, index) => event(index + 1)));
      database.db.run(`INSERT INTO model_prices (model, source, price, updated_at_ms)
         VALUES ('priced', 'manual', '{"prompt":2,"completion":3,"cache":1}', 0)`);
      for (let sealed = 0; sealed < 3; sealed++) sealTail({ db: database.db, now: Date.now }, SEGMENT_ROWS);
    },
  );
});
afterAll(() => site.dispose());

const ask = (request: object): Promise<Response> =>
  fetch(site.url + REQUEST_EXPORT_PATH, { method: 'POST', body: JSON.stringify({ ...RANGE, ...request }) });

interface Line {
  readonly event_hash: string;
  readonly timestamp_ms: number;
  readonly account_snapshot: string;
  readonly time: string;
  readonly cost_usd: number | null;
  readonly priced: boolean;
  readonly failed: boolean;
}

const linesOf = async (request: object): Promise<Line[]> =>
  (await (await ask(request)).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('an export of requests', () => {
  test('has each once, newest first, over segments and tail', async () => {
    const lines = await linesOf({ masked: false });
    const keys = lines.map(({ timestamp_ms, event_hash }) => [timestamp_ms, Number.parseInt(event_hash, 16)] as const);
    expect(new Set(keys.map(([, id]) => id)).size).toBe(EVENTS);
    expect(keys).toEqual(keys.toSorted((a, b) => b[0] - a[0] || b[1] - a[1]));
  });

  test('follows range and filters', async () => {
    const lines = await linesOf({
      from_ms: 1_773_100_800_100,
      to_ms: 1_773_100_800_200,
      filters: { failed_only: true, models: ['priced'] },
    });
    const expected = Array.from({ length: EVENTS }, (_, index) => event(index + 1)).filter(
      ({ id, timestamp_ms: ms }) => id % 15 === 0 && ms >= 1_773_100_800_100 && ms < 1_773_100_800_200,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(lines.map(({ event_hash }) => event_hash).toSorted()).toEqual(
      expected.map(({ event_hash }) => event_hash).toSorted(),
    );
  });

  test('has one mask for each name, from the first line on, and no name', async () => {
    const [masked, plain] = [await linesOf({}), await linesOf({ masked: false })];
    const masks = new Map<string, Set<string>>();
    for (const [index, line] of masked.entries()) {
      const name = plain[index]?.account_snapshot ?? '';
      masks.set(name, (masks.get(name) ?? new Set()).add(line.account_snapshot));
    }
    expect([...masks.values()].map(({ size }) => size)).toEqual([1, 1]);
    expect(new Set([...masks.values()].flatMap((own) => [...own])).size).toBe(2);
    expect(JSON.stringify(masked)).not.toMatch(/operator\.(one|two)/);
  });

  test('numbers equal masks in the order of known accounts', async () => {
    const known = ['operator.two@example.com', 'operator.one@example.com'];
    const order = known.map((name) => ({ accounts: [name], files: [], projects: [] }));
    const [masked, plain] = [await linesOf({ mask_order: order }), await linesOf({ masked: false })];
    for (const [index, { account_snapshot: mask }] of masked.entries()) {
      const isFirst = plain[index]?.account_snapshot === known[0];
      expect(mask).toBe(isFirst ? 'ope***@example.com' : 'ope***@example.com (2)');
    }
  });

  test('has costs of current prices; an unpriced request has none', async () => {
    const lines = await linesOf({});
    expect(new Set(lines.filter(({ priced }) => priced).map(({ cost_usd }) => cost_usd))).toEqual(new Set([2]));
    expect(new Set(lines.filter(({ priced }) => !priced).map(({ cost_usd }) => cost_usd))).toEqual(new Set([null]));
    expect(lines.filter(({ priced }) => priced)).toHaveLength(Math.floor(EVENTS / 3));
  });

  test('as a table has times of the zone, and no text that a spreadsheet would run', async () => {
    const response = await ask({ format: 'csv', time_zone: 'Europe/Berlin', filters: { failed_only: true } });
    expect(response.headers.get('content-type')).toStartWith('text/csv');
    const [head = '', first = ''] = (await response.text()).split('\r\n');
    expect(head.startsWith('time,timestamp_ms,')).toBe(true);
    expect(first).toMatch(/^2026-03-10T01:00:00\.\d{3}\+01:00,/);
    expect(first).toContain(`"'=HYPERLINK(""x""), from ope***@example.com"`);
  });

  test.each([
    [{ to_ms: 0 }, 'from_ms'],
    [{ format: 'xml' }, 'format'],
    [{ time_zone: 'Mars/Base' }, 'time zone'],
    [{ masked: 'no' }, 'masked'],
  ])('%p is refused', async (request, reason) => {
    const response = await ask(request);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(reason);
  });

  test('shows how many matches have no details any more, and leaves them out', async () => {
    deleteRawEvents(site.database.db, 1_773_100_800_300);
    const response = await ask({});
    const lines = (await response.text()).trimEnd().split('\n');
    const [rows, deleted] = ['x-export-rows', 'x-export-deleted-rows'].map((name) =>
      Number(response.headers.get(name)),
    );
    expect(lines).toHaveLength(rows ?? 0);
    expect(deleted).toBeGreaterThan(0);
    expect((rows ?? 0) + (deleted ?? 0)).toBe(EVENTS);
  });
});
