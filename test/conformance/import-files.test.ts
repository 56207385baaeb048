import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { ImportSessionResponse } from '@manager/core/contract/transfer/import-sessions';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

// What the executable says about files that are no exports, and about lines that are no events.

setDefaultTimeout(180_000);

const EVENTS = 20;
const IMPORT = '/v0/management/usage/import';

let gateway: Simulator;
let source: ManagerProcess;
let target: ManagerProcess;

beforeAll(async () => {
  gateway = await startTestGateway();
  source = await ManagerProcess.start({ env: boundTo(gateway) });
  target = await ManagerProcess.start();
  await until(async () => (await readStatus(source)).collector.collector === 'running');
  const events = makeEvents({ seed: 5, numberFrom: 0 });
  for (let count = 0; count < EVENTS; count += 1) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(source)).events === EVENTS);
});

afterAll(async () => {
  await source.remove();
  await target.remove();
  await gateway.stop();
});

interface Line extends Record<string, unknown> {
  readonly request_id: string;
  readonly api_key_hash?: string;
}

async function exportOf(manager: ManagerProcess): Promise<readonly Line[]> {
  const text = await (await manager.fetch('/v0/management/usage/export')).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

async function importOnce(body: string | Uint8Array<ArrayBuffer>) {
  const answer = await target.fetch(IMPORT, { method: 'POST', body });
  return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
}

async function importInSession(body: string | Uint8Array<ArrayBuffer>): Promise<ImportSessionResponse> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const sessions = '/v0/management/usage/import-sessions';
  const { id } = await target.post<ImportSessionResponse>(sessions, { filename: 'f.jsonl', size_bytes: bytes.length });
  await target.json(`${sessions}/${id}/chunk?offset=0`, { method: 'PUT', body: bytes });
  await target.json(`${sessions}/${id}/complete`, { method: 'POST' });
  return until(async () => {
    const session = await target.json<ImportSessionResponse>(`${sessions}/${id}`);
    return session.status === 'processing' ? null : session;
  }, 'the end of the import');
}

const FORMS: readonly (readonly [
  name: string,
  body: (lines: string) => string | Uint8Array<ArrayBuffer>,
  words: RegExp,
])[] = [
  ['gzip', (lines) => Bun.gzipSync(Buffer.from(lines)), /gzip.*gunzip/],
  ['UTF-16', (lines) => new Uint8Array(Buffer.from(`\ufeff${lines}`, 'utf16le')), /UTF-16.*save it as UTF-8.*iconv/],
  ['UTF-16 without a mark', (lines) => new Uint8Array(Buffer.from(lines, 'utf16le')), /UTF-16/],
  ['CSV', () => 'time,model,total_tokens\n2026-01-01T00:00:00Z,m,5\n', /CSV.*JSON lines/],
  ['HTML', () => '<!doctype html><html><title>Sign in</title></html>', /web page.*download the export again/],
];

describe('a file of another form', () => {
  test.each(FORMS)('%s is named, in one request and in a session', async (_, bodyOf, words) => {
    const lines = (await exportOf(source)).map((line) => `${JSON.stringify(line)}\n`).join('');
    const body = bodyOf(lines);
    expect(await importOnce(body)).toMatchObject({ status: 400, error: expect.stringMatching(words) });
    expect(await importInSession(body)).toMatchObject({ status: 'failed', error: expect.stringMatching(words) });
    expect((await readStatus(target)).events).toBe(0);
  });
});

describe('lines that are no events', () => {
  test('are listed with number and reason, the first twenty of them', async () => {
    const body = `not json\n\n[]\n${'{"hello":1}\n'.repeat(30)}`;
    const failures = [
      { line: 1, where: 'line 1', reason: 'not valid JSON' },
      { line: 3, where: 'line 3', reason: 'not a JSON object' },
      ...Array.from({ length: 18 }, (_, index) => ({
        line: index + 4,
        where: `line ${index + 4}`,
        reason: 'not a usage event: no event_hash, time, model, request id or tokens',
      })),
    ];
    const counts = { added: 0, skipped: 0, total: 0, failed: 32, failures };
    expect(await importOnce(body)).toMatchObject({ status: 200, ...counts });
    const session = await importInSession(body);
    expect(session).toMatchObject({ status: 'completed', result: counts });
  });

  test('are no member of a result without them', async () => {
    expect(Object.keys(await importOnce('{"id":"one","timestamp":1788000000}'))).not.toContain('failures');
  });
});

test('an exported line without its event_hash keeps the hash of its client key', async () => {
  const lines = await exportOf(source);
  expect(lines.filter(({ api_key_hash }) => api_key_hash !== undefined).length).toBeGreaterThan(0);
  const body = lines.map(({ event_hash: _, ...line }) => `${JSON.stringify(line)}\n`).join('');
  expect(await importOnce(body)).toMatchObject({ status: 200, added: EVENTS });
  const hashes = (from: readonly Line[]) =>
    new Map(from.map(({ request_id, api_key_hash }) => [request_id, api_key_hash ?? '']));
  const imported = hashes(await exportOf(target));
  for (const [id, hash] of hashes(lines)) expect([id, imported.get(id)]).toEqual([id, hash]);
});
