import { expect } from 'bun:test';
import { type ManagerProcess, TEST_ADMIN_KEY } from '../../support/manager-process.ts';
import { TEST_UPSTREAM_KEY } from '../../support/test-gateway.ts';
import type { Scenario } from './scenario.ts';

/** Never in an answer: keys, tokens, paths of this machine, SQL. */
const NEVER = [
  TEST_ADMIN_KEY,
  TEST_UPSTREAM_KEY,
  'sim-client-key',
  'sim-access-token',
  'sim-refresh-token',
  'SELECT ',
  'INSERT ',
  'bun:sqlite',
  '$bunfs',
];

export async function checkScenario(manager: ManagerProcess, scenario: Scenario): Promise<void> {
  const { method = 'GET', path, body, headers = {}, signedIn = true, status, has = [], shape } = scenario;
  const init = { method, redirect: 'manual', headers, ...(body === undefined ? {} : { body }) } as const;
  const answer = signedIn ? await manager.fetch(path, init) : await fetch(manager.url + path, init);
  const text = await answer.text();
  expect({ status: answer.status, text: answer.status === status ? '' : text.slice(0, 300) }).toEqual({
    status,
    text: '',
  });
  for (const part of has) expect(text.toLowerCase()).toContain(part.toLowerCase());
  shape?.parse(JSON.parse(text));
  // The forwarded configuration is the gateway's own and shows its keys to the operator.
  if (path !== '/v0/management/config') for (const secret of NEVER) expect(text.includes(secret)).toBe(false);
}
