import type { Credential } from '@manager/core/accounts/credential';
import type { ActionSelection, SelectableResult } from '@manager/core/accounts/inspection/action-selection';
import { type ValidAction, validateActions } from '@manager/core/accounts/inspection/action-validation';
import { AppError } from '@manager/core/contract/errors';
import type { InspectionAction, OutcomeStatus } from '@manager/core/contract/inspection';
import { stopPoint } from '../../../fault-points/stop-point.ts';
import { UpstreamError } from '../../../upstream/errors.ts';
import { inParallel } from '../in-parallel.ts';
import { CANCELLED, type Carried, type CarryOutContext, carryOut, isEndedWait } from './carry-out.ts';

export interface BatchOutcome<Result> {
  readonly result: Result;
  /** What was carried out or refused. */
  readonly action: InspectionAction;
  readonly status: OutcomeStatus;
  /** '' = none. */
  readonly error: string;
  /** Where it was decided. */
  readonly at: 'selection' | 'validation' | 'execution';
  /** Results whose credential was changed along with it; they have outcomes of their own. */
  readonly along: readonly Result[];
}

export interface Batch<Result> extends CarryOutContext {
  readonly selection: ActionSelection<Result>;
  /** Actions at the same time; those of one file always follow each other. */
  readonly workers: number;
  /** A fault of ours; told, and the action fails. */
  readonly onFault: (error: unknown) => void;
  /** Told of each outcome; that of an executed action is awaited while its file is still locked. */
  readonly settled: (outcome: BatchOutcome<Result>) => void | Promise<void>;
}

/** Checks a selection against one fresh list and carries it out: exactly one outcome for each result that was selected. */
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

  for (const { result, status, reason } of selection.outcomes) {
    await add(result, 'selection', { status, error: reason });
  }
  if (selection.execute.length === 0) return outcomes;

  let live: readonly Credential[];
  try {
    live = await batch.credentials.client.list({ signal });
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof AppError)) throw error;
    const carried = signal.aborted ? CANCELLED : { status: 'failed' as const, error: error.message };
    for (const { result } of selection.execute) await add(result, 'validation', carried);
    return outcomes;
  }

  const files = new Map<string, ValidAction<Result>[]>();
  for (const verdict of validateActions(selection.execute, selection.considered, live)) {
    if (verdict.verdict === 'refuse') {
      await add(verdict.result, 'validation', { status: verdict.status, error: verdict.reason });
    } else {
      const key = verdict.credential.name.toLowerCase();
      files.set(key, [...(files.get(key) ?? []), verdict]);
    }
  }

  const begun = new Set<ValidAction<Result>>();
  await inParallel([...files.values()], batch.workers, signal, async (ofFile) => {
    for (const valid of ofFile) {
      if (signal.aborted) return;
      begun.add(valid);
      const along = valid.covers.map(({ result }) => result).filter((result) => result !== valid.item.result);
      await execute(batch, valid, (carried) => add(valid.item.result, 'execution', carried, along));
    }
  });
  for (const valid of [...files.values()].flat()) {
    if (!begun.has(valid)) await add(valid.item.result, 'execution', CANCELLED);
  }
  return outcomes;
}

/** The file stays locked until the outcome is stored. */
async function execute<Result>(
  batch: Batch<Result>,
  valid: ValidAction<Result>,
  add: (carried: Carried) => Promise<void>,
): Promise<void> {
  const { credentials, signal } = batch;
  try {
    await credentials.lock.withFiles([valid.credential.name], signal, async () => {
      await add(await carried(batch, valid));
      stopPoint('inspection_change_stored');
    });
  } catch (error) {
    if (!isEndedWait(error, signal)) throw error;
    await add(CANCELLED);
  }
}

async function carried<Result>(batch: Batch<Result>, valid: ValidAction<Result>): Promise<Carried> {
  try {
    return await carryOut(batch, valid);
  } catch (error) {
    batch.onFault(error);
    return { status: 'failed', error: 'a fault of the manager; its log says more' };
  }
}
