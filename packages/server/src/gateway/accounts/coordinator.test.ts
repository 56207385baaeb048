import { describe, expect, test } from 'bun:test';
import { createAuthFileCoordinator } from './coordinator.ts';

const never = new AbortController().signal;

/** Starts work that ends on request, and records the order of starts. */
function bench() {
  const coordinator = createAuthFileCoordinator();
  const begun: string[] = [];
  const start = (name: string, files: readonly string[] | null, signal = never) => {
    const gate = Promise.withResolvers<void>();
    const work = () => {
      begun.push(name);
      return gate.promise;
    };
    const done = files === null ? coordinator.withAll(signal, work) : coordinator.withFiles(files, signal, work);
    done.catch(() => {});
    return { done, end: () => gate.resolve() };
  };
  return { begun, start };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the lock over auth files', () => {
  test('different files run in parallel, one file one at a time, whatever its spelling', async () => {
    const { begun, start } = bench();
    const first = start('first', ['A.json']);
    start('other', ['b.json']);
    start('second', [' a.JSON ']);
    await settle();
    expect(begun).toEqual(['first', 'other']);
    first.end();
    await settle();
    expect(begun).toEqual(['first', 'other', 'second']);
  });

  test('the lock over all waits for holders and holds back later ones, so it is never starved', async () => {
    const { begun, start } = bench();
    const holder = start('holder', ['a']);
    const all = start('all', null);
    start('later', ['b']);
    await settle();
    expect(begun).toEqual(['holder']);
    holder.end();
    await settle();
    expect(begun).toEqual(['holder', 'all']);
    all.end();
    await settle();
    expect(begun).toEqual(['holder', 'all', 'later']);
  });

  test('several keys are taken together', async () => {
    const { begun, start } = bench();
    const a = start('a', ['a']);
    const both = start('both', ['b', 'a']);
    start('b', ['b']);
    await settle();
    expect(begun).toEqual(['a']);
    a.end();
    await settle();
    expect(begun).toEqual(['a', 'both']);
    both.end();
    await settle();
    expect(begun).toEqual(['a', 'both', 'b']);
  });

  test('a caller that disconnects while waiting gets 408 and unblocks the others', async () => {
    const { begun, start } = bench();
    start('holder', ['a']);
    const abort = new AbortController();
    const all = start('all', null, abort.signal);
    start('later', ['b']);
    abort.abort();
    expect(await all.done.catch((error: unknown) => error)).toMatchObject({ status: 408 });
    await settle();
    expect(begun).toEqual(['holder', 'later']);
  });

  test('failing work frees its files', async () => {
    const coordinator = createAuthFileCoordinator();
    const failing = coordinator.withFiles(['a'], never, () => Promise.reject(new Error('no')));
    expect(await failing.catch((error: unknown) => error)).toBeInstanceOf(Error);
    expect(await coordinator.withFiles(['a'], never, async () => 'free')).toBe('free');
  });
});
