import { beforeEach, describe, expect, test } from 'bun:test';
import { ApiError } from '../../platform/api/errors.ts';
import type { ClientKeyCalls } from '../../platform/queries/client-keys.ts';
import { sha256HexSync } from '../../platform/sha256.ts';
import { addKey, type RemoveOutcome, removeKey, saveName } from './key-changes.ts';

let listed: string[];
let aliases: Map<string, string>;
let asked: string[];
let aliasesFail: boolean;
/** A change by somebody else, right before a request. */
let meanwhile: (call: string) => void;

const calls: ClientKeyCalls = {
  list: async () => {
    meanwhile('list');
    return listed.map((key, index) => ({ index, key, hash: sha256HexSync(key.trim()) }));
  },
  append: async (key) => {
    meanwhile('append');
    if (!listed.includes(key)) listed.push(key);
  },
  remove: async (index) => {
    asked.push(`remove ${index}`);
    meanwhile('remove');
    if (index >= listed.length) throw status(400);
    listed.splice(index, 1);
  },
  aliases: async () => {
    meanwhile('aliases');
    return new Map(aliases);
  },
  saveAliases: async ({ items, ...options }) => {
    asked.push(JSON.stringify(options));
    if (aliasesFail) throw new Error('no');
    for (const { apiKeyHash, alias } of items ?? []) aliases.set(apiKeyHash, alias);
    return { items: [] };
  },
  removeAlias: async (hash) => {
    if (aliasesFail) throw new Error('no');
    aliases.delete(hash);
  },
};
const hash = sha256HexSync;
const about = { path: 'v0/management/api-keys', atMs: 0 };
const status = (code: number) => new ApiError('status', 'no', { ...about, status: code });
const timeout = new ApiError('timeout', 'timeout', about);

/** The call with the gateway breaking off before or after it, and unreadable from then on. */
function broken<K extends 'append' | 'remove'>(
  call: K,
  options: { applied: boolean; error?: ApiError; deaf?: boolean },
) {
  let isDeaf = false;
  const { applied, error = status(502), deaf = false } = options;
  const work = calls[call] as (argument: never) => Promise<unknown>;
  return {
    ...calls,
    list: async () => {
      if (isDeaf) throw status(502);
      return calls.list();
    },
    [call]: async (argument: never) => {
      if (applied) await work(argument);
      isDeaf = deaf;
      throw error;
    },
  } as ClientKeyCalls;
}

beforeEach(() => {
  listed = ['one', 'two', 'three'];
  aliases = new Map([[hash('two'), 'Two']]);
  asked = [];
  aliasesFail = false;
  meanwhile = () => {};
});

describe('adding', () => {
  const named = (own: string) => ({ own, others: new Map<string, string>(), takeFromOrphan: null });

  test('appends the key without its blanks, and names it', async () => {
    expect(await addKey(calls, ' four ', named('Four'))).toEqual({
      kind: 'added',
      hash: hash('four'),
      aliasError: null,
    });
    expect(listed).toEqual(['one', 'two', 'three', 'four']);
    expect(aliases.get(hash('four'))).toBe('Four');
    expect(asked).toEqual(['{}']);
  });

  test('changes nothing when the key is listed already', async () => {
    expect(await addKey(calls, 'two', named('Zwei'))).toEqual({ kind: 'listed' });
    expect(listed).toHaveLength(3);
    expect(aliases.get(hash('two'))).toBe('Two');
  });

  test('keeps what somebody else has added at the same moment', async () => {
    meanwhile = (call) => {
      if (call === 'append') listed.push('foreign');
    };
    await addKey(calls, 'four', null);
    expect(listed).toEqual(['one', 'two', 'three', 'foreign', 'four']);
  });

  test('reports when the gateway confirms and does not list it', async () => {
    const silent = { ...calls, append: async () => ({ status: 'ok' }) };
    expect(await addKey(silent, 'four', named('Four'))).toEqual({ kind: 'missing' });
    expect(aliases.size).toBe(1);
  });

  test('keeps the key when its name cannot be stored', async () => {
    aliasesFail = true;
    expect(await addKey(calls, 'four', named('Four'))).toMatchObject({ kind: 'added', aliasError: new Error('no') });
    expect(listed).toContain('four');
  });

  test('passes a name to a successor, the old key stays', async () => {
    const others = new Map([[hash('two'), 'Two (old)']]);
    await addKey(calls, 'four', { own: 'Two', others, takeFromOrphan: null });
    expect(listed).toContain('two');
    expect([aliases.get(hash('four')), aliases.get(hash('two'))]).toEqual(['Two', 'Two (old)']);
  });

  test('takes a name from a removed key only with the keys in use, its own among them', async () => {
    await addKey(calls, 'four', { own: 'Left', others: new Map(), takeFromOrphan: ['x'] });
    expect(asked).toEqual([JSON.stringify({ activeApiKeyHashes: ['x', hash('four')], allowOrphanAliasCleanup: true })]);
  });
});

