import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { litellm, modelsDev, startSocks } from './testing/catalogues.ts';
import { type SyncRig, startSyncRig } from './testing/rig.ts';

let rig: SyncRig;

beforeEach(() => {
  rig = startSyncRig();
});
afterEach(() => rig.stop());

describe('the proxy of the gateway', () => {
  test('is used for every request', async () => {
    const seen: (string | null)[] = [];
    const proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        seen.push(request.headers.get('proxy-authorization'));
        return fetch(request.url, { headers: { Accept: 'application/json' } });
      },
    });
    try {
      await rig.setUpstream(`http://us%40er:secret@127.0.0.1:${proxy.port}`);
      rig.catalogues.answer('litellm', litellm({ a: 2 }));
      const answer = await rig.sync(['a']);
      expect(answer).toMatchObject({ proxyUsed: true, imported: 1 });
      expect(seen).toEqual(Array.from({ length: 2 }, () => `Basic ${btoa('us@er:secret')}`));
      expect(JSON.stringify(answer)).not.toContain('secret');
    } finally {
      await proxy.stop(true);
    }
  });

  test.each([
    ['socks5', null],
    ['socks5h', { user: 'us:er', password: 'p@ss' }],
  ])('may speak %s', async (scheme, login) => {
    const socks = await startSocks(login);
    try {
      const gatewayAccounts =
        login === null ? '' : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
      await rig.setUpstream(`${scheme}://${gatewayAccounts}127.0.0.1:${socks.port}`);
      rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
      rig.catalogues.answer('litellm', litellm({ b: 2 }));
      expect(await rig.sync(['a', 'b'])).toMatchObject({ proxyUsed: true, imported: 2 });
      const { host } = new URL(rig.catalogues.url);
      expect(socks.targets).toEqual([host, host]);
    } finally {
      await socks.stop();
    }
  });

  test('that refuses our password is reported, without it', async () => {
    const socks = await startSocks({ user: 'user', password: 'right' });
    try {
      await rig.setUpstream(`socks5://user:wrong-secret@127.0.0.1:${socks.port}`);
      const text = await rig.refusal(['a']);
      expect(text).toContain('models.dev: ');
      expect(text).not.toContain('wrong-secret');
      expect(socks.targets).toEqual([]);
    } finally {
      await socks.stop();
    }
  });

  test('that is unreachable fails every source', async () => {
    const gone = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const { port } = gone;
    await gone.stop(true);
    await rig.setUpstream(`http://user:wrong-secret@127.0.0.1:${port}`);
    const text = await rig.refusal(['a']);
    expect(text).toContain('through the proxy of the gateway');
    expect(text).not.toContain('wrong-secret');
    expect(rig.catalogues.asked).toEqual([]);
  });

  test.each([
    ['127.0.0.1:7890', 'expected scheme and host'],
    ['localhost:7890', 'expected scheme and host'],
    ['http://', 'expected scheme and host'],
    ['user:wrong-secret@proxy', 'expected scheme and host'],
    ['ftp://user:wrong-secret@proxy:1', 'its scheme must be'],
  ])('%s cannot be used', async (proxyUrl, why) => {
    await rig.setUpstream(proxyUrl);
    const text = await rig.refusal(['a']);
    expect(text).toContain(why);
    expect(text).not.toContain('wrong-secret');
    expect(rig.catalogues.asked).toEqual([]);
  });

  test.each(['', ' ', 'direct', 'NONE'])('%p is none', async (proxyUrl) => {
    await rig.setUpstream(proxyUrl);
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    expect(await rig.sync(['a'])).toMatchObject({ proxyUsed: false, imported: 1 });
  });

  test('is not used when the gateway does not answer', async () => {
    await rig.setUpstream('http://127.0.0.1:1');
    await rig.gateway?.simulator.stop();
    rig.catalogues.answer('models.dev', modelsDev({ 'acme/a': { input: 1 } }));
    expect(await rig.sync(['a'])).toMatchObject({ proxyUsed: false, imported: 1 });
  });
});
