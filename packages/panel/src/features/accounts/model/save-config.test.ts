import { expect, test } from 'bun:test';
import { ApiError } from '../../../platform/api/errors.ts';
import { type ConfigValues, fieldsOf } from './config-form.ts';
import { saveConfig } from './save-config.ts';

const FIELDS = fieldsOf('codex');
const BASE: ConfigValues = { note: 'old', weight: null, excluded_models: 'a', prefix: null };
const WANTED: ConfigValues = { ...BASE, note: 'new', excluded_models: ' A \n\nb' };
const lost = new ApiError('network', 'gone', { path: '/', atMs: 1 });
const refused = new ApiError('status', 'the reason', { path: '/', atMs: 1, status: 409 });

async function save(reads: readonly (ConfigValues | ApiError)[], error: ApiError | null = null) {
  const sent: unknown[] = [];
  let count = 0;
  const saved = await saveConfig(BASE, WANTED, FIELDS, {
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

test('sends nothing when the same fields have changed meanwhile', async () => {
  const { saved, sent } = await save([{ ...BASE, note: 'of another' }]);
  expect([saved.kind, sent]).toEqual(['conflict', []]);
});

test('after a lost answer the file decides; without it nothing is known', async () => {
  const stored = { ...BASE, note: 'new', excluded_models: 'A\nb' };
  expect((await save([BASE, stored], lost)).saved.kind).toBe('saved');
  await expect(save([BASE, BASE], lost)).rejects.toBe(lost);
  expect((await save([BASE, lost], lost)).saved).toEqual({ kind: 'unknown' });
  // Confirmed, but not read back.
  expect((await save([BASE, lost])).saved).toMatchObject({ kind: 'saved', values: WANTED });
  await expect(save([BASE], refused)).rejects.toBe(refused);
});
