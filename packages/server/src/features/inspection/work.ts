import { compareResults } from '@manager/core/accounts/inspection/counts';
import { inspectionResult } from '@manager/core/accounts/inspection/result';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import { AppError } from '@manager/core/contract/errors';
import type { Zone } from '@manager/core/time/zones';
import type { GatewayAccounts } from '../../gateway/accounts/gateway-accounts.ts';
import { GatewayError } from '../../gateway/errors.ts';
import { codeOf } from '../../sqlite/worker/errors.ts';
import { actAutomatically } from './actions/act-automatically.ts';
import { actManually } from './actions/act-manually.ts';
import { INSPECTION } from './claim.ts';
import { inParallel } from './in-parallel.ts';
import type { InspectionActions, InspectionWork, ProgressCounts, WorkRequest } from './ports.ts';
import type { ProbeContext } from './probing/ask.ts';
import { loadOwned } from './probing/load-owned.ts';
import { probeAccount } from './probing/probe-account.ts';
import { createResultKeeper, type ResultKeeper, type WriteInspectionEvidence } from './probing/result-keeper.ts';
import { selectAccounts } from './probing/select-accounts.ts';

export interface InspectionWorkDeps {
  readonly gatewayAccounts: GatewayAccounts;
  readonly writeInspectionEvidence: WriteInspectionEvidence;
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Rejects on abort. Times in ms. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Of the server, for labels. */
  readonly zone: Zone;
  /** A bug in the manager inside an action; the work continues. */
  readonly onFault: (error: unknown) => void;
  /** Of the manager. */
  readonly log: { info(message: string): void };
}

/** Time for storing after the last request to the gateway; slow requests must not use it up. */
const STORE_MS = 8_000;
const STORE_AFTER_CANCEL_MS = 2_000;

export function createInspectionWork(deps: InspectionWorkDeps): InspectionWork & InspectionActions {
  const { gatewayAccounts } = deps;
  const { claims } = gatewayAccounts;
  const owned = claims.register({ kind: INSPECTION, retries: false });

  async function run(request: WorkRequest) {
    const { settings, signal, journal, store } = request;
    const { targetTypes } = settings;
    await settleClaims(request);
    const live = await list(request);
    const own = await loadOwned(claims.store, live, journal);
    const turns = settings.sampleSize > 0 ? await store.accountTurns() : new Map<string, number>();
    const { accounts, probeSetCount } = selectAccounts(live, own, settings, turns, deps.random);
    const disabledCount = accounts.filter(({ listed }) => listed.disabled).length;
    const counts: ProgressCounts = {
      totalFiles: live.length,
      probeSetCount,
      sampledCount: accounts.length,
      disabledCount,
      enabledCount: accounts.length - disabledCount,
    };
    await store.writeProgress(request.run.key, counts);
    const { totalFiles, sampledCount } = counts;
    journal.log('info', 'set_ready', { targetTypes, totalFiles, probeSetCount, sampledCount });

    const keeper = createResultKeeper({ ...deps, runKey: request.run.key, store, journal });
    try {
      const context: ProbeContext = { ...deps, client: gatewayAccounts.client, settings, signal };
      await inParallel(accounts, settings.workers, signal, async (account) => {
        const finding = await probeAccount(account, context, journal);
        keeper.put(inspectionResult(request.run.id, account, finding, deps.now()));
      });
      signal.throwIfAborted();
      await keeper.tried();
      signal.throwIfAborted();
      const actions = await actAutomatically({
        gatewayAccounts,
        owned,
        journal,
        settings,
        signal,
        results: [...keeper.results()].sort(compareResults),
        onFault: deps.onFault,
        log: deps.log,
        async keep(result) {
          keeper.put(result);
          await keeper.tried();
        },
      });
      signal.throwIfAborted();
      return { actions, resultWriteFailedCount: await keeper.storeRest(STORE_MS) };
    } catch (error) {
      await storeInTime(keeper);
      throw error;
    }
  }

  /** Stores the results of a canceled or failed run; nobody may wait long for it. */
  async function storeInTime(keeper: ResultKeeper): Promise<void> {
    const late = new AbortController();
    const limit = deps.wait(STORE_AFTER_CANCEL_MS, late.signal).catch(() => {});
    await Promise.race([keeper.storeRest(STORE_AFTER_CANCEL_MS), limit]);
    late.abort();
  }

  /** Claims that cannot be settled now are not owned in this run. */
  async function settleClaims({ signal, journal }: WorkRequest): Promise<void> {
    try {
      await claims.settleAll(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      journal.log('error', 'ownership_failed', { error: `pending ownership was not changed (${codeOf(error)})` });
    }
  }

  async function list({ signal, journal }: WorkRequest): Promise<readonly ListedAccount[]> {
    try {
      return await gatewayAccounts.client.list({ signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GatewayError || error instanceof AppError) {
        journal.log('error', 'auth_files_failed', { error: error.message });
      }
      throw error;
    }
  }

  return {
    run,
    execute: (request) => actManually({ ...deps, owned }, request),
  };
}
