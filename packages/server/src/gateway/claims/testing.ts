import { mkdirSync } from 'node:fs';
import { accountRecord, identityOf } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import type { Simulator, SimulatorOptions } from '@manager/simulator';
import { createTestFolder } from '../../platform/testing/test-folder.ts';
import { openStore, prepareStore, type Store } from '../../workers/store.ts';
import { createGatewayAccounts, type GatewayAccounts } from '../accounts/gateway-accounts.ts';
import type { Pause, WakingLoop } from '../accounts/waking-loop.ts';
import { startGatewayRig } from '../testing.ts';
import type { ClaimFields } from './claim.ts';
import { type ClaimClock, createClaimClock } from './clock.ts';

/** Claims in a real database, with the accounts of a simulated gateway. */
export interface ClaimsRig {
  readonly path: string;
  readonly store: Store;
  readonly simulator: Simulator;
  readonly gatewayAccounts: GatewayAccounts;
  readonly clock: ClaimClock;
  readonly now: () => number;
  /** For the worker of the test. */
  readonly wait: Pause;
  /** One pass of the worker over everything that is due after this time. */
  look(worker: WakingLoop, afterMs: number): Promise<void>;
  /** The one account of a file. */
  account(name: string): Promise<ListedAccount>;
  /** An existing claim on an account. */
  claim(
    owner: string,
    name: string,
    state: 'held' | 'disabling' | 'enabling',
    fields?: Partial<ClaimFields>,
  ): Promise<void>;
  /** Files and states of the open claims of an owner. */
  states(owner: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export async function startClaimsRig(options: SimulatorOptions): Promise<ClaimsRig> {
  const folder = createTestFolder();
  mkdirSync(folder.path('temp'));
  const path = folder.path('usage.sqlite');
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('temp') });
  const store = openStore({ path, hourlyRollup: true, now: Date.now, log: { info() {}, error: console.error } });
  const gateway = await startGatewayRig(options);
  const gatewayAccounts = createGatewayAccounts({
    http: gateway.http,
    connection: () => gateway.connection,
    tlsSkipVerify: () => false,
    elapsed: () => performance.now(),
    claims: store,
    log: console,
  });
  let aheadMs = 0;
  let rested = Promise.withResolvers<void>();
  let resume = Promise.withResolvers<void>();
  const now = () => Date.now() + aheadMs;

  const rig: ClaimsRig = {
    path,
    store,
    simulator: gateway.simulator,
    gatewayAccounts,
    clock: createClaimClock({ now, elapsed: now, gatewayNow: () => null }),
    now,
    async wait(_ms, signal) {
      signal.addEventListener('abort', () => resume.reject(signal.reason), { once: true });
      rested.resolve();
      await resume.promise;
    },
    async look(worker, afterMs) {
      aheadMs = afterMs;
      const again = resume;
      rested = Promise.withResolvers();
      resume = Promise.withResolvers();
      worker.start();
      again.resolve();
      await rested.promise;
    },
    async account(name) {
      const [account] = (await gatewayAccounts.client.list()).filter((entry) => entry.name === name);
      if (account === undefined) throw new Error(`no account ${name}`);
      return account;
    },
    async claim(owner, name, state, fields = {}) {
      const account = accountRecord(identityOf(await rig.account(name)));
      const claim = { subject: name, account, details: null, untilMs: null, request: null, ...fields };
      const enabled = { kind: 'accounts', accounts: [] } as const;
      const [begun] = await store.writer.run('beginDisabling', { owner, claims: [claim], enabled });
      if (begun === undefined) throw new Error('no claim was made');
      if (state !== 'disabling') await store.writer.run('settleClaims', { ids: [begun.id], as: state });
    },
    async states(owner) {
      const claims = await store.reader.run('openClaims', owner);
      return claims.map(({ account, state }) => `${account.authFileName} ${state}`);
    },
    async stop() {
      await store.close();
      await gateway.stop();
      folder.dispose();
    },
  };
  return rig;
}
