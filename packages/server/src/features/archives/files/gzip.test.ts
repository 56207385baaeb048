import { describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { ArchiveDamaged } from './damaged.ts';
import { createGzipWriter, readSingleMember } from './gzip.ts';

async function compressed(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const written: Uint8Array[] = [];
  const gzip = createGzipWriter(async (bytes) => {
    written.push(bytes.slice());
  });
  for (const part of parts) await gzip.write(part);
  await gzip.end();
  return new Uint8Array(Buffer.concat(written));
}

const TEXT = Buffer.from('one line of an archive\n'.repeat(50_000));
const SIZE = { limitBytes: TEXT.length, expectedBytes: TEXT.length };

test('written files are readable by us and by other programs', async () => {
  const file = await compressed(TEXT.subarray(0, 10), TEXT.subarray(10, 700_000), TEXT.subarray(700_000));
  expect(Buffer.from(readSingleMember(file, SIZE)).equals(TEXT)).toBe(true);
  expect(gunzipSync(file).equals(TEXT)).toBe(true);
  expect(file.length).toBeLessThan(TEXT.length / 50);
});

test('the header has neither time nor name nor system', async () => {
  expect([...(await compressed(TEXT)).subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
});

test.each([0, 1, 1_000, TEXT.length - 1, TEXT.length, TEXT.length + 1, 2 ** 40])(
  'content may be as large as the limit and no larger, when %d bytes are expected',
  async (expectedBytes) => {
    const file = await compressed(TEXT);
    const content = readSingleMember(file, { limitBytes: TEXT.length, expectedBytes });
    expect(Buffer.from(content).equals(TEXT)).toBe(true);
    expect(() => readSingleMember(file, { limitBytes: TEXT.length - 1, expectedBytes })).toThrow(ArchiveDamaged);
  },
);

test('empty content is a member too', async () => {
  expect(readSingleMember(await compressed(), { limitBytes: 1, expectedBytes: 0 })).toHaveLength(0);
});

describe('refused is', () => {
  const cases: readonly (readonly [string, (file: Uint8Array) => Uint8Array])[] = [
    ['a second member', (file) => Buffer.concat([file, file])],
    ['an empty second member', (file) => Buffer.concat([file, Bun.gzipSync(new Uint8Array(0))])],
    ['a byte behind the member', (file) => Buffer.concat([file, Buffer.of(0)])],
    ['a file without its last byte', (file) => file.subarray(0, -1)],
    ['a file without its trailer', (file) => file.subarray(0, -8)],
    ['a file that ends in its content', (file) => file.subarray(0, file.length >> 1)],
    ['a header alone', (file) => file.subarray(0, 10)],
    ['nothing', () => new Uint8Array(0)],
    ['a file with a name in its header', (file) => file.with(3, 8)],
    ['another checksum', (file) => file.with(file.length - 8, (file.at(-8) ?? 0) ^ 1)],
    ['another length', (file) => file.with(file.length - 1, (file.at(-1) ?? 0) ^ 1)],
    ['another byte of content', (file) => file.with(file.length >> 1, (file[file.length >> 1] ?? 0) ^ 0x10)],
  ];
  test.each(cases)('%s', async (_name, change) => {
    const file = change(await compressed(TEXT));
    expect(() => readSingleMember(file, SIZE)).toThrow(ArchiveDamaged);
  });
});
