import { afterAll, beforeAll, describe, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { checkScenario } from './scenarios/check-scenario.ts';

let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 5, numberFrom: 0 });
  for (let index = 0; index < 50; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === 50);
});

afterAll(async () => {
  await manager.remove();
  await gateway.stop();
});

describe('endpoints', () => {
  test.each(SCENARIOS)('$name', (scenario) => checkScenario(manager, scenario));
});
