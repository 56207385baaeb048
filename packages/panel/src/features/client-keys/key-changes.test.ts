import { beforeEach, describe, expect, test } from 'bun:test';
import type { ClientKeyCalls } from '../../platform/queries/client-keys.ts';
import { sha256HexSync } from '../../platform/sha256.ts';
import { addKey, removeKey } from './key-changes.ts';

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
    listed.splice(index, 1);
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

describe('removing', () => {
  test('goes by the place the key has right before', async () => {
    let reads = 0;
    meanwhile = (call) => {
      reads += 1;
      // Somebody inserts a key at the front after the page was loaded.
      if (call === 'list' && reads === 1) listed.unshift('zero');
    };
    expect(await removeKey(calls, hash('two'), false)).toEqual({ kind: 'removed', aliasError: null });
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
    expect(await removeKey(calls, hash('two'), false)).toEqual({ kind: 'gone', aliasError: null });
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
