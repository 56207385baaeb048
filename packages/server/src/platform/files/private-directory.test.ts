import { afterAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { retryHeld } from './held-files.ts';
import { openPrivateDirectory } from './private-directory.ts';
import { UnsafeFileError } from './verified-file.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manager-files-'));
  folders.push(folder);
  return folder;
}

async function setUp() {
  const base = temporaryFolder();
  return { base, directory: await openPrivateDirectory(base, 'private') };
}

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

describe('modes', () => {
  test.each([0o000, 0o022, 0o777])('are 0700 and 0600 under a umask of %o', async (umask) => {
    const base = temporaryFolder();
    const before = process.umask(umask);
    try {
      const directory = await openPrivateDirectory(base, 'private');
      await directory.publish('published', 'text');
      await (await directory.create('created')).close();
      const inner = await directory.subdirectory('inner');
      await inner.publish('published', 'text');
      expect([directory.path(), inner.path()].map(modeOf)).toEqual([0o700, 0o700]);
      expect([directory.path('published'), directory.path('created'), inner.path('published')].map(modeOf)).toEqual([
        0o600, 0o600, 0o600,
      ]);
    } finally {
      process.umask(before);
    }
  });

  test('of others are refused only on request', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'text');
    chmodSync(directory.path('file'), 0o640);
    expect(await directory.read('file', { limitBytes: 10 })).toEqual(new Uint8Array(Buffer.from('text')));
    expect(directory.read('file', { limitBytes: 10, requirePrivate: true })).rejects.toThrow('is accessible to others');
    chmodSync(directory.path('file'), 0o600);
    chmodSync(directory.path(), 0o755);
    expect(directory.open('file', { requirePrivate: true })).rejects.toThrow('is accessible to others');
  });
});

describe('publish', () => {
  test('replaces the old file and leaves nothing else behind', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'first');
    await directory.publish('file', async (file) => {
      await file.write(Buffer.from('sec'));
      await file.write(Buffer.from('ond'));
    });
    expect(readFileSync(directory.path('file'), 'utf8')).toBe('second');
    expect(readdirSync(directory.path())).toEqual(['file']);
  });

  test('asks for a name after the content was written', async () => {
    const { directory } = await setUp();
    let written = '';
    await directory.publish(
      () => written,
      async (file) => {
        await file.write('text');
        written = 'file';
      },
    );
    expect(readFileSync(directory.path('file'), 'utf8')).toBe('text');
    await expect(directory.publish(() => '../up', 'text')).rejects.toBeInstanceOf(UnsafeFileError);
    expect(readdirSync(directory.path())).toEqual(['file']);
  });

  test('has the whole content on disk before the name changes', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'old');
    let during: string[] = [];
    await directory.publish('file', 'new', {
      beforeRename: () => {
        during = readdirSync(directory.path()).map((name) => readFileSync(directory.path(name), 'utf8'));
      },
    });
    expect(during.toSorted()).toEqual(['new', 'old']);
  });

  test('that fails keeps the old file, removes the temporary one and throws the first error', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'old');
    const failing = directory.publish('file', async (file) => {
      await file.write(Buffer.from('half'));
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(readFileSync(directory.path('file'), 'utf8')).toBe('old');
    expect(readdirSync(directory.path())).toEqual(['file']);
  });

  test('reports the first error, not that of removing the temporary file', async () => {
    const { directory } = await setUp();
    const failing = directory.publish('file', async () => {
      rmSync(directory.path(), { recursive: true });
      throw new Error('the disk is full');
    });
    expect(failing).rejects.toThrow('the disk is full');
  });

  test('replaces a link by the file, and does not write to its target', async () => {
    const { base, directory } = await setUp();
    writeFileSync(join(base, 'outside'), 'outside');
    symlinkSync(join(base, 'outside'), directory.path('file'));
    await directory.publish('file', 'ours');
    expect(lstatSync(directory.path('file')).isFile()).toBe(true);
    expect(readFileSync(join(base, 'outside'), 'utf8')).toBe('outside');
  });

  test('leaves temporary files after a crash, which are removed by name', async () => {
    const base = temporaryFolder();
    const directory = await openPrivateDirectory(base, 'private', {
      temporary: { prefix: '.session-', suffix: '.tmp' },
    });
    writeFileSync(directory.path('.session-0123.tmp'), 'half');
    writeFileSync(directory.path('.session-other'), 'not ours');
    symlinkSync('nowhere', directory.path('.session-link.tmp'));
    await directory.publish('file', 'text');
    expect(await directory.removeTemporary()).toBe(2);
    expect((await directory.list()).map(({ name }) => name)).toEqual(['.session-other', 'file']);
  });
});

