import { afterAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { accountFile, type MutationAnswer } from '@manager/simulator';
import { createRandom } from '@manager/simulator/random';
import { type CutRequest, enabledAgainstPeople, falseClaims, HAND, storedClaims } from '../support/account-claims.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';

import { boundTo, startUpstream } from '../support/upstream.ts';

// The full size is 45 kills: MANAGER_FULL_FAULTS=1.
const KILLS = process.env.MANAGER_FULL_FAULTS === '1' ? 45 : 8;
const CREDENTIALS = 30;
const INSPECTION = '/v0/management/account-inspection';
const UNCLEAR: readonly MutationAnswer[] = [
  'reset',
  'server-error',
  'unconfirmed',
  'text',
  'truncated',
  { status: 504, body: '' },
];
const ENV = {
  USAGE_QUOTA_COOLDOWN_ENABLED: 'true',
  USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
  USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'true',
};

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

test('killed repeatedly amid failures, inspections and people: every record is true, no person is overruled', async () => {
  const random = createRandom(5);
  const below = (limit: number) => Math.floor(random.next() * limit);
  const files = Array.from({ length: CREDENTIALS }, (_, index) =>
    accountFile({ provider: 'codex', name: `codex-${index}.json`, email: `${index}@example.test` }),
  );
  const someone = () => `codex-${below(CREDENTIALS)}.json`;
  const upstream = await startUpstream({ authFiles: files });
  cleanups.push(() => upstream.stop());
  const dataDir = temporaryFolder();
  const start = async () => {
    const manager = await ManagerProcess.start({ dataDir, env: { ...boundTo(upstream, 'http'), ...ENV } });
    cleanups.push(() => manager.remove());
    return manager;
  };

  const failures = setInterval(() => {
    const name = someone();
    const what = random.next();
    if (what < 0.45) void upstream.publishFor(name, { kind: 'usage-limit', resetsInSeconds: 2 + below(12) });
    else if (what < 0.47) void upstream.publishFor(name, { kind: 'token-revoked' });
    else if (what < 0.8) {
      const usedPercent = random.next() < 0.5 ? 100 : 1;
      upstream.setAccount(name, { secondary: { seconds: 604_800, usedPercent } });
    }
  }, 25);
  const faults = setInterval(() => {
    upstream.fault({
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

  const cut: CutRequest[] = [];
  const act = async (manager: ManagerProcess): Promise<void> => {
    const name = someone();
    const what = random.next();
    if (what < 0.2) await manager.fetch(`${INSPECTION}/run`, { method: 'POST' }).catch(() => {});
    if (what < 0.2 || what > 0.6) return;
    const identified = random.next() < 0.5 ? { cpamp_physical_name: name } : {};
    const disabled = what < 0.24;
    const after = upstream.mutations({ account: name }).length;
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
  upstream.clearFaults();

  const manager = await start();
  // An inspection twice a minute looks for work that was left open.
  await until(() => storedClaims(dataDir).open === 0);
  const started = await manager.post<{ run: { id: string } }>(`${INSPECTION}/run`, {});
  await until(async () => {
    const { run } = await manager.json<{ run: { active: boolean } }>(`${INSPECTION}/runs/${started.run.id}`);
    return !run.active;
  });
  // While a cooldown is being ended its account is already enabled, until the end is stored.
  const stored = await until(() => {
    const now = storedClaims(dataDir);
    return now.open === 0 && now.nextEndMs > Date.now() + 2_000 ? now : null;
  });
  expect(falseClaims(upstream, stored, cut)).toEqual([]);

  expect(enabledAgainstPeople(upstream)).toEqual([]);
  expect(upstream.mutations({ by: 'caller' }).filter(({ userAgent }) => userAgent !== HAND).length).toBeGreaterThan(
    KILLS,
  );
  expect(await manager.stop()).toBe(0);
}, 600_000);
