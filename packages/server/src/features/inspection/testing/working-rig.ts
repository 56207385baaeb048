import type { AccountRecord } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/constants';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type { InspectionResult, InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { createZone } from '@manager/core/time/zones';
import type { Simulator, SimulatorOptions } from '@manager/simulator';
import { createGatewayAccounts, type GatewayAccounts } from '../../../gateway/accounts/gateway-accounts.ts';
import type { Claim } from '../../../gateway/claims/claim.ts';
import { startGatewayRig } from '../../../gateway/testing.ts';
import { claimsOf, INSPECTION as OWNER } from '../claim.ts';
import { createInspectionWork } from '../work.ts';
import { createInspectionRig, INSPECTION, type InspectionRig } from './rig.ts';

/** Inspections with a real database, a real listener and a simulated gateway. */
export interface WorkingRig {
  readonly inspection: InspectionRig;
  readonly simulator: Simulator;
  readonly gatewayAccounts: GatewayAccounts;
  /** The stored quota windows. */
  readonly evidence: QuotaObservation[];
  /** Delays between retries, ms. */
  readonly waits: number[];
  readonly faults: unknown[];
  /** Lines of the log of the manager. */
  readonly logged: string[];
  /** Number of times that storing quota windows fails. */
  failingEvidence: number;
  /** Starts a run with changed settings and waits for its end. */
  run(settings?: Partial<InspectionConfig>): Promise<InspectionRunDetail>;
  act(detail: InspectionRunDetail, wanted: Wanted): Promise<ActAnswer>;
  recover(): Promise<number>;
  ownership(): Promise<readonly (AccountRecord & Pick<Claim, 'state'>)[]>;
  /** As if an inspection had disabled it, or had been about to. */
  own(listed: ListedAccount, state: 'held' | 'disabling'): Promise<void>;
  isDisabled(id: string): boolean | undefined;
  /** Resets everything with another gateway: cheaper than a new database for each test. */
  restart(options: SimulatorOptions): Promise<void>;
  stop(): Promise<void>;
}

export interface Wanted {
  /** Results of these files; default all. */
  readonly files?: readonly string[];
  readonly deleted?: readonly string[];
}

export interface ActAnswer {
  readonly outcomes: readonly (readonly [fileName: string, action: string, status: string])[];
  readonly detail: InspectionRunDetail;
}

export async function startWorkingRig(options: SimulatorOptions): Promise<WorkingRig> {
  let gateway = await startGatewayRig(options);
  const gatewayAccounts = createGatewayAccounts({
    http: { ...gateway.http, call: (request) => gateway.http.call(request) },
    connection: () => gateway.connection,
    tlsSkipVerify: () => false,
    elapsed: () => performance.now(),
    claims: {
      reader: { run: (name, args, options) => inspection.store.reader.run(name, args, options) },
      writer: { run: (name, args, options) => inspection.store.writer.run(name, args, options) },
    },
    log: console,
  });
  const evidence: QuotaObservation[] = [];
  const waits: number[] = [];
  const faults: unknown[] = [];
  const logged: string[] = [];
  const work = createInspectionWork({
    gatewayAccounts,
    async writeInspectionEvidence(observations) {
      if (rig.failingEvidence > 0) {
        rig.failingEvidence -= 1;
        throw new Error('no room');
      }
      evidence.push(...observations);
    },
    now: Date.now,
    random: () => 0.5,
    async wait(ms, signal) {
      waits.push(ms);
      // The limit of storing after a cancellation is real time; delays between retries are short.
      await Bun.sleep(ms >= 2_000 ? ms : 5);
      signal.throwIfAborted();
    },
    zone: createZone('UTC'),
    onFault: (error) => faults.push(error),
    log: { info: (line) => logged.push(line) },
  });
  const inspection = await createInspectionRig();
  inspection.work = work.run;
  inspection.execute = work.execute;

  const rig: WorkingRig = {
    inspection,
    get simulator() {
      return gateway.simulator;
    },
    gatewayAccounts,
    evidence,
    waits,
    faults,
    logged,
    failingEvidence: 0,
    async run(settings = {}) {
      inspection.settings = { ...inspection.settings, ...settings };
      return inspection.ended(await inspection.started());
    },
    async act({ run, results }, { files, deleted = [] }) {
      const chosen = results.filter(({ fileName }) => (files ?? [fileName]).includes(fileName));
      const answer = await inspection.call('POST', `${INSPECTION}/runs/${run.id}/actions`, {
        resultIds: chosen.map(({ id }) => id),
        actionOverrides: chosen
          .filter(({ fileName }) => deleted.includes(fileName))
          .map(({ id }) => ({ resultId: id, action: 'delete' })),
      });
      if (answer.status !== 200) throw new Error(answer.text);
      const { outcomes } = answer.body as { outcomes: { fileName: string; action: string; status: string }[] };
      return {
        outcomes: outcomes.map(({ fileName, action, status }) => [fileName, action, status] as const),
        detail: await inspection.detail(run.id),
      };
    },
    recover: async () => (await gatewayAccounts.claims.settleAll(new AbortController().signal)).left,
    async ownership() {
      const claims = await inspection.store.reader.run('openClaims', OWNER);
      return claims.map(({ account, state }) => ({ ...account, state }));
    },
    async own(listed, state) {
      const { writer } = inspection.store;
      const claims = claimsOf({ members: [listed] });
      const begun = await writer.run('beginDisabling', {
        owner: OWNER,
        claims,
        enabled: { kind: 'accounts', accounts: [] },
      });
      if (state === 'held') await writer.run('settleClaims', { ids: begun.map(({ id }) => id), as: 'held' });
    },
    isDisabled(id) {
      const row = gateway.simulator.authFiles().find((file) => file.id === id);
      return row === undefined ? undefined : row.disabled === true;
    },
    async restart(next) {
      await gateway.stop();
      gateway = await startGatewayRig(next);
      for (const trigger of inspection.db.query<{ name: string }, []>(TEST_TRIGGERS).all()) {
        inspection.db.run(`DROP TRIGGER ${trigger.name}`);
      }
      for (const table of TABLES) inspection.db.run(`DELETE FROM ${table}`);
      inspection.settings = { ...DEFAULT_INSPECTION_CONFIG };
      for (const list of [evidence, waits, faults, logged]) list.length = 0;
      rig.failingEvidence = 0;
    },
    async stop() {
      await inspection.close();
      await gateway.stop();
    },
  };
  return rig;
}

const TEST_TRIGGERS = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%refused by the test%'";
/** Results and logs are deleted with their run. */
const TABLES = ['inspection_runs', 'inspection_account_turns', 'account_claims', 'manual_changes'];

/** The result of a file, which must have exactly one. */
export function resultOfFile({ results }: InspectionRunDetail, fileName: string): InspectionResult {
  const [result, second] = results.filter((candidate) => candidate.fileName === fileName);
  if (result === undefined || second !== undefined) throw new Error(`not one result of ${fileName}`);
  return result;
}

/** Last parts of the keys of the log, in order. */
export function messagesOf({ logs }: InspectionRunDetail): readonly string[] {
  return logs.map(({ message }) => message.replace(/^monitoring\.(server_codex_inspection_log_message_)?/, ''));
}
