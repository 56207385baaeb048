import { describe, expect, test } from 'bun:test';
import { command, connectRaw, KEY, manage } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { Simulator } from '../types.ts';

const start = simulatorStarter();

async function tryKey(running: Simulator, authorization: string): Promise<[number, unknown]> {
  const { status, body } = await manage(running, 'GET', '/debug', undefined, { Authorization: authorization });
  return [status, body];
}

async function respAuth(running: Simulator, key: string): Promise<string> {
  const client = await connectRaw(running);
  client.send(command('AUTH', key));
  client.finish();
  return await client.rest();
}

const MINUTE = 60_000;
const OK: [number, unknown] = [200, { debug: false }];

describe('the key', () => {
  for (const [headers, status] of [
    [{ Authorization: `Bearer ${KEY}` }, 200],
    [{ Authorization: `bEaReR ${KEY}` }, 200],
    [{ Authorization: KEY }, 200],
    [{ Authorization: '', 'X-Management-Key': KEY }, 200],
    [{ Authorization: 'Bearer wrong', 'X-Management-Key': KEY }, 401],
    [{ Authorization: `Basic ${KEY}` }, 401],
  ] as const) {
    test(`${JSON.stringify(headers)} gives ${status}`, async () => {
      const running = await start();
      expect((await manage(running, 'GET', '/debug', undefined, headers)).status).toBe(status);
    });
  }

  test('missing and wrong have their own texts', async () => {
    const running = await start();
    expect(await tryKey(running, '')).toEqual([401, { error: 'missing management key' }]);
    expect(await tryKey(running, 'Bearer nope')).toEqual([401, { error: 'invalid management key' }]);
  });
});

describe('the ban', () => {
  test('worked example: five wrong keys in 80 minutes', async () => {
    const running = await start();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await tryKey(running, 'Bearer wrong'))[0]).toBe(401);
      if (attempt < 4) running.advance(20 * MINUTE);
    }
    const bannedText = 'IP banned due to too many failed attempts. Try again in';
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual([403, { error: `${bannedText} 30m0s` }]);
    running.advance(2_000);
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual([403, { error: `${bannedText} 29m58s` }]);
    running.advance(29 * MINUTE);
    expect((await tryKey(running, `Bearer ${KEY}`))[0]).toBe(403);
    running.advance(MINUTE);
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual(OK);
  });

  test('is shared by HTTP and RESP', async () => {
    const running = await start();
    await tryKey(running, 'Bearer wrong');
    await tryKey(running, '');
    expect(await respAuth(running, 'wrong')).toBe('-ERR invalid management key\r\n');
    const client = await connectRaw(running);
    client.send(command('HELLO', '3') + command('CLIENT', 'INFO'));
    client.finish();
    expect(await client.rest()).toBe('-NOAUTH Authentication required.\r\n'.repeat(2));
    expect(running.bans()).toMatchObject([{ address: '127.0.0.1', failures: 5 }]);
    expect(await respAuth(running, KEY)).toBe('-ERR IP banned due to too many failed attempts. Try again in 30m0s\r\n');
    expect((await tryKey(running, `Bearer ${KEY}`))[0]).toBe(403);
  });

  test('does not grow by tries made during it', async () => {
    const running = await start();
    for (let attempt = 0; attempt < 5; attempt += 1) await tryKey(running, 'Bearer wrong');
    running.advance(29 * MINUTE);
    for (let attempt = 0; attempt < 9; attempt += 1) await tryKey(running, 'Bearer wrong');
    running.advance(MINUTE);
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual(OK);
  });

  test('a success clears the counter, and so does the hourly purge after two idle hours', async () => {
    const running = await start();
    for (let attempt = 0; attempt < 4; attempt += 1) await tryKey(running, 'Bearer wrong');
    await tryKey(running, `Bearer ${KEY}`);
    expect(running.bans()).toEqual([]);
    for (let attempt = 0; attempt < 4; attempt += 1) await tryKey(running, 'Bearer wrong');
    running.advance(120 * MINUTE);
    expect(running.bans()).toMatchObject([{ failures: 4 }]);
    running.advance(60 * MINUTE);
    expect(running.bans()).toEqual([]);
  });

  test('counts the address the headers give', async () => {
    const running = await start();
    const from = { Authorization: 'Bearer wrong', 'X-Forwarded-For': '203.0.113.9, 10.0.0.1' };
    for (let attempt = 0; attempt < 5; attempt += 1) await manage(running, 'GET', '/debug', undefined, from);
    await manage(running, 'GET', '/debug', undefined, { Authorization: 'Bearer wrong', 'X-Real-IP': '198.51.100.1' });
    expect(running.bans()).toMatchObject([
      { address: '203.0.113.9', failures: 5 },
      { address: '198.51.100.1', failures: 1 },
    ]);
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual(OK);
  });
});

