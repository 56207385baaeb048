import { afterAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createPanelHandler } from './panel.ts';
import { compressPanel, panelContentSecurityPolicy } from './panel-document.ts';
import { exchange, recordingLog, startTestServer } from './testing.ts';

const script = 'document.body.textContent = "<script>é";';
const html = `<!doctype html><title>panel</title><!-- <script>no</script> -->\n<script type="module">${script}</script>${'padding '.repeat(500)}`;
const bytes = Buffer.from(html);
const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
const document = await compressPanel(new Uint8Array(bytes));

let opened = 0;
const onOpen = () => opened++;
const server = startTestServer({
  handlers: { panel: createPanelHandler({ embedded: document, panelPath: '', log: recordingLog(), onOpen }) },
});
afterAll(() => server.stop(0));
const url = `${server.url}/management.html`;
const plain = { 'accept-encoding': 'identity' };

describe('the embedded panel', () => {
  test('tells that it is opened, also when the browser has it already', async () => {
    opened = 0;
    await fetch(url, { method: 'HEAD' });
    expect(opened).toBe(0);
    await fetch(url, { headers: plain });
    expect(opened).toBe(1);
    expect((await fetch(url, { headers: { ...plain, 'if-none-match': etag } })).status).toBe(304);
    expect(opened).toBe(2);
  });

  test('is complete, with length and validator', async () => {
    const answer = await fetch(url, { headers: plain });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(html);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(bytes.length),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'accept-ranges': 'bytes',
      vary: 'Accept-Encoding',
      etag,
    });
    expect(answer.headers.has('last-modified')).toBe(false);
    expect(answer.headers.has('content-encoding')).toBe(false);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
  });

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip;q=1, br;q=0.2', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])('is sent compressed for "%s", under an ETag of its own', async (accepted, encoding, decompress) => {
    const answer = await fetch(url, { headers: { 'accept-encoding': accepted }, decompress: false });
    const body = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('content-length')).toBe(String(body.length));
    expect(answer.headers.get('etag')).toBe(`${etag.slice(0, -1)}-${encoding}"`);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(decompress(body).toString()).toBe(html);
  });

  test.each(['identity', 'br;q=0, gzip;q=0', 'deflate', 'identity, br;q=0.5', 'gzip;q=nonsense'])(
    'is sent plain for "%s"',
    async (accepted) => {
      const answer = await fetch(url, { headers: { 'accept-encoding': accepted }, decompress: false });
      expect(answer.headers.has('content-encoding')).toBe(false);
      expect(await answer.text()).toBe(html);
    },
  );

  test.each([
    [etag, 304],
    [`"other", W/${etag}`, 304],
    ['*', 304],
    ['"other"', 200],
    [`${etag.slice(0, -1)}-br"`, 200],
  ])('answers If-None-Match %s with %i', async (header, status) => {
    const answer = await fetch(url, { headers: { ...plain, 'if-none-match': header } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('etag')).toBe(etag);
    if (status === 304) expect(await answer.text()).toBe('');
  });

  test('answers 304 to the ETag of the compressed form where that form is accepted', async () => {
    const headers = { 'accept-encoding': 'br', 'if-none-match': `${etag.slice(0, -1)}-br"` };
    expect((await fetch(url, { headers })).status).toBe(304);
  });

  test('answers HEAD with the length and no body', async () => {
    const received = await exchange(
      server,
      ['HEAD /management.html HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'],
      '"area":"info"',
    );
    const [head = '', next = ''] = received.split('\r\n\r\n');
    expect(head).toStartWith('HTTP/1.1 200');
    expect(head.toLowerCase()).toContain(`content-length: ${bytes.length}`);
    expect(head.toLowerCase()).not.toContain('transfer-encoding');
    expect(next).toStartWith('HTTP/1.1 200');
  });

  test.each([
    ['bytes=0-4', '<!doc', 0, 4],
    ['bytes=-5', html.slice(-5), bytes.length - 5, bytes.length - 1],
    [`bytes=${bytes.length - 3}-`, html.slice(-3), bytes.length - 3, bytes.length - 1],
    ['bytes=5-999999999', null, 5, bytes.length - 1],
  ])('answers range %s', async (range, text, first, last) => {
    const answer = await fetch(url, { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${bytes.length}`);
    expect(answer.headers.get('content-length')).toBe(String(last - first + 1));
    const body = Buffer.from(await answer.arrayBuffer());
    expect(body.equals(bytes.subarray(first, last + 1))).toBe(true);
    if (text !== null) expect(body.toString()).toBe(text);
  });

  test.each([
    [{ range: 'bytes=0-4', 'if-range': etag }, 206],
    [{ range: 'bytes=0-4', 'if-range': '"other"' }, 200],
    [{ range: 'bytes=0-4', 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 200],
    [{ range: 'bytes=0-4', 'if-none-match': etag }, 304],
    [{ range: 'bytes=0-1,4-5' }, 200],
    [{ range: 'bytes=5-2' }, 200],
    [{ range: 'bytes=-' }, 200],
    [{ range: 'lines=0-1' }, 200],
  ])('answers %j with %i', async (headers, status) => {
    const answer = await fetch(url, { headers: { ...plain, ...headers } });
    expect(answer.status).toBe(status);
    expect((await answer.text()).length > 0).toBe(status !== 304);
  });

  test.each(['bytes=999999999-', 'bytes=-0'])('refuses range %s', async (range) => {
    const answer = await fetch(url, { headers: { range } });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(await answer.json()).toMatchObject({ code: 'range_not_satisfiable' });
  });

  test('may run only its own inline script', async () => {
    const policy = (await fetch(url)).headers.get('content-security-policy') ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hash}' blob:;`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/script-src[^;]*'unsafe/);
  });

  test('has its scripts hashed as a browser reads them, and may load files of this server where it names one', () => {
    const policy = panelContentSecurityPolicy(
      '<style>/* <script>x</script> */</style><script>\r\na\r\n</script><script src="a"></script>',
    );
    const hash = createHash('sha256').update('\na\n').digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}' blob:;`);
  });
});

