import { expect, test } from 'bun:test';
import { readText } from './configuration-calls.ts';

const answer = (body: BodyInit, type = 'application/yaml') => new Response(body, { headers: { 'content-type': type } });

test('a configuration is read byte for byte, its byte order mark too', async () => {
  expect(await readText(answer('\ufeffport: 1\r\n'), 5)).toBe('\ufeffport: 1\r\n');
});

test.each([
  ['a page of a proxy', answer('<html><title>Sign in</title></html>', 'text/html; charset=utf-8'), /HTML page/],
  ['bytes that are no UTF-8', answer(new Uint8Array([0x61, 0x3a, 0x20, 0xe9, 0xff])), /not UTF-8/],
] as const)('%s is no configuration', async (_, given, message) => {
  const failed = await readText(given, 5).catch((error: unknown) => error);
  expect(failed).toMatchObject({ kind: 'shape', status: 200, atMs: 5 });
  expect((failed as Error).message).toMatch(message);
});
