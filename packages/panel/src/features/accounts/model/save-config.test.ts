import { expect, test } from 'bun:test';
import { ApiError } from '../../../platform/api/errors.ts';
import { type ConfigValues, fieldsOf } from './config-form.ts';
import { saveConfig, withTyped } from './save-config.ts';

const FIELDS = fieldsOf('codex');
const BASE: ConfigValues = { note: 'old', weight: null, excluded_models: 'a', prefix: null };
const WANTED: ConfigValues = { ...BASE, note: 'new', excluded_models: ' A \n\nb' };
const lost = new ApiError('network', 'gone', { path: '/', atMs: 1 });
const refused = new ApiError('status', 'the reason', { path: '/', atMs: 1, status: 409 });

async function save(reads: readonly (ConfigValues | ApiError)[], error: ApiError | null = null) {
  const sent: unknown[] = [];
  let count = 0;
  const saved = await saveConfig(BASE, WANTED, FIELDS, {
    file: 'codex.json',
    read: async () => {
      const read = reads[Math.min(count++, reads.length - 1)] ?? {};
      if (read instanceof ApiError) throw read;
      return read;
    },
    write: async (changes) => {
      sent.push(changes);
      if (error !== null) throw error;
    },
  });
  return { saved, sent };
}

test('sends only what changed, and shows what the gateway made of it', async () => {
  const stored = { ...BASE, note: 'new', excluded_models: 'A\nb', prefix: 'of another' };
  const { saved, sent } = await save([{ ...BASE, prefix: 'of another' }, stored]);
  expect(sent).toEqual([{ note: 'new', excluded_models: ['A', 'b'] }]);
  expect(saved).toEqual({ kind: 'saved', values: stored });
  const lowered = { ...stored, excluded_models: 'a\nb' };
  expect((await save([BASE, lowered])).saved).toMatchObject({
    kind: 'different',
    values: lowered,
    fields: [{ name: 'excluded_models' }],
  });
});

test('sends nothing when the same fields have changed meanwhile, and keeps what is typed', async () => {
  const theirs = { ...BASE, note: 'of another', prefix: 'of another' };
  const { saved, sent } = await save([theirs]);
  expect([saved, sent]).toMatchObject([{ kind: 'conflict', values: theirs, fields: [{ name: 'note' }] }, []]);
  expect(withTyped(BASE, WANTED, theirs, FIELDS)).toEqual({ ...WANTED, prefix: 'of another' });
  // The same value from both is none.
  expect((await save([{ ...BASE, note: 'new' }, WANTED])).saved.kind).toBe('saved');
});

test('of two saves of a field at the same moment the second is a conflict', async () => {
  let stored = BASE;
  const from = (note: string) =>
    saveConfig(BASE, { ...BASE, note }, FIELDS, {
      file: 'codex.json',
      read: async () => stored,
      write: async (changes) => {
        stored = { ...stored, ...(changes as ConfigValues) };
      },
    });
  const [first, second] = await Promise.all([from('mine'), from('theirs')]);
  expect([first.kind, second.kind, stored.note]).toEqual(['saved', 'conflict', 'mine']);
});

test('after a lost answer the file decides; without it nothing is known', async () => {
  const stored = { ...BASE, note: 'new', excluded_models: 'A\nb' };
  expect((await save([BASE, stored], lost)).saved.kind).toBe('saved');
  await expect(save([BASE, BASE], lost)).rejects.toBe(lost);
  expect((await save([BASE, lost], lost)).saved).toEqual({ kind: 'unknown', error: lost });
  const late = new ApiError('timeout', 'late', { path: '/', atMs: 1 });
  expect((await save([BASE, BASE], late)).saved).toEqual({ kind: 'unknown', error: late });
  // Somebody else changed the file meanwhile.
  await expect(save([BASE, { ...BASE, prefix: 'of another' }], lost)).rejects.toBe(lost);
  expect((await save([BASE, { ...BASE, note: 'of another' }], lost)).saved).toMatchObject({ kind: 'unknown' });
  // Confirmed, but not read back.
  expect((await save([BASE, lost])).saved).toMatchObject({ kind: 'saved', values: WANTED });
  await expect(save([BASE], refused)).rejects.toBe(refused);
});
