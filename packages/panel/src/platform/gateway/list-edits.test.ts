import { describe, expect, test } from 'bun:test';
import { ApiError } from '../api/errors.ts';
import { type EditableList, editList, mergeJson, placeOf, planEdit, undoOf } from './list-edits.ts';

interface Entry {
  readonly key: string;
  readonly [member: string]: unknown;
}

const failure = (kind: 'network' | 'timeout' | 'status', status = 0) =>
  new ApiError(kind, kind, { path: 'list', atMs: 0, status });

/** A list at a gateway, with what happens at each write. */
function listOf(
  start: readonly Entry[],
  onWrite: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries,
) {
  let stored = start;
  const calls: string[] = [];
  const list: EditableList<Entry> = {
    name: `list-${Math.random()}`,
    read: async () => {
      calls.push('read');
      return stored;
    },
    write: async (entries) => {
      calls.push('write');
      stored = onWrite(entries);
    },
    identity: ({ key }) => key,
    comparable: ({ index: _, ...entry }) => entry,
  };
  const set = (entries: readonly Entry[]) => {
    stored = entries;
  };
  return { list, calls, stored: () => stored, set };
}

describe('an edit of a list', () => {
  test('reads it again, changes one entry and keeps what others did to the rest', async () => {
    const { list, calls, stored } = listOf([{ key: 'other' }, { key: 'a', theirs: 2, mine: 1, index: 'x' }]);
    const outcome = await editList(list, { kind: 'change', base: { key: 'a', mine: 1 }, entry: { key: 'a', mine: 3 } });
    expect(outcome).toEqual({
      kind: 'done',
      entry: { key: 'a', theirs: 2, mine: 3 },
      before: { key: 'a', theirs: 2, mine: 1, index: 'x' },
      at: 1,
      sent: { key: 'a', theirs: 2, mine: 3 },
      altered: [],
      kept: [],
    });
    expect(stored()).toEqual([{ key: 'other' }, { key: 'a', theirs: 2, mine: 3 }]);
    expect(calls).toEqual(['read', 'write', 'read']);
  });

  test('is refused where somebody else changed the same member, and made when told to', async () => {
    const { list, calls, stored } = listOf([{ key: 'a', priority: 5, note: 'theirs' }]);
    const edit = { kind: 'change', base: { key: 'a', priority: 1 }, entry: { key: 'a', priority: 2 } } as const;
    expect(await editList(list, edit)).toEqual({
      kind: 'conflict',
      members: ['priority'],
      theirs: { key: 'a', priority: 5, note: 'theirs' },
    });
    expect(calls).toEqual(['read']);
    expect((await editList(list, edit, { overrule: true })).kind).toBe('done');
    expect(stored()).toEqual([{ key: 'a', priority: 2, note: 'theirs' }]);
  });

  test('two at once lose nothing', async () => {
    const { list, stored } = listOf([{ key: 'a' }, { key: 'b' }]);
    await Promise.all([
      editList(list, { kind: 'change', base: { key: 'a' }, entry: { key: 'a', n: 1 } }),
      editList(list, { kind: 'change', base: { key: 'b' }, entry: { key: 'b', n: 2 } }),
      editList(list, { kind: 'add', entry: { key: 'c' } }),
      editList(list, { kind: 'change', base: { key: 'a' }, entry: { key: 'a', m: 3 } }),
    ]);
    expect(stored()).toEqual([{ key: 'a', n: 1, m: 3 }, { key: 'b', n: 2 }, { key: 'c' }]);
  });

  test('one that fails does not hold up the next', async () => {
    const { list } = listOf([{ key: 'a' }], () => {
      throw failure('status', 400);
    });
    const edit = { kind: 'add', entry: { key: 'b' } } as const;
    const outcomes = await Promise.allSettled([editList(list, edit), editList(list, { ...edit, entry: { key: 'a' } })]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('shows what the gateway stored otherwise, or not at all', async () => {
    const lower = listOf([], (entries) => entries.map((entry) => ({ ...entry, models: ['x'] })));
    expect(await editList(lower.list, { kind: 'add', entry: { key: 'a', models: ['X'] } })).toMatchObject({
      kind: 'done',
      altered: ['models'],
    });
    const drops = listOf([{ key: 'a' }], () => [{ key: 'a' }]);
    expect((await editList(drops.list, { kind: 'add', entry: { key: 'b' } })).kind).toBe('unconfirmed');
    expect((await editList(drops.list, { kind: 'remove', base: { key: 'a' } })).kind).toBe('unconfirmed');
    const change = { kind: 'change', base: { key: 'a' }, entry: { key: 'a', n: 1 } } as const;
    expect((await editList(drops.list, change)).kind).toBe('unconfirmed');
  });
});

test('a write that another one replaced is not confirmed, also where that one changed more', async () => {
  const change = { kind: 'change', base: { key: 'a', n: 1 }, entry: { key: 'a', n: 11 } } as const;
  const replaced = listOf([{ key: 'a', n: 1 }], () => [{ key: 'a', n: 1, prefix: 'theirs' }]);
  expect((await editList(replaced.list, change)).kind).toBe('unconfirmed');
  const removal = listOf([{ key: 'a', n: 1 }], () => [{ key: 'a', n: 1, prefix: 'theirs' }]);
  expect((await editList(removal.list, { kind: 'remove', base: { key: 'a', n: 1 } })).kind).toBe('unconfirmed');
});

describe('a lost answer', () => {
  const add = { kind: 'add', entry: { key: 'b' } } as const;

  test('is no failure where the list shows the change', async () => {
    const { list, set } = listOf([{ key: 'a' }], (entries) => {
      set(entries);
      throw failure('network');
    });
    expect((await editList(list, add)).kind).toBe('done');
  });

  test('is one where it does not, and stays open after a timeout', async () => {
    const broken = listOf([{ key: 'a' }], () => {
      throw failure('status', 502);
    });
    await expect(editList(broken.list, add)).rejects.toThrow('status');
    const slow = listOf([{ key: 'a' }], () => {
      throw failure('timeout');
    });
    expect((await editList(slow.list, add)).kind).toBe('unknown');
    const proxy = listOf([{ key: 'a' }], () => {
      throw failure('status', 504);
    });
    expect((await editList(proxy.list, add)).kind).toBe('unknown');
  });

  test('is one, or stays open, where somebody else changed the entry meanwhile', async () => {
    const edit = { kind: 'change', base: { key: 'a', priority: 1 }, entry: { key: 'a', priority: 55 } } as const;
    const after = async (found: Entry, change: Parameters<typeof editList<Entry>>[1] = edit) => {
      const { list, set } = listOf([{ key: 'a', priority: 1 }], () => {
        set([found]);
        throw failure('status', 502);
      });
      // The list that is set stays: the write itself is not carried out.
      return editList(list, change).then(
        (outcome) => outcome,
        () => 'not saved',
      );
    };
    expect(await after({ key: 'a', priority: 1, prefix: 'theirs' })).toBe('not saved');
    expect(await after({ key: 'a', priority: 7, prefix: 'theirs' })).toMatchObject({ kind: 'unknown' });
    expect(await after({ key: 'a', priority: 55, prefix: 'theirs' })).toMatchObject({ kind: 'done', altered: [] });
    expect(await after({ key: 'a', prefix: 'theirs' }, { kind: 'remove', base: { key: 'a', priority: 1 } })).toBe(
      'not saved',
    );
    expect(await after({ key: 'b', n: 2 }, { kind: 'add', entry: { key: 'b', n: 1 } })).toMatchObject({
      kind: 'unknown',
    });
  });

  test('stays open where the list cannot be read', async () => {
    const { list } = listOf([]);
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads > 1) throw failure('network');
      return [];
    };
    expect((await editList({ ...list, read }, add)).kind).toBe('unknown');
  });
});

describe('an undo', () => {
  const change = {
    kind: 'change',
    base: { key: 'a', priority: 1, prefix: '' },
    entry: { key: 'a', priority: 5, prefix: 'mine' },
  } as const;
  const undo = async (
    start: readonly Entry[],
    edit: Parameters<typeof editList<Entry>>[1],
    since: readonly Entry[],
  ) => {
    const { list, stored, set } = listOf(start);
    const back = undoOf(await editList(list, edit));
    set(since);
    return { outcome: back && (await editList(list, back)), stored: stored() };
  };

  test('takes back what its edit changed, and leaves what others changed since', async () => {
    const start = [{ key: 'a', priority: 1, prefix: '', index: 'x' }];
    expect(await undo(start, change, [{ key: 'a', priority: 5, prefix: 'mine', weight: 3 }])).toMatchObject({
      outcome: { kind: 'done', kept: [] },
      stored: [{ key: 'a', priority: 1, prefix: '', weight: 3 }],
    });
    // Nor a member that others set between the write and the look at it.
    const both = listOf(start, ([entry]) => [{ key: 'a', ...entry, weight: 3 }]);
    const back = undoOf(await editList(both.list, change));
    if (back !== null) await editList(both.list, back);
    expect(both.stored()).toEqual([{ key: 'a', priority: 1, prefix: '', weight: 3 }]);
  });

  test('leaves a member that others changed again, and says so', async () => {
    const start = [{ key: 'a', priority: 1, prefix: '' }];
    expect(await undo(start, change, [{ key: 'a', priority: 5, prefix: 'theirs' }])).toMatchObject({
      outcome: { kind: 'done', kept: ['prefix'] },
      stored: [{ key: 'a', priority: 1, prefix: 'theirs' }],
    });
    expect(await undo(start, change, [{ key: 'a', priority: 9, prefix: 'theirs' }])).toMatchObject({
      outcome: { kind: 'conflict', members: ['priority', 'prefix'] },
      stored: [{ key: 'a', priority: 9, prefix: 'theirs' }],
    });
    expect((await undo(start, change, [])).outcome).toEqual({ kind: 'gone' });
  });

  test('removes what was added only as it was added, and puts back what was removed unless it is there again', async () => {
    const add = { kind: 'add', entry: { key: 'b', n: 1 } } as const;
    expect((await undo([], add, [{ key: 'b', n: 1 }])).stored).toEqual([]);
    expect((await undo([], add, [{ key: 'b', n: 2 }])).outcome?.kind).toBe('conflict');
    const remove = { kind: 'remove', base: { key: 'a', n: 1 } } as const;
    const start = [{ key: 'a', n: 1 }, { key: 'b' }];
    expect((await undo(start, remove, [{ key: 'b' }])).stored).toEqual(start);
    expect((await undo(start, remove, [{ key: 'a', n: 7 }])).outcome?.kind).toBe('taken');
    const { list } = listOf(start);
    expect(undoOf(await editList(list, { kind: 'change', base: { key: 'a' }, entry: { key: 'a' } }))).toBe(null);
  });
});

describe('the plan of an edit', () => {
  const { list } = listOf([]);

  test('puts a removed entry back where it was', () => {
    const entries = [{ key: 'a' }, { key: 'b' }];
    expect(planEdit(list, entries, { kind: 'add', entry: { key: 'c' }, at: 1 })).toMatchObject({
      entries: [{ key: 'a' }, { key: 'c' }, { key: 'b' }],
    });
    expect(planEdit(list, entries, { kind: 'add', entry: { key: 'c' }, at: 9 })).toMatchObject({ at: 2 });
  });

  test('refuses an identity that another entry has', () => {
    const entries = [{ key: 'a' }, { key: 'b' }];
    expect(planEdit(list, entries, { kind: 'add', entry: { key: 'a' } }).kind).toBe('taken');
    const edit = { kind: 'change', base: { key: 'a' }, entry: { key: 'b' } } as const;
    expect(planEdit(list, entries, edit).kind).toBe('taken');
  });

  test('removes nothing but what the person saw', () => {
    const base = { key: 'a', note: 'seen' };
    expect(planEdit(list, [{ key: 'a', note: 'other' }], { kind: 'remove', base })).toMatchObject({
      kind: 'conflict',
      members: ['note'],
    });
    expect(planEdit(list, [{ key: 'b' }], { kind: 'remove', base }).kind).toBe('same');
    expect(planEdit(list, [{ key: 'b' }], { kind: 'change', base, entry: { key: 'a' } }).kind).toBe('gone');
  });

  test('writes nothing without a difference', () => {
    const entries = [{ key: 'a', n: 1, index: 'x' }];
    expect(planEdit(list, entries, { kind: 'change', base: { key: 'a' }, entry: { key: 'a', n: 1 } }).kind).toBe(
      'same',
    );
  });

  test('finds an entry among equal identities by all its members, or not at all', () => {
    const entries = [
      { key: 'a', prefix: '1' },
      { key: 'a', prefix: '2' },
    ];
    expect(placeOf(list, entries, { key: 'a', prefix: '2', index: 'y' })).toBe(1);
    expect(placeOf(list, entries, { key: 'a', prefix: '3' })).toBe(-1);
  });
});

test('members inside members merge', () => {
  const base = { headers: { A: '1', B: '1' }, gone: 1 };
  const mine = { headers: { A: '2', B: '1' } };
  expect(mergeJson(base, mine, { headers: { A: '1', B: '3', C: '4' }, gone: 1 })).toEqual({
    merged: { headers: { A: '2', B: '3', C: '4' } },
    conflicts: [],
  });
  expect(mergeJson(base, mine, { headers: { A: '3' }, gone: 1 }).conflicts).toEqual(['headers.A']);
});
