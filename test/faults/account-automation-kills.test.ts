import { afterAll, expect, test } from 'bun:test';
import type { CandidateListResponse } from '@manager/core/contract/account-actions';
import { until } from '@manager/core/testing/until';
import { type AccountEvent, accountFile, type MutationAnswer } from '@manager/simulator';
import { createRandom } from '@manager/simulator/random';
import {
  type CutRequest,
  enabledAgainstPeople,
  falseClaims,
  HAND,
  isDisabledByPerson,
  storedAnswers,
  storedClaims,
  told,
} from '../support/account-claims.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';

import { boundTo, startTestGateway } from '../support/test-gateway.ts';

// The full size is 45 kills: MANAGER_FULL_FAULTS=1.
const KILLS = Number(process.env.MANAGER_AUTOMATION_KILLS ?? (process.env.MANAGER_FULL_FAULTS === '1' ? 45 : 8));
const SEED = Number(process.env.MANAGER_AUTOMATION_SEED ?? 5);
/** Age of all events: a failure counts 90 seconds after it, so here within seconds. */
const AGE_MS = 86_000;
const CREDENTIALS = 30;
const INSPECTION = '/v0/management/account-inspection';
const QUEUE = '/v0/management/account-action-candidates';
const UNCLEAR: readonly MutationAnswer[] = [
  'reset',
  'server-error',
  'unconfirmed',
  'text',
  'truncated',
  { status: 504, body: '' },
];
/** For cooldowns to end, and for changes that fail to be retried, on a slow machine. */
const REST_MS = 600_000;
const ENV = {
  USAGE_QUOTA_COOLDOWN_ENABLED: 'true',
  USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
  USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'true',
};

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

