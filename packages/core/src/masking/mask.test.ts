import { describe, expect, test } from 'bun:test';
import { createMasker, maskFile, maskIp, maskLog, maskMiddle, maskSource, maskText, PLAIN } from './mask.ts';
import { maskKey } from './mask-key.ts';

describe('masking', () => {
  test.each([
    ['ops@example.com', 'ops***@example.com'],
    ['a@example.com', 'a***@example.com'],
    ['limit of ops.team@example.com reached', 'limit of ops***@example.com reached'],
    ['key sk-ant-1234567890abcdef is bad', 'key sk-…ef is bad'],
    ['from 203.0.113.7', 'from 203.0.*.*'],
    [
      'two: a.b@x.org,c@y.org; no@ address, @none, x@nodot',
      'two: a.b***@x.org,c***@y.org; no@ address, @none, x@nodot',
    ],
    ['jürgen.müller@büro.example', 'jür***@büro.example'],
    ['a@b@example.org', 'a@b***@example.org'],
    ['claude-sonnet-4.5', 'claude-sonnet-4.5'],
    ['', ''],
  ])('text %p becomes %p', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  test('texts of a megabyte, such as an image in a request, are masked at once', () => {
    const started = process.cpuUsage();
    for (const part of ['iVBORw0KGgoAAAANSUhEUgAA', '@', 'a@', 'a@b.', '1.', 'sk-', 'é', '"key":"', '😀@x']) {
      for (const text of [part.repeat(1_000_000 / part.length), `${part.repeat(100_000)}@example.org`]) maskLog(text);
    }
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000);
  });

  test('the text of a log also loses secrets that only their names show', () => {
    expect(maskLog('password=hunter2-x of ops@example.com at 203.0.113.7')).toBe(
      'password=[redacted] of ops***@example.com at 203.0.*.*',
    );
  });

  test('files keep their kind and the first letters of the account', () => {
    expect(maskFile('claude-ops@example.com.json')).toBe('claude-ops***.json');
    expect(maskFile('vertex-project.json')).toBe('vertex-project.json');
  });

  test('a key shows at most a quarter of its characters, and never more than four at each end', () => {
    expect(maskKey('AIzaSyreal-1')).toBe('AI…1');
    expect(maskKey('sk-0123456789abcdef0123456789abcdef')).toBe('sk-0…cdef');
    for (let length = 0; length < 80; length += 1) {
      const masked = maskKey('k'.repeat(length));
      expect(masked.length - 1).toBe(Math.min(8, Math.floor(length / 4)));
    }
  });

  test('keys, addresses and ids keep their ends', () => {
    expect(maskKey('sk-c0123456789041ae')).toBe('sk…ae');
    expect(maskKey('short')).toBe('s…');
    expect(maskIp('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2:*');
    expect(maskMiddle('my-long-project-id')).toBe('my-l***t-id');
  });

  test.each([
    ['ops@example.com', 'ops***@example.com'],
    ['ops***@example.com', 'ops***@example.com'],
    ['provider-key-0001', 'pr…01'],
    ['m:abcd...wxyz', 'm:abcd...wxyz'],
  ])('source %p becomes %p', (source, masked) => {
    expect(maskSource(source)).toBe(masked);
  });

  test('the same input has the same mask, two inputs with one mask are numbered', () => {
    const names = ['opsteam@example.com', 'opsguild@example.com', 'opsfleet@example.com'];
    const order = names.map((name) => ({ accounts: [name], files: [`codex-${name}.json`], projects: [] }));
    // Whatever is shown first.
    for (const shown of [names, names.toReversed()]) {
      const masker = createMasker({ order });
      const masks = new Map(shown.map((name) => [name, [masker.account(name), masker.file(`codex-${name}.json`)]]));
      expect(names.map((name) => masks.get(name))).toEqual([
        ['ops***@example.com', 'codex-ops***.json'],
        ['ops***@example.com (2)', 'codex-ops***.json (2)'],
        ['ops***@example.com (3)', 'codex-ops***.json (3)'],
      ]);
      expect(masker.source('opsguild@example.com')).toBe('ops***@example.com (2)');
    }
  });

  test('names of no known account get a suffix of their own where another has the same mask', () => {
    const strangers = new Map<string, Set<string>>();
    let collisions = 0;
    const masker = (order: readonly string[] = []) =>
      createMasker({
        order: order.map((name) => ({ accounts: [name], files: [], projects: [] })),
        strangers,
        onCollision: () => {
          collisions += 1;
        },
      });
    const first = masker();
    expect(first.account('opsteam@example.com')).toBe('ops***@example.com');
    const other = first.account('opsguild@example.com');
    expect(other).toMatch(/^ops\*\*\*@example\.com \([0-9a-z]{4}\)$/);
    expect(collisions).toBe(1);
    // The first one now has its own too, and both keep them beside known accounts.
    const again = masker(['opsfleet@example.com']);
    const team = again.account('opsteam@example.com');
    expect(team).toMatch(/\([0-9a-z]{4}\)$/);
    expect(new Set([team, again.account('opsguild@example.com'), again.account('opsfleet@example.com')])).toEqual(
      new Set([team, other, 'ops***@example.com']),
    );
    expect(
      createMasker({ order: [{ accounts: ['opsfleet@example.com'], files: [], projects: [] }] }).account(
        'opsteam@example.com',
      ),
    ).toBe(team);
    expect(collisions).toBe(1);
  });

  test('nothing stays nothing', () => {
    expect(createMasker().project('')).toBe('');
    expect(createMasker().account('')).toBe('');
  });

  test('plain shows everything', () => {
    expect(PLAIN.account('ops@example.com')).toBe('ops@example.com');
    expect(PLAIN.on).toBe(false);
  });
});
