import { readRequestedActions } from '@manager/core/accounts/inspection/action-request';
import { inspectionOutcome } from '@manager/core/accounts/inspection/outcome';
import { AppError } from '@manager/core/contract/errors';
import { readInspectionConfig } from '@manager/core/contract/inspection/config';
import type {
  InspectionActionsRequest,
  InspectionOutcome,
  InspectionRun,
} from '@manager/core/contract/inspection/runs';
import { stopPoint } from '../../platform/stop-point.ts';
import { createJournal } from './journal.ts';
import type { ActionOutcome, InspectionActions, InspectionStore } from './ports.ts';
import { runNotFound } from './queries/change-run.ts';
import type { RunDetailParts, RunWithResults } from './queries/read-runs.ts';
import { requireRunId } from './request.ts';
import { shortfall } from './run-end.ts';
import { isUnfinished, type StoredRun } from './run-row.ts';
import type { InspectionLogger, InspectionRunner } from './runner.ts';
import type { InspectionReads, InspectionWrites } from './store.ts';

export interface InspectionServiceDeps {
  readonly reader: InspectionReads;
  readonly writer: InspectionWrites;
  readonly store: InspectionStore;
  readonly runner: InspectionRunner;
  readonly actions: InspectionActions;
  /** Whether a gateway is configured. */
  readonly configured: () => boolean;
  readonly now: () => number;
  readonly log: InspectionLogger;
  /** Pauses; replaced in tests. */
  readonly wait?: (ms: number) => Promise<void>;
}

export interface RunDetail {
  readonly run: InspectionRun;
  /** The members `results` and `logs` as JSON text. */
  readonly rest: Uint8Array<ArrayBuffer>;
}

export interface ActionsAnswer {
  readonly outcomes: readonly InspectionOutcome[];
  readonly detail: RunDetail;
}

export interface InspectionService {
  /** @throws AppError `usage_service_not_configured` */
  requireConfigured(): void;
  start(): Promise<RunDetail>;
  list(limit: number): Promise<readonly InspectionRun[]>;
  get(id: number): Promise<RunDetail>;
  cancel(id: number): Promise<RunDetail>;
  /** @param idText checked, and `readRequest` called, once no other work is active */
  act(idText: string, readRequest: () => InspectionActionsRequest): Promise<ActionsAnswer>;
}

/** Time for storing outcomes; starts after the last action, so that a slow gateway does not use it up. */
const RECORD_MS = 8_000;
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 250;

export function createInspectionService(deps: InspectionServiceDeps): InspectionService {
  const { reader, writer, store, runner, now, log } = deps;
  const wait = deps.wait ?? Bun.sleep;

  function requireConfigured(): void {
    if (!deps.configured()) throw new AppError('usage_service_not_configured');
  }

  function withLife({ key, ...run }: StoredRun): InspectionRun {
    const live = runner.live();
    const active = isUnfinished(run.status) && live?.runKey === key;
    return { ...run, active, cancellable: active && (!live.finishing || run.status === 'cancelling') };
  }

  /** A run that ended during the read is read again: a running one without a task would look abandoned. */
  async function steady<T>(read: () => Promise<T>): Promise<T> {
    const before = runner.live()?.runKey;
    const found = await read();
    return before === undefined || runner.live()?.runKey === before ? found : read();
  }

  /**
   * A caller that sees the end of a run may start the next action at once: the last state is stored a moment before the run is
   * released.
   */
  async function untilReleased({ key, status }: StoredRun): Promise<void> {
    if (!isUnfinished(status)) await runner.left(key);
  }

  async function get(id: number): Promise<RunDetail> {
    const found: RunDetailParts | null = await steady(() => reader.run('inspectionRunDetail', id));
    if (found === null) throw runNotFound();
    await untilReleased(found.run);
    return { run: withLife(found.run), rest: found.rest };
  }

  async function execute(
    { run, results }: RunWithResults,
    request: InspectionActionsRequest,
    signal: AbortSignal,
  ): Promise<readonly ActionOutcome[]> {
    const requested = readRequestedActions(request, results);
    const journal = createJournal({ runKey: run.key, writer, now });
    const outcomes = await deps.actions.execute({
      run: {
        id: run.id,
        key: run.key,
        triggerType: run.triggerType,
        triggerKey: run.triggerKey ?? '',
        startedAtMs: run.startedAtMs,
      },
      settings: readInspectionConfig(run.settings),
      results,
      ...requested,
      signal,
      journal,
      store,
    });
    stopPoint('inspection_actions_done');
    try {
      await record(run.key, outcomes);
    } catch (cause) {
      log.error({ err: cause, runId: run.id }, 'outcomes of inspection actions cannot be stored');
      journal.log('error', 'result_write_failed', { actionCount: outcomes.length });
      throw new AppError('inspection_outcomes_not_stored', { cause });
    } finally {
      await journal.close();
    }
    return outcomes;
  }

  async function record(runKey: string, outcomes: readonly ActionOutcome[]): Promise<void> {
    const failedActions = outcomes.filter(({ status }) => status === 'failed').length;
    const args = {
      runKey,
      outcomes: outcomes.map(({ result, action, status, error }) => ({
        resultId: result.id,
        disabled: result.disabled,
        action,
        status,
        error,
      })),
      error: shortfall({ failedActions, failedWrites: 0 }),
    };
    const deadline = AbortSignal.timeout(RECORD_MS);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writer.run('recordInspectionOutcomes', { ...args, nowMs: now() }, { signal: deadline });
      } catch (error) {
        if (attempt === RECORD_TRIES || deadline.aborted || error instanceof AppError) throw error;
        await wait(RECORD_PAUSE_MS);
      }
    }
  }

  return {
    requireConfigured,
    get,
    async start() {
      const run = await runner.startManual();
      return { run: withLife(run), rest: NOTHING_YET };
    },
    async list(limit) {
      const runs = await steady(() => reader.run('inspectionRuns', limit));
      for (const run of runs) await untilReleased(run);
      return runs.map(withLife);
    },
    async cancel(id) {
      const run = await reader.run('inspectionRun', id);
      if (run === null) throw runNotFound();
      if (run.status !== 'cancelling' && run.status !== 'cancelled') await runner.cancel(run.key);
      return get(id);
    },
    async act(idText, readRequest) {
      const outcomes = await runner.exclusively(async (signal) => {
        const request = readRequest();
        if (request.resultIds.length === 0) throw badRequest('resultIds: at least one expected');
        requireConfigured();
        const found = await reader.run('inspectionRunResults', requireRunId(idText));
        if (found === null) throw runNotFound();
        if (found.run.status !== 'completed') throw notCompleted();
        return execute(found, request, signal);
      });
      return {
        outcomes: outcomes.map(({ result, action, status, error }) => inspectionOutcome(result, action, status, error)),
        detail: await get(requireRunId(idText)),
      };
    },
  };
}

/** The detail of a run that has just started. */
const NOTHING_YET = new TextEncoder().encode('"results":[],"logs":[]');

function notCompleted(): AppError {
  return new AppError('inspection_not_completed');
}

function badRequest(message: string): AppError {
  return new AppError('inspection_actions_invalid', { message });
}
