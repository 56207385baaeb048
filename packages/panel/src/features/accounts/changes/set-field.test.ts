import { expect, test } from 'bun:test';
import { accountsOf } from '../../../platform/accounts/testing/accounts.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import type { ConfigValues } from '../model/config-form.ts';
import { again } from './batch.ts';
import { type FieldCommand, setField } from './set-field.ts';

const [LISTED] = accountsOf({ priority: 3, weight: 2, websockets: true });
if (LISTED === undefined) throw new Error('no account');

/** The file of the account, with what becomes of a write. */
function fileOf(start: ConfigValues, onWrite: (next: ConfigValues) => ConfigValues = (next) => next) {
  let stored = start;
  const sent: unknown[] = [];
  const set = (command: FieldCommand) =>
    setField(command, LISTED as NonNullable<typeof LISTED>, {
      file: `${Math.random()}.json`,
      read: async () => stored,
      write: async (changes) => {
        sent.push(changes);
        const typed = Object.entries(changes).map(([name, value]) => [
          name,
          typeof value === 'number' ? String(value) : value,
        ]);
        stored = onWrite({ ...stored, ...Object.fromEntries(typed) });
      },
    });
  return { set, sent };
}

test('a field is set where the file still has what the list shows, and read back', async () => {
  const file = fileOf({ priority: '3', weight: '2', websockets: true });
  expect(await file.set({ kind: 'priority', value: 7 })).toEqual({ kind: 'done' });
  expect(await file.set({ kind: 'weight', value: null })).toEqual({ kind: 'done' });
  expect(await file.set({ kind: 'websockets', value: false })).toEqual({ kind: 'done' });
  expect(file.sent).toEqual([{ priority: 7 }, { weight: null }, { websockets: false }]);
  // It is like this already.
  expect(await file.set({ kind: 'priority', value: 7 })).toEqual({ kind: 'done' });
  expect(file.sent).toHaveLength(3);
  const other = fileOf({ priority: '3' }, () => ({ priority: '5' }));
  expect(await other.set({ kind: 'priority', value: 7 })).toMatchObject({ kind: 'different', now: '5' });
});

test('a field that somebody else set meanwhile is left alone, until the person has seen it', async () => {
  const file = fileOf({ priority: '9' });
  // Also where the wanted value is the one on screen.
  expect(await file.set({ kind: 'priority', value: 3 })).toMatchObject({ kind: 'conflict', now: '9' });
  const command = { kind: 'priority', value: 7 } as const;
  const ending = await file.set(command);
  expect(ending).toMatchObject({ kind: 'conflict', field: 'accountField.priority', now: '9' });
  expect(file.sent).toEqual([]);
  const mine = again(command, [{ account: LISTED, ending }]) as FieldCommand;
  expect(await file.set(mine)).toEqual({ kind: 'done' });
  expect(file.sent).toEqual([{ priority: 7 }]);
});

test('a lost answer is a failure where the file is unchanged, and unknown where nobody can know', async () => {
  const failing = (kind: 'network' | 'timeout') =>
    fileOf({ priority: '3' }, () => {
      throw new ApiError(kind, 'lost', { path: '/', atMs: 1 });
    });
  expect(await failing('network').set({ kind: 'priority', value: 7 })).toMatchObject({ kind: 'failed' });
  expect(await failing('timeout').set({ kind: 'priority', value: 7 })).toEqual({ kind: 'lost', late: true });
});
