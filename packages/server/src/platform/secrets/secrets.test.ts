import { afterAll, describe, expect, test } from 'bun:test';
import { createHmac, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AdminCredential,
  createAdminCredential,
  generateAdminKey,
  parseAdminCredential,
  verifyAdminCredential,
} from './admin-key.ts';
import { createAdminVerifier } from './admin-verifier.ts';
import { toBase64 } from './base64.ts';
import { bearer } from './bearer.ts';
import { createDataKey, DataKeyError, loadDataKey, parseDataKey } from './data-key.ts';
import { createProtector, isEnvelope } from './envelope.ts';
import { openVault } from './vault.ts';

const root = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let files = 0;
const freshPath = () => join(root, String(++files), 'data.key');

describe('authorization header', () => {
  const cases: [string | null | undefined, string][] = [
    [null, ''],
    [undefined, ''],
    ['', ''],
    ['Bearer abc', 'abc'],
    ['  bEARER   abc  ', 'abc'],
    ['Bearer', ''],
    ['Bearer ', ''],
    ['Bearerabc', ''],
    ['Bearer\tabc', ''],
    ['Basic YTpi', ''],
    ['abc', ''],
  ];
  for (const [header, token] of cases) test(JSON.stringify(header), () => expect(bearer(header)).toBe(token));
});

describe('admin key', () => {
  const make = (key: string, previous?: AdminCredential) =>
    createAdminCredential({ key, source: 'env', nowMs: 5, randomBytes, ...(previous ? { previous } : {}) });

  test('a generated key has 256 bits in the documented form', () => {
    expect(generateAdminKey(randomBytes)).toMatch(/^mgr_[A-Za-z0-9_-]{43}$/);
    expect(generateAdminKey(randomBytes)).not.toBe(generateAdminKey(randomBytes));
  });

  test('is stored as salt and digest, never as text', () => {
    const account = make('  Pässword  ');
    const salt = Buffer.from(account.salt, 'base64');
    expect(salt.length).toBe(16);
    expect(account.keyHash).toBe(toBase64(createHmac('sha256', salt).update('Pässword').digest()));
    expect(account.salt + account.keyHash).not.toContain('=');
    expect(JSON.stringify(account)).not.toContain('ssword');
    expect(account).toMatchObject({ version: 1, iterations: 1, createdAtMs: 5, source: 'env' });
    expect('rotatedAtMs' in account).toBe(false);
  });

  test('a rotation keeps the creation time and takes a new salt', () => {
    const first = make('a');
    const second = createAdminCredential({ key: 'a', source: 'cli', nowMs: 9, randomBytes, previous: first });
    expect(second).toMatchObject({ createdAtMs: 5, rotatedAtMs: 9, source: 'cli' });
    expect(second.salt).not.toBe(first.salt);
  });

  test('a blank key is no key', () => expect(() => make('  ')).toThrow());

  const stored = make('right');
  const cases: [string, Partial<AdminCredential>, string, boolean][] = [
    ['the key', {}, 'right', true],
    ['the key with spaces around', {}, ' right\n', true],
    ['another key', {}, 'wrong', false],
    ['a prefix', {}, 'righ', false],
    ['blank', {}, '  ', false],
    ['salt that does not decode', { salt: '!' }, 'right', false],
    ['empty salt', { salt: '' }, 'right', false],
    ['digest that does not decode', { keyHash: '?' }, 'right', false],
    ['digest of another length', { keyHash: 'AAAA' }, 'right', false],
    ['iterations 0 mean 1', { iterations: 0 }, 'right', true],
    ['iterations below 0 mean 1', { iterations: -4 }, 'right', true],
    ['absurd iterations', { iterations: 2e9 }, 'right', false],
  ];
  for (const [name, change, key, expected] of cases) {
    test(`verify: ${name}`, () => expect(verifyAdminCredential({ ...stored, ...change }, key)).toBe(expected));
  }

  test('verify: a digest of many iterations', () => {
    const salt = Buffer.alloc(16, 7);
    const keyHash = toBase64(pbkdf2Sync('old', salt, 1000, 32, 'sha256'));
    const account = { ...stored, salt: toBase64(salt), keyHash, iterations: 1000 };
    expect(verifyAdminCredential(account, 'old')).toBe(true);
    expect(verifyAdminCredential(account, 'new')).toBe(false);
  });

  test('a missing iterations member means 1', () => {
    const { iterations: _, ...rest } = stored;
    const read = parseAdminCredential(JSON.stringify(rest));
    expect(read && verifyAdminCredential(read, 'right')).toBe(true);
  });

  test('invalid rows', () => {
    for (const text of ['', 'null', '{}', '{"version":2}']) expect(parseAdminCredential(text)).toBeNull();
  });
});

