import { expect, test } from 'bun:test';
import { BUILT_IN } from '../providers.ts';
import { readRedirect } from './redirect.ts';

const of = (id: string) => {
  const found = BUILT_IN.find((provider) => provider.id === id);
  if (found === undefined) throw new Error('missing');
  return found;
};
const STATE = 'abc.DEF-1_2';

test.each([
  // Whole and not decoded.
  [
    ` http://localhost:1455/auth/callback?code=a%2Fb%2B&state=${STATE}&scope=x%20y\n`,
    `http://localhost:1455/auth/callback?code=a%2Fb%2B&state=${STATE}&scope=x%20y`,
  ],
  [`http://localhost:1455/auth/callback?error=denied&state=${STATE}`, true],
  ['', 'empty'],
  ['some words', 'invalid'],
  ['javascript:alert(1)', 'invalid'],
  ['abcdef', 'invalid'],
  ['http://localhost:1455/auth/callback?code=a&state=another', 'other'],
  ['http://localhost:1455/auth/callback?code=a', 'incomplete'],
  [`https://auth.openai.com/oauth/authorize?state=${STATE}`, 'incomplete'],
] as const)('pasted %j is %j', (pasted, expected) => {
  const read = readRedirect(pasted, of('codex'), STATE);
  const got = read.kind === 'address' ? read.text : read.kind;
  expect(got).toBe(expected === true ? pasted : expected);
});

test('a bare code becomes the address that older gateways expect, where the provider shows codes', () => {
  expect(readRedirect('a/b+c', of('xai'), STATE)).toEqual({
    kind: 'address',
    text: `http://127.0.0.1:56121/callback?code=a%2Fb%2Bc&state=${STATE}`,
  });
  expect(readRedirect('two words', of('xai'), STATE)).toEqual({ kind: 'invalid' });
});
