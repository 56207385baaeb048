import { expect, test } from 'bun:test';
import { ApiError } from '../../../platform/api/errors.ts';
import { OPERATIONS } from '../worker/operations.ts';
import { type Preparation, prepareSave, type SaveDeps, sendSave } from './save.ts';

const BASE = 'port: 1\ndebug: false\nremote-management:\n  secret-key: plain\n';
const failed = (status: number) => new ApiError('status', 'no', { path: 'x', atMs: 0, status });
const lost = new ApiError('network', 'gone', { path: 'x', atMs: 0 });

/** A gateway that keeps a text. */
function gateway(start = BASE) {
  const state = {
    text: start,
    written: [] as string[],
    /** Thrown by the next write or read; `after`: what the write has done by then. */
    writeError: null as unknown,
    readErrors: [] as unknown[],
    keepsWrite: true,
    store: (text: string) => text,
  };
  const deps: SaveDeps = {
    read: async () => {
      const error = state.readErrors.shift();
      if (error !== undefined && error !== null) throw error;
      return state.text;
    },
    write: async (text) => {
      state.written.push(text);
      if (state.keepsWrite) state.text = state.store(text);
      if (state.writeError !== null) throw state.writeError;
    },
    thread: {
      mergeDraft: async (...args) => OPERATIONS.mergeDraft(...args),
      reviewChange: async (...args) => OPERATIONS.reviewChange(...args),
      differenceOf: async (...args) => OPERATIONS.differenceOf(...args),
      sameConfiguration: async (...args) => OPERATIONS.sameConfiguration(...args),
    },
    pollSeconds: () => null,
  };
  return { state, deps };
}
const draft = { base: BASE, text: BASE, edits: [{ path: ['debug'], value: true }] };
const WANTED = BASE.replace('false', 'true');

function ready(preparation: Preparation) {
  if (preparation.kind !== 'ready') throw new Error(preparation.kind);
  return preparation;
}

test('a draft without a change sends nothing', async () => {
  const { state, deps } = gateway();
  expect(await prepareSave(deps, { ...draft, edits: [] })).toEqual({ kind: 'unchanged', latest: BASE });
  expect(state.written).toEqual([]);
});

test('a change is sent once, and what the gateway keeps is read', async () => {
  const { state, deps } = gateway();
  const prepared = ready(await prepareSave(deps, draft));
  expect(prepared).toMatchObject({ text: WANTED, merged: false, conflicts: [] });
  expect(await sendSave(deps, prepared)).toEqual({ kind: 'saved', text: WANTED, adjusted: null });
  expect(state.written).toEqual([WANTED]);
});

test('what the gateway writes differently is shown, and its hash of a new key is no other value', async () => {
  const { state, deps } = gateway();
  state.store = (text) => text.replace('plain', '"$2a$10$hash"');
  const outcome = await sendSave(deps, ready(await prepareSave(deps, draft)));
  expect(outcome).toMatchObject({ kind: 'saved', adjusted: { added: 1, removed: 1 } });
});

test('a change elsewhere is merged, and one between review and save is not overwritten', async () => {
  const { state, deps } = gateway();
  state.text = `${BASE}# theirs\n`;
  const prepared = ready(await prepareSave(deps, draft));
  expect(prepared).toMatchObject({ merged: true, text: `${WANTED}# theirs\n` });
  state.text += '# and more\n';
  expect(await sendSave(deps, prepared)).toEqual({ kind: 'outdated' });
  expect(state.written).toEqual([]);
});

test('a text that cannot be read, or would change more, is not prepared', async () => {
  const { deps } = gateway();
  expect(await prepareSave(deps, { ...draft, text: 'a: [' })).toMatchObject({ kind: 'unreadable' });
  const shared = 'debug: &d false\nx: *d\n';
  expect(await prepareSave(gateway(shared).deps, { ...draft, base: shared, text: shared })).toEqual({ kind: 'shared' });
});

test.each([
  ['refused by the gateway', failed(400), false, [], 'refused'],
  ['not allowed', failed(403), false, [], 'refused'],
  ['without an answer, but done', lost, true, [], 'saved'],
  ['answered by a 502, but done', failed(502), true, [], 'saved'],
  ['without an answer, and not done', lost, false, [], 'not-saved'],
  ['without an answer, and the gateway is gone', lost, true, [null, lost], 'unknown'],
  ['accepted, and the gateway has moved', null, true, [null, lost], 'unread'],
] as const)('a save that was %s is told apart', async (_, writeError, keepsWrite, readErrors, kind) => {
  const { state, deps } = gateway();
  const prepared = ready(await prepareSave(deps, draft));
  Object.assign(state, { writeError, keepsWrite, readErrors: [...readErrors] });
  expect((await sendSave(deps, prepared)).kind).toBe(kind);
});

test('another value afterwards is reported', async () => {
  const { state, deps } = gateway();
  const prepared = ready(await prepareSave(deps, draft));
  state.store = (text) => text.replace('port: 1', 'port: 2');
  expect(await sendSave(deps, prepared)).toMatchObject({ kind: 'different', difference: { added: 1, removed: 1 } });
});
