import { afterAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createPanelPartHandler } from './panel-part.ts';
import { startTestServer } from './testing.ts';

const script = 'export const createCodeEditor = () => null;\n'.repeat(20);
const plain = new Uint8Array(Buffer.from(script));
const digest = createHash('sha256').update(plain).digest('hex');
const br = new Uint8Array(brotliCompressSync(plain));
const server = startTestServer({
  handlers: {
    codeEditor: createPanelPartHandler({ br }),
    panelScript: createPanelPartHandler({ br, gzip: new Uint8Array(gzipSync(plain)) }),
  },
});
afterAll(() => server.stop(0));
const read = (query: string, headers: Record<string, string> = { 'accept-encoding': 'identity' }) =>
  fetch(`${server.url}/usage-service/code-editor.js${query}`, { headers, decompress: false });

test('the code editor is sent plain or compressed, under tags of their own', async () => {
  const answer = await read('');
  expect(await answer.text()).toBe(script);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(plain.length),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    etag: `"${digest.slice(0, 32)}"`,
  });
  const compressed = await read('', { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(script);
  expect(compressed.headers.get('etag')).toBe(`"${digest.slice(0, 32)}-br"`);
});

test('only the file that was asked for by its digest is kept for good', async () => {
  expect((await read(`?digest=${digest}`)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await read(`?digest=${'0'.repeat(64)}`)).headers.get('cache-control')).toBe('no-cache');
});

test('a browser that has it gets no body', async () => {
  const known = { 'accept-encoding': 'identity', 'if-none-match': `"${digest.slice(0, 32)}"` };
  const answer = await read('', known);
  expect([answer.status, await answer.text()]).toEqual([304, '']);
  const head = await fetch(`${server.url}/usage-service/code-editor.js`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test.each([
  ['/usage-service/panel.js', 'gzip, deflate', 'gzip'],
  ['/usage-service/panel.js', 'gzip, deflate, br', 'br'],
  ['/usage-service/code-editor.js', 'gzip, deflate', null],
])('%s for a browser that accepts %s: %s', async (path, accepted, encoding) => {
  const answer = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': accepted }, decompress: false });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('etag')).toBe(`"${digest.slice(0, 32)}${encoding === null ? '' : `-${encoding}`}"`);
  const body = Buffer.from(await answer.arrayBuffer());
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, plain: (bytes: Buffer) => bytes }[encoding ?? 'plain'];
  expect(unpack?.(body).toString()).toBe(script);
});
