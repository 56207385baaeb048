import { describe, expect, test } from 'bun:test';
import { bytesOf, fileOf } from '../testing/rig.ts';
import { sha256 } from '../testing/session-server.ts';
import { createLocalHasher, type HashWorker, openHasher } from './hasher.ts';
import { createPrefixDigest } from './prefix-digest.ts';

const startWorker = (): HashWorker => new Worker(new URL('./hash-worker.ts', import.meta.url).href);
const never = () => new Promise<void>(() => {});
const MIB = 2 ** 20;

describe.each([
  ['in a worker', () => openHasher(startWorker, never)],
  ['in this thread', async () => createLocalHasher()],
] as const)('the digest of the beginning of a file, %s', (_, open) => {
  test('grows with the file, and goes back', async () => {
    const bytes = bytesOf(2 * MIB + 77);
    const digest = createPrefixDigest(fileOf(bytes), await open());
    for (const end of [0, 1, 64, MIB, MIB + 5, 2 * MIB + 77, 100, 2 * MIB])
      expect(await digest.at(end)).toBe(sha256(bytes.subarray(0, end)));
    digest.close();
  });

  test('reports its progress, and can be interrupted and resumed', async () => {
    const bytes = bytesOf(3 * MIB);
    const digest = createPrefixDigest(fileOf(bytes), await open());
    const abort = new AbortController();
    const heard: number[] = [];
    const onProgress = (done: number) => {
      heard.push(done);
      if (done === MIB) abort.abort('pause');
    };
    const broken = digest.at(3 * MIB, { signal: abort.signal, onProgress });
    expect(await broken.catch((reason: unknown) => reason)).toBe('pause');
    expect(await digest.at(3 * MIB, { onProgress })).toBe(sha256(bytes));
    expect(heard).toEqual([MIB, 2 * MIB, 3 * MIB]);
    digest.close();
  });
});

describe('where no worker works', () => {
  test.each([
    [
      'it cannot be made',
      () => {
        throw new Error('refused');
      },
    ],
    ['it does not load', () => new Worker(new URL('./no-such-file.ts', import.meta.url).href) as HashWorker],
  ])('%s: this thread does the work', async (_, start) => {
    const hasher = await openHasher(start, never);
    await hasher.update(bytesOf(100));
    expect(await hasher.hex()).toBe(sha256(bytesOf(100)));
  });

  test('a worker that never answers is given up', async () => {
    let isEnded = false;
    const silent: HashWorker = {
      postMessage() {},
      terminate() {
        isEnded = true;
      },
      onmessage: null,
      onerror: null,
    };
    const hasher = await openHasher(
      () => silent,
      async () => {},
    );
    await hasher.update(bytesOf(100));
    expect(await hasher.hex()).toBe(sha256(bytesOf(100)));
    expect(isEnded).toBe(true);
  });
});

test('a file that is shorter than it was is not hashed', async () => {
  const source = { name: 'a', size: 100, lastModified: 1, slice: () => new Blob(['short']) };
  const digest = createPrefixDigest(source, createLocalHasher());
  expect(await digest.at(100).catch((error: unknown) => error)).toMatchObject({ kind: 'file_changed' });
});