describe('admin verifier', () => {
  const account = createAdminCredential({ key: 'right', source: 'env', nowMs: 1, randomBytes });

  test('reads the row each time', () => {
    let stored: string | null = JSON.stringify(account);
    const verify = createAdminVerifier({ readCredential: () => stored, randomBytes });
    expect(verify('right')).toBe(true);
    stored = JSON.stringify(createAdminCredential({ key: 'next', source: 'cli', nowMs: 1, randomBytes }));
    expect(verify('right')).toBe(false);
    expect(verify('next')).toBe(true);
    stored = null;
    expect(() => verify('next')).toThrow('authorization failed');
  });

  test('a damaged row matches no key', () => {
    const verify = createAdminVerifier({ readCredential: () => '{', randomBytes });
    expect(verify('right')).toBe(false);
  });

  test('an expensive proof is remembered, for this row and token only', () => {
    const salt = Buffer.alloc(16, 3);
    const iterations = 200_000;
    const slow = (key: string) =>
      JSON.stringify({
        ...account,
        salt: toBase64(salt),
        keyHash: toBase64(pbkdf2Sync(key, salt, iterations, 32, 'sha256')),
        iterations,
      });
    let stored = slow('old');
    const verify = createAdminVerifier({ readCredential: () => stored, randomBytes });
    expect(verify('old')).toBe(true);
    const started = process.cpuUsage();
    for (let i = 0; i < 100; i++) expect(verify('old')).toBe(true);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(500);
    expect(verify('other')).toBe(false);
    stored = slow('changed');
    expect(verify('old')).toBe(false);
  });
});

