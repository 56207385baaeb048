import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { Summary } from '@manager/core/contract/monitoring/sections';
import { until } from '@manager/core/testing/until';
import { writeHistory } from '../support/history-database.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { runOffline } from '../support/offline-command.ts';
import { savePrices } from '../support/panel-calls/prices.ts';
import { watchResources } from '../support/resources.ts';

/** A segment and rows behind it. */
const EVENTS = 66_000;
/** Their lines are twice as long as usual ones, with this as endpoint and as path: half as many rows make the same file. */
const LONG_PATH = `/v1/${'long-path/'.repeat(30)}`;
const MIB = 2 ** 20;
const PATH = '/v0/management/monitoring/export';
/** What pages on their way and their garbage may take: 30 to 80 MiB, most on a busy machine. The file is longer. */
const ADDED_BYTES = 110 * MIB;

interface Sums {
  rows: number;
  failed: number;
  tokens: number;
  cost: number;
  unpriced: number;
  newestFirst: boolean;
}

let manager: ManagerProcess;
let dataDir: string;
let all: Summary;
let failed: Summary;

beforeAll(async () => {
  dataDir = join(temporaryFolder(), 'data');
  mkdirSync(dataDir);
  await writeHistory(join(dataDir, 'usage.sqlite'), {
    events: EVENTS,
    changed: (text) => text.replace(/"endpoint":"POST [^"]*"/, `"endpoint":"POST ${LONG_PATH}"`),
  });
  manager = await ManagerProcess.start({ dataDir });
  await savePrices(manager);
  all = await summary({});
  failed = await summary({ failed_only: true });
}, 600_000);

afterAll(() => manager.remove());

async function summary(filters: object): Promise<Summary> {
  const body = JSON.stringify({ to_ms: Date.now(), filters, include: { summary: true } });
  const response = await manager.fetch('/v0/management/monitoring/analytics', { method: 'POST', body });
  const { summary: sums } = (await response.json()) as AnalyticsResponse;
  if (sums === undefined) throw new Error('no summary');
  return sums;
}

const ask = (request: object, signal?: AbortSignal): Promise<Response> =>
  manager.fetch(PATH, {
    method: 'POST',
    body: JSON.stringify({ to_ms: Date.now(), ...request }),
    ...(signal === undefined ? {} : { signal }),
  });

const nothing = (): Sums => ({ rows: 0, failed: 0, tokens: 0, cost: 0, unpriced: 0, newestFirst: true });

interface Line {
  readonly time: string;
  readonly timestamp_ms: number;
  readonly failed: boolean;
  readonly total_tokens: number;
  readonly cost_usd: number | null;
  readonly priced: boolean;
}

function sumLines(text: string): Sums {
  const sums = nothing();
  let lastMs = Number.POSITIVE_INFINITY;
  for (const one of text.trimEnd().split('\n')) {
    const line = JSON.parse(one) as Line;
    sums.rows += 1;
    sums.failed += line.failed ? 1 : 0;
    sums.tokens += line.total_tokens;
    sums.cost += line.cost_usd ?? 0;
    sums.unpriced += line.priced ? 0 : 1;
    sums.newestFirst &&= line.timestamp_ms <= lastMs;
    lastMs = line.timestamp_ms;
  }
  return sums;
}

/** No text of generated traffic contains a quoted field before the last column. */
function sumTable(text: string): Sums {
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  const names = head.split(',');
  const at = (name: string) => names.indexOf(name);
  const sums = nothing();
  for (const line of lines) {
    const fields = line.split(',');
    sums.rows += 1;
    sums.failed += fields[at('failed')] === 'true' ? 1 : 0;
    sums.tokens += Number(fields[at('total_tokens')]);
    sums.cost += Number(fields[at('cost_usd')]);
    sums.unpriced += fields[at('priced')] === 'false' ? 1 : 0;
  }
  return sums;
}

function expectSums(found: Sums, of: Summary): void {
  expect({ ...found, cost: 0 }).toEqual({
    rows: of.total_calls,
    failed: of.failure_calls,
    tokens: of.total_tokens,
    cost: 0,
    unpriced: of.unpriced_calls,
    newestFirst: true,
  });
  expect(Math.abs(found.cost - of.total_cost)).toBeLessThan(1e-6 * of.total_cost);
}

describe('an export of all requests', () => {
  test('has every row and the totals of the interface, in bounded memory', async () => {
    // What every question loads: code and columns.
    await (await ask({ filters: { failed_only: true } })).text();
    const before = manager.residentBytes();
    const watch = watchResources(manager);
    const response = await ask({ time_zone: 'Asia/Kolkata' });
    expect(response.headers.get('x-export-rows')).toBe(String(EVENTS));
    expect(response.headers.get('x-export-deleted-rows')).toBe('0');
    const text = await response.text();
    expect(text.length).toBeGreaterThan(ADDED_BYTES);
    const most = Math.max(...watch.stop().map(({ residentBytes }) => residentBytes));
    expectSums(sumLines(text), all);
    expect(JSON.parse(text.slice(0, text.indexOf('\n'))).time).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30$/,
    );
    expect(most - before).toBeLessThan(ADDED_BYTES);
  }, 300_000);

  test('as a table of some requests has their totals', async () => {
    const response = await ask({ format: 'csv', filters: { failed_only: true } });
    expectSums(sumTable(await response.text()), failed);
  }, 300_000);

  test('ends with its client, and makes room for others', async () => {
    const clients = Array.from({ length: 4 }, () => new AbortController());
    const answers = await Promise.all(clients.map(({ signal }) => ask({}, signal)));
    for (const answer of answers) expect(answer.status).toBe(200);
    expect((await ask({})).status).toBe(503);
    for (const client of clients) client.abort();
    await until(async () => {
      const answer = await ask({ filters: { failed_only: true } });
      await answer.text();
      return answer.status === 200;
    });
  }, 300_000);
});

describe('the command', () => {
  const run = (...args: string[]) => runOffline(['export', ...args], { dataDir });

  test('writes the same totals beside a running manager, and after it has stopped', async () => {
    const running = await run('--out', 'running.jsonl', '--filter', 'failed=true');
    expect(running).toMatchObject({ code: 0, err: '' });
    expectSums(sumLines(readFileSync(join(dataDir, 'running.jsonl'), 'utf8')), failed);
    await manager.stop();
    // Every row is what the interface's file shows: the command adds where it reads and writes.
    const stopped = await run('--out', 'stopped.csv', '--format', 'csv', '--filter', 'failed=true');
    expect(stopped).toMatchObject({ code: 0, err: '' });
    expectSums(sumTable(readFileSync(join(dataDir, 'stopped.csv'), 'utf8')), failed);
    expect(existsSync(join(dataDir, 'stopped.csv.partial'))).toBe(false);
    const again = await run('--out', 'stopped.csv');
    expect(again.code).toBe(1);
    expect(again.err).toContain('exists; choose another name');
  }, 300_000);
});
