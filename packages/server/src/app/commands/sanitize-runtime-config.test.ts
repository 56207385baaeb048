import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { commandFolder } from './testing/command-folder.ts';

const { inside, names, file, run } = commandFolder();

describe('sanitize-runtime-config', () => {
  test('removes the connection and keeps the rest, with the exact numbers and the file mode', async () => {
    file(
      'in.json',
      '{"httpAddr":"x","cpaUpstreamUrl":"u","upstreamUrl":"u","managementKeyFile":"f","big":12345678901234567890,"exp":1E+2,"nested":{"upstreamUrl":"kept","n":1.10},"list":[1.0]}',
    );
    chmodSync(inside('in.json'), 0o640);
    expect((await run('sanitize-runtime-config --input in.json --output out.json')).code).toBe(0);
    const text = readFileSync(inside('out.json'), 'utf8');
    for (const part of ['12345678901234567890', '1E+2', '1.10', '1.0', '"upstreamUrl": "kept"'])
      expect(text).toContain(part);
    for (const part of ['cpaUpstreamUrl', 'managementKeyFile', '"u"']) expect(text).not.toContain(part);
    expect(statSync(inside('out.json')).mode & 0o777).toBe(0o640);
    expect(names()).toEqual(['in.json', 'out.json']);
  });

  test('may overwrite its input', async () => {
    file('c.json', '{"upstreamUrl":"u"}');
    expect((await run('sanitize-runtime-config --input c.json --output c.json')).code).toBe(0);
    expect(readFileSync(inside('c.json'), 'utf8')).toBe('{}\n');
  });

  test('takes exactly one object from a regular file', async () => {
    for (const content of ['[]', '1', '{}{}', '', 'null', '"x"']) {
      file('c.json', content);
      expect((await run('sanitize-runtime-config --input c.json --output o.json')).err).toContain(
        'not one JSON object',
      );
    }
    symlinkSync(inside('c.json'), inside('link'));
    for (const name of ['link', '.', 'missing']) {
      expect((await run(`sanitize-runtime-config --input ${name} --output o.json`)).err).toContain(
        'not a regular file',
      );
    }
    expect(existsSync(inside('o.json'))).toBe(false);
  });

  test('replaces nothing but a regular file', async () => {
    file('c.json', '{"upstreamUrl":"u"}');
    symlinkSync(inside('c.json'), inside('link'));
    symlinkSync(inside('nowhere'), inside('dangling'));
    mkdirSync(inside('folder'));
    const before = names();
    for (const name of ['link', 'dangling', 'folder']) {
      const { code, err } = await run(`sanitize-runtime-config --input c.json --output ${name}`);
      expect(code).toBe(1);
      expect(err).toContain(`${inside(name)} is not a regular file; nothing was changed`);
    }
    expect(names()).toEqual(before);
    expect(lstatSync(inside('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(inside('c.json'), 'utf8')).toContain('upstreamUrl');
  });
});
