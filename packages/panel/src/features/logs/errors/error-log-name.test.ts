import { expect, test } from 'bun:test';
import { requestIdOf } from './error-log-name.ts';

test.each([
  ['error-v1-chat-completions-2026-09-01T080000-bdfe9274.log', 'bdfe9274'],
  ['error-v1beta-models-gm-fail403-streamGenerateContent-2026-11-29T064254-a7d8e285.log', 'a7d8e285'],
  ['error-v1-responses.log', ''],
  ['main.log', ''],
])('%p is the log of the request %p', (name, id) => {
  expect(requestIdOf(name)).toBe(id);
});
