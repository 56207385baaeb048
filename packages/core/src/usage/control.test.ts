import { expect, test } from 'bun:test';
import { controlOf } from './control.ts';

test('the two control messages are recognized, with any white space', () => {
  const lines = [
    ['{"support_refresh":true}', 'support_refresh'],
    ['{"refresh":true}', 'refresh'],
    ['{"refresh":false}', 'refresh'],
    [' {\n "refresh" : true } ', 'refresh'],
  ] as const;
  for (const [text, expected] of lines) expect(controlOf(text)).toBe(expected);
});

test('everything else is not a control message', () => {
  const texts = [
    '',
    'refresh',
    '"refresh"',
    '["refresh"]',
    '{}',
    '{"refresh":"true"}',
    '{"refresh":1}',
    '{"refresh":null}',
    '{"refresh":true,"x":1}',
    '{"Refresh":true}',
    '{"refresh":true',
    `{"refresh":true${' '.repeat(100)}}`,
    `{"refresh":"${'x'.repeat(1_000_000)}"}`,
  ];
  for (const text of texts) expect(controlOf(text)).toBeNull();
});
