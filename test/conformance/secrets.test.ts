import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess, waitFor } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startUpstream } from '../support/upstream.ts';

const ADMIN_KEY = 'admin-key-that-must-stay-unseen';
const UPSTREAM_KEY = 'upstream-key-that-must-stay-unseen';
const CLIENT_KEY = 'sk-client-key-that-must-stay-unseen-0123456789';
const COOKIE = 'session-cookie-that-must-stay-unseen';
const SECRETS = [ADMIN_KEY, UPSTREAM_KEY, CLIENT_KEY, COOKIE];

const managers: ManagerProcess[] = [];

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

describe('keys and cookies', () => {
  test('appear in no file of the data directory, no log line and no answer', async () => {
    const upstream = await startUpstream({ managementKey: UPSTREAM_KEY });
    const manager = await ManagerProcess.start({ adminKey: ADMIN_KEY });
    managers.push(manager);
    const setup = await manager.post('/setup', { cpaBaseUrl: upstream.url, cpaManagementKey: UPSTREAM_KEY });
    expect(setup).toMatchObject({ ok: true });
    await waitFor(async () => (await readStatus(manager)).collector.collector === 'running');

    const event = JSON.parse(makeEvents({ seed: 9, numberFrom: 0 }).next().value.text);
    const spoiled = {
      ...event,
      api_key: CLIENT_KEY,
      source: CLIENT_KEY,
      failed: true,
      fail: {
        status_code: 401,
        body: `{"error":"bad key ${CLIENT_KEY}","Authorization":"Bearer ${CLIENT_KEY}","Set-Cookie":"${COOKIE}"}`,
      },
      response_headers: { 'Set-Cookie': [`s=${COOKIE}`], 'X-Api-Key': [CLIENT_KEY], 'Content-Type': ['text/html'] },
    };
    await upstream.publish(JSON.stringify(spoiled));
    await waitFor(async () => (await readStatus(manager)).events === 1);

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
    await upstream.stop();
  });

  test('an environment-managed connection leaves no trace in the files either', async () => {
    const upstream = await startUpstream();
    const env = boundTo(upstream);
    const manager = await ManagerProcess.start({ env });
    managers.push(manager);
    await waitFor(async () => (await readStatus(manager)).collector.collector === 'running');
    await manager.stop();
    for (const path of filesOf(manager.dataDir))
      expect(readFileSync(path, 'latin1').includes(env.UPSTREAM_MANAGEMENT_KEY ?? '-')).toBe(false);
    await upstream.stop();
  });
});
