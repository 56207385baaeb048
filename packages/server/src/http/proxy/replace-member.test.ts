import { describe, expect, test } from 'bun:test';
import { replaceMember } from './replace-member.ts';

const replaced = (text: string) => replaceMember(Buffer.from(text), 'origin', '"new"')?.toString() ?? null;

describe('a member of a JSON object', () => {
  test.each([
    ['{"origin":"old"}', '{"origin":"new"}'],
    [
      ' { "a" : [1, {"origin":2}] , "origin" : {"x":[]} , "b":1.0 }\n',
      ' { "a" : [1, {"origin":2}] , "origin" : "new" , "b":1.0 }\n',
    ],
    ['{"origin":1,"n":12345678901234567890,"origin":true}', '{"origin":"new","n":12345678901234567890,"origin":"new"}'],
    ['{"\\u006frigin":null}', '{"\\u006frigin":"new"}'],
    ['{"a":"\\"origin\\":1}","origin":""}', '{"a":"\\"origin\\":1}","origin":"new"}'],
    ['\uFEFF{"origin":1}', '\uFEFF{"origin":"new"}'],
  ])('in %s is replaced, and nothing else', (text, expected) => {
    expect(replaced(text)).toBe(expected);
  });

  test.each([
    '{}',
    '[{"origin":1}]',
    '"origin"',
    '{"a":{"origin":1}}',
    '{"origin":1',
    '{"origin":1} x',
    '{"origin" 1}',
    '{"origin":1;"a":2}',
    '{origin:1}',
    '',
  ])('is not found in %s', (text) => {
    expect(replaced(text)).toBeNull();
  });

  test('is found behind 10 MB of small values', () => {
    expect(replaced(`{"a":[${'1,'.repeat(4_900_000)}1],"origin":1}`)).toEndWith('1],"origin":"new"}');
  });
});
