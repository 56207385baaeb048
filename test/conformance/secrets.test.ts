import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ImportSessions } from '../support/import-session.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

const ADMIN_KEY = 'admin-key-that-must-stay-unseen';
const UPSTREAM_KEY = 'upstream-key-that-must-stay-unseen';
const CLIENT_KEY = 'sk-client-key-that-must-stay-unseen-0123456789';
const COOKIE = 'session-cookie-that-must-stay-unseen';
const SECRETS = [ADMIN_KEY, UPSTREAM_KEY, CLIENT_KEY, COOKIE];

/** What a provider may answer. */
const FAILURE = `{"error":"bad key ${CLIENT_KEY}","Authorization":"Bearer ${CLIENT_KEY}","Set-Cookie":"${COOKIE}"}`;

/** It is stored for readers of the files, without the keys of its request; nothing else shows it. */
const STORED_FAILURE = FAILURE.replaceAll(CLIENT_KEY, 'm:sk-c...6789');

const managers: ManagerProcess[] = [];

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What a gateway's queue may contain: keys in clear text wherever the gateway or a provider puts them. */
function invalidItem(request_id: string): object {
  return {
    ...JSON.parse(makeEvents({ seed: 9, numberFrom: 0 }).next().value.text),
    request_id,
    api_key: CLIENT_KEY,
    source: CLIENT_KEY,
    failed: true,
    fail: {
      status_code: 401,
      body: FAILURE,
    },
    response_headers: { 'Set-Cookie': [`s=${COOKIE}`], 'X-Api-Key': [CLIENT_KEY], 'Content-Type': ['text/html'] },
  };
}

afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

