import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSecret } from './secret-file.ts';

test('a file that is far too large for a key, or never ends, counts as unreadable', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secret-file-'));
  const path = join(directory, 'key');
  const warnings: string[] = [];
  const read = (from: string) =>
    resolveSecret({ name: 'KEY', value: '', path: from, configuredBy: 'KEY_FILE', isOurs: false }, (text) =>
      warnings.push(text),
    );
  writeFileSync(path, ' the-key \n');
  expect(read(path)).toBe('the-key');
  expect(warnings).toEqual([]);
  writeFileSync(path, Buffer.alloc(65 * 1024, 'k'));
  expect([read(path), read('/dev/zero'), read(directory)]).toEqual(['', '', '']);
  expect(warnings).toEqual([
    `KEY_FILE: the secret file is unreadable: ${path} is larger than 64 KiB, which no key is; the secret counts as unset`,
    'KEY_FILE: the secret file is unreadable: /dev/zero is larger than 64 KiB, which no key is; the secret counts as unset',
    'KEY_FILE: the secret file is missing or unreadable; the secret counts as unset',
  ]);
  rmSync(directory, { recursive: true });
});
