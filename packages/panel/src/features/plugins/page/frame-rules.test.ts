import { expect, test } from 'bun:test';
import { frameRules } from './frame-rules.ts';

const PATH = '/v0/resource/plugins/echo/index.html';
const ORIGIN = 'https://panel.test';
const SANDBOX = 'allow-scripts allow-forms allow-popups allow-downloads';

test('a page never has the origin of the panel, and opens in a tab only where the server sandboxes it', () => {
  const managed = frameRules(`${ORIGIN}/sub/`, PATH, 'manager', ORIGIN, false);
  expect(managed).toEqual({ url: `${ORIGIN}/sub${PATH}`, sandbox: SANDBOX, canOpenTab: true });
  const alone = frameRules(`${ORIGIN}/`, PATH, 'gateway', ORIGIN, true);
  expect(alone).toEqual({ url: ORIGIN + PATH, sandbox: SANDBOX, canOpenTab: false });
});

test('a manager that trusts plugin pages lets them use storage', () => {
  expect(frameRules(`${ORIGIN}/`, PATH, 'manager', ORIGIN, true).sandbox).toBe(`${SANDBOX} allow-same-origin`);
});

test('a page of another address is not framed, and can be opened', () => {
  const rules = frameRules('http://gateway.test:8317/', PATH, 'gateway', ORIGIN, false);
  expect(rules).toEqual({ url: `http://gateway.test:8317${PATH}`, sandbox: null, canOpenTab: true });
});