describe('create', () => {
  test('refuses a name that is taken, also by a link to nothing', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'text');
    symlinkSync('nowhere', directory.path('link'));
    expect(directory.create('file')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(directory.create('link')).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe('links', () => {
  test('on the way to the base are followed once', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'volume'));
    symlinkSync(join(folder, 'volume'), join(folder, 'data'));
    const directory = await openPrivateDirectory(join(folder, 'data'), 'private');
    await directory.publish('file', 'text');
    expect(existsSync(join(folder, 'volume', 'private', 'file'))).toBe(true);
    mkdirSync(join(folder, 'elsewhere'));
    rmSync(join(folder, 'data'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'data'));
    expect(await directory.read('file', { limitBytes: 10 })).toHaveLength(4);
  });

  test('as the directory itself are refused, at the start and later', async () => {
    const { base, directory } = await setUp();
    await directory.publish('file', 'text');
    renameSync(directory.path(), join(base, 'moved'));
    symlinkSync(join(base, 'moved'), join(base, 'private'));
    await expect(openPrivateDirectory(base, 'private')).rejects.toBeInstanceOf(UnsafeFileError);
    for (const use of [
      () => directory.read('file', { limitBytes: 10 }),
      () => directory.publish('file', 'text'),
      () => directory.create('another'),
      () => directory.remove('file'),
      () => directory.list(),
      () => directory.subdirectory('inner'),
    ])
      await expect(use()).rejects.toBeInstanceOf(UnsafeFileError);
    expect(readdirSync(join(base, 'moved'))).toEqual(['file']);
  });

  test('in place of a subdirectory or above it are refused', async () => {
    const { base, directory } = await setUp();
    const inner = await directory.subdirectory('inner');
    await inner.publish('file', 'text');
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), directory.path('link'));
    await expect(directory.subdirectory('link')).rejects.toBeInstanceOf(UnsafeFileError);
    renameSync(directory.path(), join(base, 'moved'));
    symlinkSync(join(base, 'moved'), directory.path());
    await expect(inner.read('file', { limitBytes: 10 })).rejects.toBeInstanceOf(UnsafeFileError);
  });

  test('in place of a file are refused and removed without changing their target', async () => {
    const { base, directory } = await setUp();
    writeFileSync(join(base, 'outside'), 'outside');
    symlinkSync(join(base, 'outside'), directory.path('file'));
    await expect(directory.open('file')).rejects.toBeInstanceOf(UnsafeFileError);
    await expect(directory.read('file', { limitBytes: 10 })).rejects.toBeInstanceOf(UnsafeFileError);
    expect(await directory.list()).toEqual([{ name: 'file', kind: 'other' }]);
    expect(await directory.remove('file')).toBe(true);
    expect(existsSync(join(base, 'outside'))).toBe(true);
  });
});

describe('a file', () => {
  test('that is replaced during a read is detected', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'first');
    await using file = await directory.open('file');
    await file.requireUnchanged();
    await directory.publish('file', 'other');
    expect(file.requireUnchanged()).rejects.toThrow('was replaced');
  });

  test('can be written in place', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'first');
    await using file = await directory.open('file', { write: true });
    await file.handle.write(Buffer.from('!'), 0, 1, file.size);
    expect(readFileSync(directory.path('file'), 'utf8')).toBe('first!');
  });

  test('larger than the limit is not read', async () => {
    const { directory } = await setUp();
    await directory.publish('file', 'first');
    expect(await directory.read('file', { limitBytes: 5 })).toHaveLength(5);
    expect(directory.read('file', { limitBytes: 4 })).rejects.toBeInstanceOf(UnsafeFileError);
  });

  test('that is no file is refused', async () => {
    const { directory } = await setUp();
    await directory.subdirectory('inner');
    expect(directory.open('inner')).rejects.toThrow('is not a regular file');
    expect(directory.open('absent')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that is absent is no error to remove', async () => {
    const { directory } = await setUp();
    expect(await directory.remove('absent')).toBe(false);
  });
});

test.each(['', '.', '..', '../up', 'a/b', 'a\\b', 'a\0b'])('the name %j is refused', async (name) => {
  const { directory } = await setUp();
  await expect(directory.create(name)).rejects.toBeInstanceOf(UnsafeFileError);
  await expect(directory.publish(name, '')).rejects.toBeInstanceOf(UnsafeFileError);
  await expect(directory.remove(name)).rejects.toBeInstanceOf(UnsafeFileError);
  await expect(directory.subdirectory(name)).rejects.toBeInstanceOf(UnsafeFileError);
});

test('a subdirectory is created only where it may be', async () => {
  const { directory } = await setUp();
  await expect(directory.subdirectory('inner', { create: false })).rejects.toMatchObject({ code: 'ENOENT' });
  await directory.subdirectory('inner');
  expect((await directory.subdirectory('inner', { create: false })).path()).toBe(directory.path('inner'));
});

describe('a file that another program holds', () => {
  const failing = (code: string, times: number) => {
    let calls = 0;
    return async () => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error(code), { code });
      return calls;
    };
  };

  test('is retried on Windows', async () => {
    expect(await retryHeld(failing('EPERM', 2), 'win32')).toBe(3);
  });

  test.each([
    ['EPERM', 'linux'],
    ['ENOSPC', 'win32'],
  ])('but %s on %s is not', async (code, platform) => {
    await expect(retryHeld(failing(code, 1), platform)).rejects.toMatchObject({ code });
  });
});