test(`killed ${KILLS} times amid failures, refreshed tokens, inspections and people: every record is true`, async () => {
  const random = createRandom(SEED);
  const below = (limit: number) => Math.floor(random.next() * limit);
  const files = Array.from({ length: CREDENTIALS }, (_, index) =>
    accountFile({ provider: 'codex', name: `codex-${index}.json`, email: `${index}@example.test` }),
  );
  const someone = () => `codex-${below(CREDENTIALS)}.json`;
  const gateway = await startTestGateway({ authFiles: files });
  cleanups.push(() => gateway.stop());
  const dataDir = temporaryFolder();
  const start = async () => {
    const manager = await ManagerProcess.start({ dataDir, env: { ...boundTo(gateway, 'http'), ...ENV } });
    cleanups.push(() => manager.remove());
    return manager;
  };

  let published = 0;
  const publish = (name: string, event: Omit<AccountEvent, 'atMs'>) => {
    published += 1;
    void gateway.publishFor(name, { ...event, atMs: Date.now() - AGE_MS });
  };
  const failures = setInterval(() => {
    const name = someone();
    const what = random.next();
    if (what < 0.35) publish(name, { kind: 'usage-limit', resetsInSeconds: AGE_MS / 1000 + 2 + below(12) });
    else if (what < 0.4) publish(name, { kind: 'token-revoked' });
    else if (what < 0.45) publish(name, { kind: 'success' });
    else if (what < 0.55) {
      published += 2;
      const listed = random.next() < 0.5;
      void gateway.publishRefreshed(name, { atMs: Date.now() - AGE_MS, afterMs: below(900), listed });
    } else if (what < 0.8) {
      const usedPercent = random.next() < 0.5 ? 100 : 1;
      gateway.setAccount(name, { secondary: { seconds: 604_800, usedPercent } });
    }
  }, 25);
  const faults = setInterval(() => {
    gateway.fault({
      kind: 'mutation',
      answer: UNCLEAR[below(UNCLEAR.length)] ?? 'reset',
      applies: random.next() < 0.5,
      delayBeforeMs: below(60),
      delayAfterMs: below(60),
    });
  }, 400);
  cleanups.push(
    () => clearInterval(failures),
    () => clearInterval(faults),
  );

  /** A person decides on an entry of the action queue; not to enable, which would look like the manager's own change. */
  const decide = async (manager: ManagerProcess): Promise<void> => {
    const { items } = await manager.json<CandidateListResponse>(`${QUEUE}?status=pending`);
    const item = items[below(items.length)];
    const command = random.next() < 0.5 ? 'ignore' : 'resolve';
    if (item !== undefined) await manager.fetch(`${QUEUE}/${item.id}/${command}`, { method: 'POST' });
  };
  const cut: CutRequest[] = [];
  const act = async (manager: ManagerProcess): Promise<void> => {
    const name = someone();
    const what = random.next();
    if (what < 0.2) await manager.fetch(`${INSPECTION}/run`, { method: 'POST' }).catch(() => {});
    if (what > 0.9) await decide(manager).catch(() => {});
    if (what < 0.2 || what > 0.6) return;
    const identified = random.next() < 0.5 ? { cpamp_physical_name: name } : {};
    const disabled = what < 0.24;
    const after = gateway.mutations({ account: name }).length;
    const init = {
      method: 'PATCH',
      headers: { 'User-Agent': HAND },
      body: JSON.stringify({ name, disabled, ...identified }),
    };
    await manager.fetch('/v0/management/auth-files/status', init).catch(() => {
      if (disabled) cut.push({ file: name, after });
    });
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const manager = await start();
    if (kill === 0) {
      const codexInspection = { autoActionMode: 'disable', autoRecoverEnabled: true };
      await manager.json('/usage-service/config', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ config: { codexInspection } }),
      });
    }
    const people = setInterval(() => void act(manager), 150);
    await Bun.sleep(400 + below(2_200));
    clearInterval(people);
    await manager.kill();
  }
  clearInterval(failures);
  clearInterval(faults);
  gateway.clearFaults();

  const manager = await start();
  // All cooldowns end, and an inspection enables what inspections disabled.
  for (const { name } of files) gateway.setAccount(name, { secondary: { seconds: 604_800, usedPercent: 1 } });
  const atRest = () =>
    until(
      () => {
        const now = storedClaims(dataDir);
        return now.open + now.unconfirmed === 0 && now.nextEndMs === Number.POSITIVE_INFINITY ? now : null;
      },
      'everything to be decided',
      REST_MS,
    );
  await atRest();
  const started = await manager.post<{ run: { id: number } }>(`${INSPECTION}/run`, {});
  await until(async () => {
    const { run } = await manager.json<{ run: { active: boolean } }>(`${INSPECTION}/runs/${started.run.id}`);
    return !run.active;
  });
  const stored = await atRest();
  const disabled = gateway.authFiles().flatMap(({ name, disabled: is }) => (is === true ? [String(name)] : []));
  const byAutomation = disabled.filter((name) => !isDisabledByPerson(gateway, name, cut));
  const answers = storedAnswers(dataDir);
  console.log(
    `${KILLS} kills (seed ${SEED}): ${gateway.mutations({ by: 'caller' }).length} changes at the gateway; ` +
      `${disabled.length} of ${CREDENTIALS} accounts disabled, ${byAutomation.length} of them by automation; ` +
      `${answers.events} of ${published} events reached the manager`,
  );
  const healthy = byAutomation.filter((name) => answers.succeeded.get(name) === true);
  expect(healthy.map((name) => told(gateway, stored.history, name, `${name} succeeded last and is disabled`))).toEqual(
    [],
  );
  expect(falseClaims(gateway, stored, cut)).toEqual([]);

  const overruled = enabledAgainstPeople(gateway);
  expect(overruled.map((name) => told(gateway, stored.history, name, `${name} was disabled by a person`))).toEqual([]);
  expect(gateway.mutations({ by: 'caller' }).filter(({ userAgent }) => userAgent !== HAND).length).toBeGreaterThan(
    KILLS,
  );
  expect(await manager.stop()).toBe(0);
}, 7_200_000);
