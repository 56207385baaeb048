import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

setDefaultTimeout(60_000);

const LEVELS = 200_000;
/** So few that the body is not larger than any route accepts. */
const FEW_LEVELS = 2_000;
const [LISTS, OBJECTS] = [listsOf(LEVELS), objectsOf(LEVELS)];

let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
});
afterAll(async () => {
  await manager.remove();
  await gateway.stop();
});

const MANAGEMENT = '/v0/management';

describe('JSON nested 200,000 levels deep', () => {
  test.each([
    ['POST', '/setup'],
    ['PUT', '/usage-service/config'],
    ['PATCH', '/usage-service/account-processing-policy'],
    ['PUT', `${MANAGEMENT}/api-key-aliases`],
    ['PUT', `${MANAGEMENT}/model-prices`],
    ['POST', `${MANAGEMENT}/model-prices/sync`],
    ['POST', `${MANAGEMENT}/monitoring/analytics`],
    ['POST', `${MANAGEMENT}/monitoring/account-history`],
    ['POST', `${MANAGEMENT}/monitoring/account-window-usage`],
    ['POST', `${MANAGEMENT}/usage/import-sessions`],
    ['POST', `${MANAGEMENT}/usage/archives/preview`],
    ['POST', `${MANAGEMENT}/usage/archives`],
    ['POST', `${MANAGEMENT}/quota-snapshots`],
    ['POST', `${MANAGEMENT}/quota-snapshots/query`],
    ['POST', `${MANAGEMENT}/codex-inspection/runs/1/actions`],
    ['PATCH', `${MANAGEMENT}/auth-files/status`],
    ['PATCH', `${MANAGEMENT}/auth-files/fields`],
    ['PATCH', `${MANAGEMENT}/auth-files`],
    ['DELETE', `${MANAGEMENT}/auth-files`],
  ])('%s %s is 400 (413 above the limit of the body), as the whole body and as a member', async (method, path) => {
    for (const levels of [LEVELS, FEW_LEVELS]) {
      const [lists, objects] = [listsOf(levels), objectsOf(levels)];
      for (const body of [
        lists,
        objects,
        `{"name":"x","items":${lists}}`,
        `{"prices":${objects},"include":${objects}}`,
      ]) {
        const answer = await manager.fetch(path, { method, headers: { 'Content-Type': 'application/json' }, body });
        expect(levels === LEVELS ? [400, 413] : [400]).toContain(answer.status);
        expect(await answer.json()).toMatchObject({ code: expect.any(String) });
      }
    }
  });

  test('is a bad line of an import', async () => {
    const good =
      '{"timestamp":"2026-01-01T00:00:00Z","model":"m","request_id":"1","tokens":{"input_tokens":1,"total_tokens":1}}';
    for (const deep of [LISTS, OBJECTS, good.replace('"m"', `"m","extra":${OBJECTS}`)]) {
      const answer = await manager.fetch(`${MANAGEMENT}/usage/import`, {
        method: 'POST',
        body: `${good}\n${deep}\n${good}\n`,
      });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ failed: 1, total: 2 })]);
    }
  });

  test.each([
    ['a list', `[${LISTS}]`],
    ['an export payload', `{"usage":{"apis":{"k":{"models":{"m":{"details":[${LISTS}]}}}}}}`],
    ['an export payload with a deep member', `{"version":1,"x":${OBJECTS},"usage":{"apis":{}}}`],
  ])('in %s of an import crashes nothing', async (_, body) => {
    const answer = await manager.fetch(`${MANAGEMENT}/usage/import`, { method: 'POST', body });
    expect([200, 400]).toContain(answer.status);
    expect((await fetch(`${manager.url}/health`)).status).toBe(200);
    expect((await manager.fetch('/status')).status).toBe(200);
  });
});

function listsOf(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function objectsOf(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}