describe('data key', () => {
  const key = Buffer.from(randomBytes(32));
  // A key whose base64url form differs from the standard one.
  const odd = Buffer.alloc(32, 0xfb);
  const forms: [string, string, Buffer | null][] = [
    ['base64 without padding', toBase64(key), key],
    ['base64 with padding and newline', `${key.toString('base64')}\n`, key],
    ['base64url', odd.toString('base64url'), odd],
    ['32 raw bytes', 'abcdefghijklmnopqrstuvwxyz!@#$%^', Buffer.from('abcdefghijklmnopqrstuvwxyz!@#$%^')],
    ['empty', '', null],
    ['too short', toBase64(key.subarray(1)), null],
    ['text', 'not a key', null],
  ];
  for (const [name, content, expected] of forms) {
    test(name, () => expect(parseDataKey(content)?.toString('hex')).toBe(expected?.toString('hex')));
  }

  test('an explicit text that is no key is derived', () => {
    const expected = Buffer.from(hkdfSync('sha256', 'my phrase', 'usage-manager', 'data-key-v1', 32));
    expect(loadDataKey(' my phrase ', freshPath())?.equals(expected)).toBe(true);
    expect(loadDataKey(toBase64(key), freshPath())?.equals(key)).toBe(true);
  });

  test('is created private, complete and without leftovers', () => {
    const path = freshPath();
    expect(loadDataKey('', path)).toBeNull();
    const made = createDataKey(path, randomBytes);
    expect(readFileSync(path, 'utf8')).toBe(`${toBase64(made)}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path, '..'))).toEqual(['data.key']);
    expect(loadDataKey('', path)?.equals(made)).toBe(true);
  });

  test('an existing key wins over a new one', () => {
    const path = freshPath();
    const first = createDataKey(path, randomBytes);
    expect(createDataKey(path, randomBytes).equals(first)).toBe(true);
  });

  test('a file that is no key is fatal and stays as it is', () => {
    for (const content of ['', 'garbage']) {
      const path = freshPath();
      mkdirSync(join(path, '..'));
      writeFileSync(path, content);
      expect(() => loadDataKey('', path)).toThrow(DataKeyError);
      expect(() => createDataKey(path, randomBytes)).toThrow(DataKeyError);
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  });

  test('a directory is fatal', () => {
    const path = freshPath();
    mkdirSync(path, { recursive: true });
    expect(() => loadDataKey('', path)).toThrow(DataKeyError);
  });

  test('a pipe is fatal and does not block the start; nor does an endless device', () => {
    const path = freshPath();
    mkdirSync(join(path, '..'));
    Bun.spawnSync(['mkfifo', path]);
    expect(() => loadDataKey('', path)).toThrow('is not a regular file');
    expect(() => loadDataKey('', '/dev/zero')).toThrow(DataKeyError);
  });
});

describe('envelope', () => {
  const protector = createProtector(Buffer.alloc(32, 1), randomBytes);

  test('opens what it sealed, with fresh text each time', () => {
    const first = protector.seal(' upstream-key ');
    const second = protector.seal('upstream-key');
    expect(first).not.toBe(second);
    expect(first).toMatch(/^enc:v1:[A-Za-z0-9+/]{16}:[A-Za-z0-9+/]+$/);
    expect(protector.open(first)).toEqual({ ok: true, secret: 'upstream-key' });
    expect(protector.open(second)).toEqual({ ok: true, secret: 'upstream-key' });
  });

  test('another key, or one changed byte, opens nothing', () => {
    const sealed = protector.seal('k');
    expect(createProtector(Buffer.alloc(32, 2), randomBytes).open(sealed)).toEqual({ ok: false });
    const changed = sealed[24] === 'A' ? 'B' : 'A';
    expect(protector.open(sealed.slice(0, 24) + changed + sealed.slice(25))).toEqual({ ok: false });
  });

  test('blank stays blank', () => expect(protector.seal('  ')).toBe(''));

  test('a secret that looks like an envelope is encrypted anyway', () => {
    const secret = 'enc:v1:my-secret';
    const sealed = protector.seal(secret);
    expect(sealed).not.toContain('my-secret');
    expect(protector.open(sealed)).toEqual({ ok: true, secret });
    expect(protector.open(secret)).toEqual({ ok: true, secret });
  });

  const nonce = 'A'.repeat(16);
  const body = 'A'.repeat(22);
  const shapes: [string, boolean][] = [
    [`enc:v1:${nonce}:${body}`, true],
    [`enc:v1:${nonce}:${'A'.repeat(20)}`, false],
    [`enc:v1:${'A'.repeat(14)}:${body}`, false],
    [`enc:v1:${nonce}:${body}:x`, false],
    [`enc:v1:${nonce}`, false],
    [`enc:v1:${nonce}:${body}==`, false],
    [`enc:v2:${nonce}:${body}`, false],
    ['enc:v1:', false],
  ];
  for (const [text, expected] of shapes) test(`is ${text}?`, () => expect(isEnvelope(text)).toBe(expected));
});

describe('vault', () => {
  const open = (path: string, explicitText = '') => openVault({ explicitText, path, randomBytes });

  test('creates a key only when a secret is written', () => {
    const path = freshPath();
    const vault = open(path);
    expect(vault.hasKey()).toBe(false);
    expect(vault.seal(' ')).toBe('');
    expect(vault.hasKey()).toBe(false);
    const sealed = vault.seal('s');
    expect(vault.hasKey()).toBe(true);
    expect(open(path).open(sealed)).toEqual({ ok: true, secret: 's' });
    expect(vault.ensureKey()).toBe(false);
  });

  test('a restored key file is used instead of a new one', () => {
    const path = freshPath();
    const sealed = open(path).seal('s');
    const saved = readFileSync(path);
    rmSync(path);
    const vault = open(path);
    expect(vault.open(sealed)).toEqual({ ok: false });
    writeFileSync(path, saved);
    vault.seal('other');
    expect(vault.open(sealed)).toEqual({ ok: true, secret: 's' });
  });

  test('an explicit text needs no file', () => {
    const path = freshPath();
    const sealed = open(path, 'phrase').seal('s');
    expect(open(freshPath(), 'phrase').open(sealed)).toEqual({ ok: true, secret: 's' });
    expect(() => statSync(path)).toThrow();
  });
});