describe('a panel file of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'panel-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'custom.html');

  test('is read for every request, and replaced by the embedded panel when it is unreadable', async () => {
    const log = recordingLog();
    const custom = startTestServer({
      handlers: { panel: createPanelHandler({ embedded: document, panelPath: path, log, onOpen }) },
    });
    const read = async (headers: Record<string, string> = plain) => fetch(`${custom.url}/management.html`, { headers });
    try {
      expect(await (await read()).text()).toBe(html);
      await read();
      expect(log.lines.map(({ level }) => level)).toEqual(['warn']);

      writeFileSync(path, 'mine');
      utimesSync(path, 1_700_000_000, 1_700_000_000.9);
      const first = await read();
      expect(await first.text()).toBe('mine');
      expect(Object.fromEntries(first.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-length': '4',
        'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': "connect-src 'self'; frame-ancestors 'self'",
      });
      expect(first.headers.has('etag')).toBe(false);
      expect((await read({ 'if-modified-since': 'Tue, 14 Nov 2023 22:13:20 GMT' })).status).toBe(304);
      expect((await read({ 'if-modified-since': 'Tue, 14 Nov 2023 22:13:19 GMT' })).status).toBe(200);
      expect(await (await read({ range: 'bytes=1-2' })).text()).toBe('in');
      expect((await read({ range: 'bytes=1-2', 'if-range': 'Tue, 14 Nov 2023 22:13:20 GMT' })).status).toBe(206);

      writeFileSync(path, 'replaced');
      expect(await (await read()).text()).toBe('replaced');
    } finally {
      await custom.stop(0);
    }
  });

  test('that is a folder is ignored', async () => {
    const panel = createPanelHandler({ embedded: document, panelPath: folder, log: recordingLog(), onOpen });
    const custom = startTestServer({ handlers: { panel } });
    expect(await (await fetch(`${custom.url}/management.html`)).text()).toBe(html);
    await custom.stop(0);
  });
});

test('a build without a panel reports that', async () => {
  const panel = createPanelHandler({ embedded: null, panelPath: '', log: recordingLog(), onOpen });
  const empty = startTestServer({ handlers: { panel } });
  const answer = await fetch(`${empty.url}/management.html`);
  expect([answer.status, await answer.json()]).toMatchObject([500, { code: 'panel_missing' }]);
  await empty.stop(0);
});