describe('adding without an answer', () => {
  const names = { own: 'Four', others: new Map<string, string>(), takeFromOrphan: null };

  test('is confirmed by the list, with the name', async () => {
    expect(await addKey(broken('append', { applied: true }), 'four', names)).toMatchObject({ kind: 'added' });
    expect(aliases.get(hash('four'))).toBe('Four');
  });

  test('is a failure when the list does not have the key', async () => {
    await expect(addKey(broken('append', { applied: false }), 'four', names)).rejects.toMatchObject({ status: 502 });
  });

  test.each([
    ['the request may still be running', { applied: false, error: timeout }],
    ['the list cannot be read', { applied: true, deaf: true }],
  ])('is unknown while %s', async (_why, options) => {
    expect(await addKey(broken('append', options), 'four', names)).toEqual({ kind: 'unknown' });
    expect(aliases.size).toBe(1);
  });

  test('is completed by a second attempt, whether it was added or not', async () => {
    await addKey(broken('append', { applied: true, deaf: true }), 'four', names);
    expect(await addKey(calls, 'four', names, true)).toMatchObject({ kind: 'added' });
    expect(listed).toEqual(['one', 'two', 'three', 'four']);
    expect(aliases.get(hash('four'))).toBe('Four');
  });
});

describe('removing', () => {
  const removed: RemoveOutcome = { kind: 'removed', aliasError: null, restored: [], lost: [] };
  const only = (name: string, work: () => void) => {
    meanwhile = (call) => {
      if (call !== name) return;
      meanwhile = () => {};
      work();
    };
  };

  test('brings back another key that it took, and removes the right one', async () => {
    listed.push('four');
    // Another program removes the first key between the reading and the removal.
    only('remove', () => listed.shift());
    expect(await removeKey(calls, hash('three'), false)).toMatchObject({
      kind: 'removed',
      restored: [{ key: 'four' }],
      lost: [],
    });
    expect(listed).toEqual(['two', 'four']);
    expect(asked).toEqual(['remove 2', 'remove 1']);
  });

  test('names another key that it took and could not bring back', async () => {
    listed.push('four');
    only('remove', () => listed.shift());
    const closed = { ...calls, append: async () => Promise.reject(status(500)) };
    expect(await removeKey(closed, hash('three'), false)).toMatchObject({ restored: [], lost: [{ key: 'four' }] });
  });

  test('reads again when the list became too short', async () => {
    only('remove', () => listed.shift());
    expect(await removeKey(calls, hash('three'), false)).toEqual(removed);
    expect(listed).toEqual(['two']);
  });

  test('waits for a change that runs', async () => {
    listed.push('four');
    const slow: ClientKeyCalls = {
      ...calls,
      remove: async (index) => {
        await Promise.resolve();
        return calls.remove(index);
      },
    };
    const outcomes = await Promise.all([
      removeKey(slow, hash('three'), false),
      removeKey(calls, hash('one'), false),
      addKey(calls, 'five', null),
      removeKey(calls, hash('three'), false),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['removed', 'removed', 'added', 'gone']);
    expect(listed).toEqual(['two', 'four', 'five']);
    expect(asked).toEqual(['remove 2', 'remove 0']);
  });

  test('without an answer is confirmed by the list', async () => {
    expect(await removeKey(broken('remove', { applied: true }), hash('two'), true)).toEqual(removed);
    expect(aliases.size).toBe(0);
  });

  test('without an answer is a failure when the list still has the key', async () => {
    await expect(removeKey(broken('remove', { applied: false }), hash('two'), true)).rejects.toMatchObject({
      status: 502,
    });
    expect([aliases.size, asked]).toEqual([1, []]);
  });

  test.each([
    ['the request may still be running', { applied: false, error: timeout }],
    ['the list cannot be read', { applied: true, deaf: true }],
  ])('is unknown while %s, and leaves the name', async (_why, options) => {
    expect(await removeKey(broken('remove', options), hash('two'), true)).toMatchObject({ kind: 'unknown' });
    expect(aliases.size).toBe(1);
  });

  test('goes by the place the key has right before', async () => {
    let reads = 0;
    meanwhile = (call) => {
      reads += 1;
      // Somebody inserts a key at the front after the page was loaded.
      if (call === 'list' && reads === 1) listed.unshift('zero');
    };
    expect(await removeKey(calls, hash('two'), false)).toEqual(removed);
    expect(listed).toEqual(['zero', 'one', 'three']);
    expect(aliases.has(hash('two'))).toBe(true);
  });

  test('removes all that are equal, from the last on', async () => {
    listed = ['two', 'one', 'two'];
    await removeKey(calls, hash('two'), true);
    expect(listed).toEqual(['one']);
    expect(asked).toEqual(['remove 2', 'remove 0']);
    expect(aliases.size).toBe(0);
  });

  test('leaves the list alone when somebody else was faster', async () => {
    listed = ['one', 'three'];
    expect(await removeKey(calls, hash('two'), false)).toMatchObject({ kind: 'gone', aliasError: null });
    expect(asked).toEqual([]);
  });

  test('reports when only the name could not be removed', async () => {
    aliasesFail = true;
    expect(await removeKey(calls, hash('two'), true)).toMatchObject({ kind: 'removed', aliasError: new Error('no') });
  });

  test('stops after some attempts if somebody adds it again', async () => {
    const stubborn = { ...calls, remove: async () => ({}) };
    expect(removeKey(stubborn, hash('two'), false)).rejects.toThrow('again after each removal');
  });
});

describe('naming', () => {
  const change = { hash: hash('two'), seen: 'Two', alias: 'Second', takeFromOrphan: null };

  test('replaces the name that the person saw, or removes it', async () => {
    expect(await saveName(calls, change)).toEqual({ kind: 'saved' });
    expect(aliases.get(hash('two'))).toBe('Second');
    expect(await saveName(calls, { ...change, seen: 'Second', alias: '' })).toEqual({ kind: 'saved' });
    expect(aliases.has(hash('two'))).toBe(false);
  });

  test('of two tabs at once the second is refused, and told the name of the first', async () => {
    const outcomes = await Promise.all([saveName(calls, change), saveName(calls, { ...change, alias: 'Other' })]);
    expect(outcomes).toEqual([{ kind: 'saved' }, { kind: 'changed', alias: 'Second' }]);
    expect(await saveName(calls, { ...change, seen: 'Second', alias: '' })).toEqual({ kind: 'saved' });
    // The same name from both is none.
    expect(await saveName(calls, { ...change, alias: '' })).toEqual({ kind: 'saved' });
  });

  test('without an answer is decided by the names, or unknown', async () => {
    const lost = (applied: boolean, deaf: boolean, error = status(502)) => {
      let asks = 0;
      return {
        ...calls,
        aliases: async () => {
          asks += 1;
          if (deaf && asks > 1) throw status(502);
          return calls.aliases();
        },
        saveAliases: async (body: Parameters<typeof calls.saveAliases>[0]) => {
          if (applied) await calls.saveAliases(body);
          throw error;
        },
      };
    };
    await expect(saveName(lost(false, false), change)).rejects.toThrow();
    expect(await saveName(lost(false, true), change)).toEqual({ kind: 'unknown' });
    expect(await saveName(lost(false, false, timeout), change)).toEqual({ kind: 'unknown' });
    expect(await saveName(lost(true, false), change)).toEqual({ kind: 'saved' });
  });
});
