import {
  type ActionRefusal,
  type ActionSelection,
  identityOfResult,
  REASONS,
  type SelectableResult,
} from '@manager/core/accounts/inspection/action-selection';
import { type ValidAction, validateActions } from '@manager/core/accounts/inspection/action-validation';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import { AppError } from '@manager/core/contract/errors';
import type { InspectionAction, OutcomeStatus } from '@manager/core/contract/inspection/runs';
import { GatewayError } from '../../../gateway/errors.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { inParallel } from '../in-parallel.ts';
import { CANCELLED, type Carried, type CarryOutContext, carryOut, isEndedWait } from './carry-out.ts';
import { disablePermanently, keepDisabled } from './keep-disabled.ts';

export interface BatchOutcome<Result> {
  readonly result: Result;
  /** What was executed or refused. */
  readonly action: InspectionAction;
  readonly status: OutcomeStatus;
  /** '' = no error. */
  readonly error: string;
  /** Where it was decided. */
  readonly at: 'selection' | 'validation' | 'execution';
  /** Results whose account changed too; they have their own outcomes. */
  readonly along: readonly Result[];
}

export interface Batch<Result> extends CarryOutContext {
  readonly selection: ActionSelection<Result>;
  /** Parallel actions; those of one file run one after the other. */
  readonly workers: number;
  /** A bug in the manager; it is reported, and the action fails. */
  readonly onFault: (error: unknown) => void;
  /** Called with each outcome; for an executed action it is awaited while its file is still locked. */
  readonly settled: (outcome: BatchOutcome<Result>) => void | Promise<void>;
}

/** Checks a selection against one fresh list and executes it: exactly one outcome per selected result. */
export async function runBatch<Result extends SelectableResult & { readonly disabled: boolean }>(
  batch: Batch<Result>,
): Promise<readonly BatchOutcome<Result>[]> {
  const { selection, settled, signal } = batch;
  const outcomes: BatchOutcome<Result>[] = [];
  const actions = new Map(selection.considered.map(({ result, action }) => [result, action]));
  const add = async (
    result: Result,
    at: BatchOutcome<Result>['at'],
    { status, error }: Carried,
    along: readonly Result[] = [],
  ) => {
    const outcome = { result, action: actions.get(result) ?? 'keep', status, error, at, along };
    outcomes.push(outcome);
    await settled(outcome);
  };

  const isForGood = (result: Result) => batch.trigger === 'manual' && actions.get(result) === 'disable';
  const files = new Map<string, Step<Result>[]>();
  const plan = (fileName: string, step: Step<Result>) => {
    const key = fileName.toLowerCase();
    files.set(key, [...(files.get(key) ?? []), step]);
  };
  for (const refusal of selection.outcomes) {
    const { result, reason } = refusal;
    if (reason === REASONS.done && isForGood(result)) plan(result.fileName, repeatedStep(refusal));
    else await add(result, 'selection', carriedOf(refusal));
  }
  await validate();

  const begun = new Set<Step<Result>>();
  await inParallel([...files.values()], batch.workers, signal, async (ofFile) => {
    for (const step of ofFile) {
      if (signal.aborted) return;
      begun.add(step);
      await execute(batch, step, (carried) => add(step.result, 'execution', carried, step.along));
    }
  });
  for (const step of [...files.values()].flat()) {
    if (!begun.has(step)) await add(step.result, 'execution', step.unbegun);
  }
  return outcomes;

  async function validate(): Promise<void> {
    if (selection.execute.length === 0) return;
    let live: readonly ListedAccount[];
    try {
      live = await batch.gatewayAccounts.client.list({ signal });
    } catch (error) {
      if (!(error instanceof GatewayError || error instanceof AppError)) throw error;
      const carried = signal.aborted ? CANCELLED : { status: 'failed' as const, error: error.message };
      for (const { result } of selection.execute) await add(result, 'validation', carried);
      return;
    }
    for (const verdict of validateActions(selection.execute, selection.considered, live)) {
      if (verdict.verdict === 'execute') plan(verdict.listed.name, stepOf(verdict, carryOut));
      else if (verdict.inPlace !== null && isForGood(verdict.result)) {
        const work: Work = (context, valid) => disablePermanently(context, valid, verdict.reason);
        plan(verdict.inPlace.listed.name, stepOf(verdict.inPlace, work));
      } else await add(verdict.result, 'validation', carriedOf(verdict));
    }
  }
}

/** Work under the lock of a file. */
interface Step<Result> {
  readonly result: Result;
  readonly fileName: string;
  readonly along: readonly Result[];
  readonly work: (context: CarryOutContext) => Promise<Carried>;
  /** The outcome when the batch ends before it starts. */
  readonly unbegun: Carried;
}

type Work = (context: CarryOutContext, valid: ValidAction<unknown>) => Promise<Carried>;

function stepOf<Result>(valid: ValidAction<Result>, work: Work): Step<Result> {
  const { result } = valid.item;
  return {
    result,
    fileName: valid.listed.name,
    along: valid.covers.map((covered) => covered.result).filter((covered) => covered !== result),
    work: (context) => work(context, valid),
    unbegun: CANCELLED,
  };
}

/** The operator repeats an action that was already executed. */
function repeatedStep<Result extends SelectableResult>(refusal: ActionRefusal<Result>): Step<Result> {
  const { result } = refusal;
  return {
    result,
    fileName: result.fileName,
    along: [],
    work: (context) => keepDisabled(context, identityOfResult(result), refusal.reason),
    unbegun: carriedOf(refusal),
  };
}

function carriedOf({ status, reason }: ActionRefusal<unknown>): Carried {
  return { status, error: reason };
}

/** The file stays locked until the outcome is stored. */
async function execute<Result>(
  batch: Batch<Result>,
  step: Step<Result>,
  add: (carried: Carried) => Promise<void>,
): Promise<void> {
  const { gatewayAccounts, signal } = batch;
  try {
    await gatewayAccounts.lock.withFiles([step.fileName], signal, async () => {
      await add(await carried(batch, step));
      stopPoint('inspection_change_stored');
    });
  } catch (error) {
    if (!isEndedWait(error, signal)) throw error;
    await add(step.unbegun);
  }
}

async function carried<Result>(batch: Batch<Result>, { work }: Step<Result>): Promise<Carried> {
  try {
    return await work(batch);
  } catch (error) {
    batch.onFault(error);
    return { status: 'failed', error: 'a bug in the manager; see the manager log' };
  }
}
