import { describe, expect, test } from 'bun:test';
import {
  configChanges,
  fieldNamed,
  fieldsOf,
  holdsSecret,
  invalidField,
  readConfig,
  readLastRefresh,
  sameValue,
  typedValue,
} from './config-form.ts';

const fields = fieldsOf('codex');
const file = {
  access_token: 'secret',
  note: '',
  priority: 4,
  headers: { 'X-One': '1', 'X-Two': '2' },
  'excluded-models': ['a', 'b*'],
  websockets: false,
};
const base = readConfig(JSON.stringify(file), fields) ?? {};

describe('the settings of an account', () => {
  test('are read without any secret; empty and unset are two things', () => {
    expect(JSON.stringify(base)).not.toContain('secret');
    expect(base).toMatchObject({
      note: '',
      prefix: null,
      priority: '4',
      headers: 'X-One: 1\nX-Two: 2',
      excluded_models: 'a\nb*',
      websockets: false,
      disable_cooling: null,
    });
    expect(readConfig('[]', fields)).toBeNull();
    expect(readConfig('{', fields)).toBeNull();
  });

  test('of other providers have other fields', () => {
    const names = (provider: string) => fieldsOf(provider).map(({ name }) => name);
    expect(names('codex')).toContain('websockets');
    expect(names('claude')).not.toContain('websockets');
    expect(names('claude')).toContain('cloak_mode');
  });

  test('send what was changed and nothing else', () => {
    expect(configChanges(base, base, fields)).toEqual({});
    const next = {
      ...base,
      note: null,
      prefix: '',
      priority: null,
      weight: '10',
      headers: 'X-One: 1\nX-Three: 3',
      excluded_models: 'a\n\n c ',
      websockets: true,
    };
    expect(configChanges(base, next, fields)).toEqual({
      note: null,
      prefix: '',
      priority: 0,
      weight: 10,
      headers: { 'X-Two': '', 'X-Three': '3' },
      excluded_models: ['a', 'c'],
      websockets: true,
    });
  });

  test('aliases are lines, and keep members that the lines cannot show', () => {
    const whole = { name: 'm-2', alias: 'two', fork: true };
    const content = { model_aliases: [{ name: 'm-1', alias: 'one' }, whole] };
    const read = readConfig(JSON.stringify(content), fields) ?? {};
    expect(read.model_aliases).toBe(`m-1 = one\n${JSON.stringify(whole)}`);
    const next = { ...read, model_aliases: `${read.model_aliases}\n m-3=three ` };
    expect(configChanges(read, next, fields)).toEqual({
      model_aliases: [...content.model_aliases, { name: 'm-3', alias: 'three' }],
    });
  });

  test('values are the same however they are written', () => {
    const field = (name: string) => {
      const found = fields.find((one) => one.name === name);
      if (found === undefined) throw new Error('missing');
      return found;
    };
    const same = (name: string, left: string | null, right: string | null) =>
      sameValue(field(name), { [name]: left }, { [name]: right });
    expect(same('priority', null, '0')).toBe(true);
    expect(same('headers', 'B: 2\nA: 1', 'A:1\n\nB:2')).toBe(true);
    expect(same('excluded_models', ' a\n', 'a')).toBe(true);
    expect(same('note', '', null)).toBe(false);
    expect(same('weight', '1', '2')).toBe(false);
  });

  test.each([
    ['model_aliases', 'no alias'],
    ['model_aliases', '{"name":'],
    ['priority', '1.5'],
    ['priority', ''],
    ['weight', '1000001'],
    ['headers', 'no colon'],
  ])('%s cannot be %p', (name, value) => {
    expect(invalidField({ ...base, [name]: value }, fields)).toBe(name);
  });

  test('an emptied number is not set, an emptied text is empty', () => {
    for (const { name, kind } of fields) {
      expect([name, typedValue(kind, ' ')]).toEqual([name, kind === 'integer' ? null : ' ']);
      expect(typedValue(kind, '7')).toBe('7');
    }
    const emptied = { ...base, weight: typedValue('integer', ''), priority: typedValue('integer', '') };
    expect(invalidField(emptied, fields)).toBeNull();
  });

  test('the file has the time of the last token refresh', () => {
    expect(readLastRefresh('{"last_refresh":"2026-09-01T08:00:00.648Z"}')).toBe(Date.UTC(2026, 8, 1, 8, 0, 0, 648));
    for (const file of [
      '{}',
      '{"last_refresh":""}',
      '{"last_refresh":"0001-01-01T00:00:00Z"}',
      '{"last_refresh":5}',
      'no',
    ])
      expect(readLastRefresh(file)).toBeNull();
  });

  test('values that can be saved are fine', () => {
    expect(invalidField({ ...base, weight: '-1', priority: '-3' }, fields)).toBeNull();
  });
});

test('values of headers and addresses with a password may be secrets', () => {
  const secret = (name: string, value: string | null) => holdsSecret(fieldNamed(name), value);
  expect(secret('headers', 'X-Team: a')).toBe(true);
  expect(secret('proxy_url', 'http://me:pass-word@proxy.test')).toBe(true);
  expect(secret('proxy_url', 'http://proxy.test:3128')).toBe(false);
  expect(secret('headers', null)).toBe(false);
  expect(secret('note', 'text')).toBe(false);
});
