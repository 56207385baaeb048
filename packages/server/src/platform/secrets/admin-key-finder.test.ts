import { describe, expect, spyOn, test } from 'bun:test';
import { createAdminCredential } from './admin-key.ts';
import { createAdminKeyFinder } from './admin-key-finder.ts';

const GENERATED = 'mgr_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde';
const CHOSEN = 'correct horse+battery&staple=1';
const base64 = (text: string) => Buffer.from(text).toString('base64');

function rowOf(key: string, iterations = 1): string {
  const row = createAdminCredential({ key, source: 'env', nowMs: 0, randomBytes: (size) => new Uint8Array(size) });
  return JSON.stringify({ ...row, iterations });
}

/** A search that knows the key, or only its digest, as after a start. */
function searchFor(key: string, isKnown: boolean): (text: string) => boolean {
  const finder = createAdminKeyFinder(() => rowOf(key));
  if (isKnown) finder.learn(key);
  return (text) => finder.search()(text);
}

const CARRIERS: readonly [name: string, write: (key: string) => string][] = [
  ['alone', (key) => key],
  ['bearer', (key) => `Bearer ${key}`],
  ['bearer with a rest', (key) => `Bearer ${key} x`],
  ['a second Authorization', (key) => `Bearer sk-other, Bearer ${key}`],
  ['basic', (key) => `Basic ${base64(`admin:${key}`)}`],
  ['basic with the key as it is', (key) => `Basic ${key}`],
  ['a cookie', (key) => `theme=dark; token=${key}; x=1`],
  ['a quoted cookie', (key) => `token="${key}"`],
  ['an address', (key) => `https://manager.test/management.html?key=${encodeURIComponent(key)}#/x`],
  ['a subprotocol', (key) => `binary, token.${key}`],
  ['a parameter', (key) => `key=${encodeURIComponent(key)}`],
  ['a parameter encoded twice', (key) => `key=${encodeURIComponent(encodeURIComponent(key))}`],
  ['every character encoded', (key) => [...key].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
  ['base64 in a parameter', (key) => `auth=${encodeURIComponent(base64(key))}`],
  ['base64 of an encoded key', (key) => base64(encodeURIComponent(`:${key}`))],
  ['JSON', (key) => JSON.stringify({ auth: { key } })],
];

describe.each([
  ['generated', GENERATED],
  ['chosen', CHOSEN],
])('a %s key', (_kind, key) => {
  test.each(CARRIERS)('is found as %s, also before anybody used it', (_name, write) => {
    expect([searchFor(key, true)(write(key)), searchFor(key, false)(write(key))]).toEqual([true, true]);
  });

  test.each(CARRIERS)('another key is not taken for it: %s', (_name, write) => {
    const other = key.replace(/.$/, '2');
    expect([searchFor(key, true)(write(other)), searchFor(key, false)(write(other))]).toEqual([false, false]);
  });
});

test('a passphrase of many words is found wherever a key is usually written', () => {
  const key = 'a passphrase of far more than eight words, with a comma';
  const search = searchFor(key, false);
  const encoded = encodeURIComponent(key);
  for (const text of [key, `Bearer ${key}`, `x=1&key=${encoded}&y=2`, `a=b; key=${encoded}`, base64(key)])
    expect(search(text)).toBe(true);
});

test('a short key counts where it stands alone, not as a part of a word', () => {
  for (const isKnown of [true, false]) {
    const search = searchFor('json', isKnown);
    expect([search('Bearer json'), search('application/jsonp')]).toEqual([true, false]);
  }
});

test('ordinary headers are checked completely before the key is known', () => {
  const search = createAdminKeyFinder(() => rowOf(GENERATED)).search();
  const headers = [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
    '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
    'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
    'Bearer sk-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIj',
    'https://manager.test/v0/resource/plugins/p/index.html',
    'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
  ];
  expect(headers.filter(search)).toEqual([]);
});

test('a text with more parts than can be checked counts as the key, until the key is known', () => {
  const finder = createAdminKeyFinder(() => rowOf(GENERATED));
  const long = Array.from({ length: 5000 }, (_, index) => `part${index}`).join(' ');
  expect(finder.search()(long)).toBe(true);
  expect(finder.search()('%25'.repeat(20_000))).toBe(true);
  finder.learn(GENERATED);
  expect(finder.search()(long)).toBe(false);
});

test.each([
  ['short words', (index: number) => `X-${index} abcdefg${index}`],
  ['words that may be base64', (index: number) => base64(`text number ${index}`)],
])('64 KiB of %s are not all decoded: that would stop the manager for others', (_name, write) => {
  const parts: string[] = [];
  for (let size = 0; size < 64 * 1024; size += 1 + (parts.at(-1)?.length ?? 0)) parts.push(write(parts.length));
  for (const texts of [parts.slice(0, 1000), [parts.join(' ')]]) {
    for (const isKnown of [true, false]) {
      const finder = createAdminKeyFinder(() => rowOf(GENERATED));
      if (isKnown) finder.learn(GENERATED);
      const search = finder.search();
      const decoding = spyOn(Buffer, 'from');
      try {
        for (const text of texts) search(text);
        const decoded = decoding.mock.calls.filter((call: readonly unknown[]) => call[1] === 'base64').length;
        expect(decoded).toBeLessThan(isKnown ? 100 : 11_000);
      } finally {
        decoding.mockRestore();
      }
    }
  }
});

test('more than can be read for one request counts as the key', () => {
  for (const isKnown of [true, false]) {
    const finder = createAdminKeyFinder(() => rowOf(GENERATED));
    if (isKnown) finder.learn(GENERATED);
    let nested = 'x'.repeat(40_000);
    for (let depth = 0; depth < 4; depth += 1) nested = base64(nested);
    const headers = [
      nested,
      '%41'.repeat(20_000),
      'a.'.repeat(60_000),
      'a b;'.repeat(1000),
      `${'y'.repeat(600_000)} z`,
    ];
    const search = finder.search();
    expect(headers.map(search).at(-1)).toBe(true);
  }
});

test('a digest of many iterations is checked twice; the rest waits for the first use of the key', () => {
  const finder = createAdminKeyFinder(() => rowOf(GENERATED, 2));
  expect(finder.search()('Bearer sk-other')).toBe(false);
  expect(finder.search()('one two three')).toBe(true);
});

test('a key that was replaced is forgotten', () => {
  let row = rowOf(GENERATED);
  const finder = createAdminKeyFinder(() => row);
  finder.learn(GENERATED);
  expect(finder.search()(GENERATED)).toBe(true);
  row = rowOf(CHOSEN);
  expect([finder.search()(GENERATED), finder.search()(CHOSEN)]).toEqual([false, true]);
});

test('without a stored key nothing is one', () => {
  expect(createAdminKeyFinder(() => null).search()(GENERATED)).toBe(false);
  expect(createAdminKeyFinder(() => '{').search()(GENERATED)).toBe(false);
});

test.each([GENERATED, `${GENERATED}-and-a-longer-part`])("a viewer's token is found beside the key %s", (key) => {
  const token = `mgv_${'Ab0_-'.repeat(8)}xyz`;
  for (const isKnown of [true, false]) {
    for (const [, write] of CARRIERS) expect(searchFor(key, isKnown)(write(token))).toBe(true);
    expect(searchFor(key, isKnown)(base64(token.slice(0, -1)))).toBe(false);
  }
});
