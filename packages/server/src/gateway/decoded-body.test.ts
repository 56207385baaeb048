import { expect, test } from 'bun:test';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decodedBody } from './decoded-body.ts';
import { GatewayError } from './errors.ts';

const TEXT = '{"usage-statistics-enabled":true}';

async function read(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of decodedBody(new Response(bytes, { headers: { 'Content-Encoding': encoding } }))) {
    parts.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(parts).toString();
}

test.each([
  ['', Buffer.from(TEXT)],
  ['identity', Buffer.from(TEXT)],
  ['gzip', gzipSync(TEXT)],
  ['X-GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
])('%p is undone', async (encoding, bytes) => {
  expect(await read(new Uint8Array(bytes), encoding)).toBe(TEXT);
});

test('an unknown encoding, damaged bytes and a cut stream are errors', async () => {
  expect(await read(new Uint8Array(3), 'compress').catch((error: unknown) => error)).toBeInstanceOf(GatewayError);
  expect(await read(new Uint8Array(30), 'gzip').catch((error: unknown) => error)).toBeInstanceOf(Error);
  const cut = gzipSync(TEXT.repeat(100)).subarray(0, 30);
  expect(await read(new Uint8Array(cut), 'gzip').catch((error: unknown) => error)).toBeInstanceOf(Error);
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(400 * 1024 * 1024), { level: 1 })],
  ['br', brotliCompressSync(Buffer.alloc(400 * 1024 * 1024), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
])('a few kilobytes of %s that stand for 400 MiB cost only what is read of them', async (encoding, bytes) => {
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  expect((await read(new Uint8Array(bytes), encoding, 1024 * 1024)).length).toBeLessThan(4 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});