describe('keys and cookies', () => {
  test('appear in no file of the data directory, no log line and no answer', async () => {
    const gateway = await startTestGateway({ managementKey: UPSTREAM_KEY });
    const manager = await ManagerProcess.start({ adminKey: ADMIN_KEY });
    managers.push(manager);
    const setup = await manager.post('/setup', { cpaBaseUrl: gateway.url, cpaManagementKey: UPSTREAM_KEY });
    expect(setup).toMatchObject({ ok: true });
    await until(async () => (await readStatus(manager)).collector.collector === 'running');

    const spoiled = invalidItem('published');
    await gateway.publish(JSON.stringify(spoiled));
    await until(async () => (await readStatus(manager)).events === 1);

    const answers: string[] = [];
    const note = async (answer: Response) => {
      answers.push(JSON.stringify([...answer.headers]) + (await answer.text()));
    };
    const body = JSON.stringify({
      from_ms: 1,
      to_ms: 4_102_444_800_000,
      include: { events_page: {}, filter_selectors: true },
    });
    for (const path of [
      '/status',
      '/usage-service/config',
      '/usage-service/info',
      '/v0/management/usage',
      '/v0/management/usage/export',
    ])
      await note(await manager.fetch(path));
    await note(await manager.fetch('/v0/management/monitoring/analytics', { method: 'POST', body }));
    await note(
      await fetch(`${manager.url}/status?key=${ADMIN_KEY}`, { headers: { Authorization: `Bearer ${ADMIN_KEY}x` } }),
    );
    await note(
      await manager.fetch('/setup', {
        method: 'POST',
        body: `{"cpaBaseUrl":"http://127.0.0.1:1","cpaManagementKey":"${UPSTREAM_KEY}"}`,
      }),
    );
    expect(answers[0]).toContain('"events":1');

    await manager.stop();
    const files = filesOf(manager.dataDir).map((path) => readFileSync(path, 'latin1'));
    expect(files.length).toBeGreaterThan(1);
    for (const secret of SECRETS) {
      expect(files.some((content) => content.includes(secret))).toBe(false);
      expect(manager.output.includes(secret)).toBe(false);
      expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
    }
    await gateway.stop();
  });

  test('appear nowhere after imports of them and an archive either, but in the raw failure texts of its files', async () => {
    const manager = await ManagerProcess.start({ adminKey: ADMIN_KEY });
    managers.push(manager);
    const answers: string[] = [];
    const note = async (answer: Response): Promise<string> => {
      const text = await answer.text();
      answers.push(JSON.stringify([...answer.headers]) + text);
      return text;
    };
    const USAGE = '/v0/management/usage';
    const send = async (path: string, body = '') => note(await manager.fetch(USAGE + path, { method: 'POST', body }));

    // Lines that are stored, lines that fail, and files that are rejected with a reason.
    const lines = [
      JSON.stringify(invalidItem('a')),
      CLIENT_KEY,
      `{"event_hash":"${CLIENT_KEY}\u0001"}`,
      `{"${COOKIE}":1}`,
    ];
    expect(await send('/import', lines.join('\n'))).toContain('"added":1,"skipped":0,"total":1,"failed":3');
    const { timestamp, ...untimed } = invalidItem('b') as { readonly timestamp: string };
    expect(await send('/import', JSON.stringify({ ...untimed, tokens: { input_tokens: -1 } }))).toContain(
      'warnings":["',
    );
    const details = [{ ...invalidItem('c'), authorization: `Bearer ${CLIENT_KEY}` }, { cookie: COOKIE }];
    const apis = { 'POST /v1/x': { models: { m: { details } } } };
    expect(await send('/import', JSON.stringify({ usage: { apis } }))).toContain('"added":1');
    const broken = `{"_archive_schema_version":1,"_archive_event_id":"${CLIENT_KEY}","raw_json":"${COOKIE}"}`;
    expect(await send('/import', broken)).toContain('line 1');
    const sessions = new ImportSessions(manager);
    const file = new TextEncoder().encode(`${JSON.stringify(invalidItem('d'))}\n${CLIENT_KEY}\n`);
    const uploaded = await sessions.upload(await sessions.create(file.length), file);
    await sessions.complete(uploaded.id);
    await until(async () => (await sessions.read(uploaded.id)).status === 'completed');
    await note(await manager.fetch(`${USAGE}/import-sessions/${uploaded.id}`));
    expect((await readStatus(manager)).events).toBe(4);

    const created = JSON.parse(await send('/archives', `{"cutoff_timestamp_ms":${Date.now() + 86_400_000}}`));
    expect(created.run.event_count).toBe(4);
    for (const action of ['resume', 'verify']) await send(`/archives/${created.run.id}/${action}`);
    for (const path of ['', '/export', '/archives', `/archives/${created.run.id}`, '/maintenance']) {
      await note(await manager.fetch(USAGE + path));
    }
    const folder = join(manager.dataDir, 'usage-archives', created.run.id);
    const [segment = ''] = readdirSync(folder).filter((name) => name.endsWith('.gz'));
    const archived = gunzipSync(readFileSync(join(folder, segment)))
      .toString()
      .trim()
      .split('\n');
    expect(await send(`/archives/${created.run.id}/delete`)).toContain('"status":"completed"');
    expect(await send('/import', archived.join('\n'))).toContain('"added":0,"skipped":4');

    await manager.stop();
    const parsed = archived.map((line): { readonly fail_body: string } => JSON.parse(line));
    expect(parsed.filter(({ fail_body }) => fail_body.startsWith(`${STORED_FAILURE}\n`))).toHaveLength(4);
    const shown = parsed.map(({ fail_body: _raw, ...rest }) => JSON.stringify(rest));
    for (const secret of SECRETS) {
      const found = filesOf(manager.dataDir).filter((path) => {
        return readFileSync(path, 'latin1').replaceAll(STORED_FAILURE, '').includes(secret);
      });
      expect(found).toEqual([]);
      expect(manager.output.includes(secret)).toBe(false);
      expect([...answers, ...shown].filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  test('an environment-managed connection leaves no trace in the files either', async () => {
    const gateway = await startTestGateway();
    const env = boundTo(gateway);
    const manager = await ManagerProcess.start({ env });
    managers.push(manager);
    await until(async () => (await readStatus(manager)).collector.collector === 'running');
    await manager.stop();
    for (const path of filesOf(manager.dataDir))
      expect(readFileSync(path, 'latin1').includes(env.UPSTREAM_MANAGEMENT_KEY ?? '-')).toBe(false);
    await gateway.stop();
  });
});