describe('availability', () => {
  test('remote access off refuses callers that are not local, without counting', async () => {
    const running = await start({ remoteAllowed: false, callerAddress: '203.0.113.7' });
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual([403, { error: 'remote management disabled' }]);
    expect(await respAuth(running, KEY)).toBe('-ERR remote management disabled\r\n');
    expect(running.bans()).toEqual([]);
    running.setCallerAddress(null);
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual(OK);
  });

  test('no key: 404 without version headers, RESP closes', async () => {
    const running = await start({ managementKey: '' });
    const { status, text, headers } = await manage(running, 'GET', '/config');
    expect([status, text, headers.get('x-cpa-version')]).toEqual([404, '', null]);
    expect(await respAuth(running, KEY)).toBe('');
  });

  test('a key removed while a RESP client is connected is named', async () => {
    const running = await start();
    const client = await connectRaw(running);
    client.send(command('AUTH', KEY));
    await client.read(5);
    running.setKey('');
    client.send(command('AUTH', KEY));
    client.finish();
    expect(await client.rest()).toBe('-ERR remote management key not set\r\n');
  });

  test('an emptied configuration locks everybody out, and only a change of the file lets them in again', async () => {
    const running = await start();
    await running.publish({ request_id: '0000abcd' });
    const emptied = await manage(running, 'PUT', '/config.yaml', '');
    expect(emptied).toMatchObject({ status: 200, body: { ok: true, changed: ['config'] } });
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual([403, { error: 'remote management key not set' }]);
    expect(await manage(running, 'PUT', '/config.yaml', 'debug: true')).toMatchObject({ status: 403 });
    expect((await manage(running, 'GET', '/config')).headers.get('x-cpa-version')).toBe('v7.2.140');
    expect([running.configYaml(), running.queueLength(), running.bans()]).toEqual(['', 0, []]);
    expect(await respAuth(running, KEY)).toBe('');
    running.restart();
    expect(await manage(running, 'GET', '/config')).toMatchObject({ status: 404, text: '' });
    running.setKey(KEY);
    expect(await tryKey(running, `Bearer ${KEY}`)).toEqual(OK);
  });

  for (const profile of ['off', 'home'] as const) {
    test(`${profile}: 404`, async () => {
      const running = await start({ profile });
      expect(await manage(running, 'GET', '/config')).toMatchObject({ status: 404, text: '' });
      expect(await manage(running, 'GET', '/usage-queue')).toMatchObject({ status: 404 });
    });
  }

  test('unknown paths are authenticated since v7.1.47, and not before', async () => {
    const running = await start();
    const wrong = { Authorization: 'Bearer wrong' };
    expect(await manage(running, 'GET', '/nothing', undefined, wrong)).toMatchObject({ status: 401 });
    expect(await manage(running, 'POST', '/config')).toMatchObject({ status: 404, text: '' });
    running.setProfile('v7.1.39');
    expect(await manage(running, 'GET', '/nothing', undefined, wrong)).toMatchObject({ status: 404 });
    expect(running.bans()).toEqual([]);
  });

  test('trailing slash, preflight, version and CORS headers', async () => {
    const running = await start();
    const slash = await manage(running, 'GET', '/config/?x=1');
    expect([slash.status, slash.headers.get('location')]).toEqual([301, '/v0/management/config?x=1']);
    expect((await manage(running, 'PUT', '/debug/', { value: true })).status).toBe(307);
    expect((await manage(running, 'OPTIONS', '/config', undefined, { Authorization: '' })).status).toBe(204);
    const refused = await manage(running, 'GET', '/config', undefined, { Authorization: 'Bearer wrong' });
    expect(refused.headers.get('x-cpa-version')).toBe('v7.2.140');
    expect(refused.headers.get('x-cpa-support-plugin')).toBe('1');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    running.setProfile('v7.1.39');
    expect((await manage(running, 'GET', '/config')).headers.get('x-cpa-support-plugin')).toBe(null);
  });

  test('a key changed by PUT config.yaml is hashed in the file and needed from then on', async () => {
    const running = await start();
    const yaml = running.configYaml().replace(/secret-key: .*/, 'secret-key: another-key # new');
    expect(await manage(running, 'PUT', '/config.yaml', yaml)).toMatchObject({
      status: 200,
      body: { ok: true, changed: ['config'] },
    });
    expect(running.configYaml()).not.toContain('another-key');
    expect(running.configYaml()).toMatch(/secret-key: "\$2a\$10\$.{53}" # new/);
    expect((await tryKey(running, `Bearer ${KEY}`))[0]).toBe(401);
    expect((await tryKey(running, 'Bearer another-key'))[0]).toBe(200);
  });

  test('a bcrypt hash in the file is verified', async () => {
    const running = await start();
    const hash = await Bun.password.hash('from-hash', { algorithm: 'bcrypt', cost: 4 });
    await manage(
      running,
      'PUT',
      '/config.yaml',
      running.configYaml().replace(/secret-key: .*/, `secret-key: "${hash}"`),
    );
    expect((await tryKey(running, 'Bearer from-hash'))[0]).toBe(200);
  });
});
