import type {
  ExecutableAction,
  InspectionOutcome,
  InspectionRun,
  InspectionRunDetail,
} from '@manager/core/contract/inspection/runs';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ACCOUNTS_KEY } from '../../platform/accounts/account-calls.ts';
import { useServices } from '../../platform/api/services.ts';
import {
  ACTIVE_POLL_MS,
  detailPause,
  INSPECTION_KEY,
  inspectionCalls,
  isNewer,
  runKey,
  runsKey,
  useInspectionRun,
  useInspectionRuns,
} from '../../platform/queries/inspection.ts';
import { FEW_RUNS } from '../../ui/inspection/schedule-view.ts';
import { type Batch, requestOf } from './batch.ts';
import { withRun } from './runs/run-view.ts';

const MANY_RUNS = 200;

/** The last requested action. */
export interface ActedBatch {
  readonly runId: string;
  /** null = each account had its own suggestion. */
  readonly command: ExecutableAction | null;
  readonly count: number;
  /** null = in progress. */
  readonly outcomes: readonly InspectionOutcome[] | null;
}

type Doing = 'start' | 'cancel' | 'act';

export interface Failure {
  readonly doing: Doing;
  readonly error: unknown;
}

/**
 * Runs, the shown one, and its actions. A run started here is followed at once: earlier answers still in flight are dropped.
 * `chosen` = id of a run as in the address, '' = the newest one.
 */
export function useInspection(chosen: string, allRuns: boolean) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [acted, setActed] = useState<ActedBatch | null>(null);
  const running = useRef(false);
  const limit = allRuns ? MANY_RUNS : FEW_RUNS;
  const [large, setLarge] = useState(false);
  const runs = useInspectionRuns(limit, large);
  const items = runs.data?.items ?? [];
  const shownId = chosen || String(items[0]?.id ?? '');
  const detail = useInspectionRun(shownId, doing === 'act' && acted?.runId === shownId);
  const calls = inspectionCalls(client);

  const listed = items.find(({ id }) => String(id) === shownId);
  const shown = detail.data?.run;
  const listKnowsMore = listed !== undefined && shown !== undefined && isNewer(listed, shown);
  const detailKnowsMore = listed !== undefined && shown !== undefined && isNewer(shown, listed);
  const { refetch } = detail;
  const isLarge = detail.data?.run.active === true && detailPause(detail.data) > ACTIVE_POLL_MS;
  useEffect(() => setLarge(isLarge), [isLarge]);
  // The list provides the progress of a large active run; its results are loaded less often.
  const outdated = listKnowsMore && !(isLarge && listed.active);
  useEffect(() => {
    if (outdated) void refetch();
  }, [outdated, refetch]);
  useEffect(() => {
    if (!detailKnowsMore || shown === undefined) return;
    queries.setQueryData(runsKey(limit), (list: Parameters<typeof withRun>[0]) => withRun(list, shown));
  }, [detailKnowsMore, shown, limit, queries]);

  const active = [shown, ...items].find((run): run is InspectionRun => run?.active === true && !isOutdated(run, shown));
  const changes = active !== undefined || doing === 'act';
  const changed = useRef(false);
  useEffect(() => {
    // A run's findings and actions change its accounts.
    if (changed.current && !changes) void queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY] });
    changed.current = changes;
  }, [changes, queries]);

  async function take(answer: InspectionRunDetail): Promise<void> {
    await queries.cancelQueries({ queryKey: [INSPECTION_KEY] });
    queries.setQueryData(runKey(String(answer.run.id)), answer);
    queries.setQueryData(runsKey(limit), (list: Parameters<typeof withRun>[0]) => withRun(list, answer.run));
  }

  /** False when another action is in progress, or when it failed. */
  async function perform(what: Doing, work: () => Promise<void>): Promise<boolean> {
    // A second click may come before the buttons are drawn as disabled.
    if (running.current) return false;
    running.current = true;
    setDoing(what);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure({ doing: what, error });
      // Another panel or the schedule was faster, or the answer was lost.
      void queries.invalidateQueries({ queryKey: [INSPECTION_KEY] });
      return false;
    } finally {
      running.current = false;
      setDoing(null);
    }
  }

  return {
    runs,
    detail,
    shownId,
    /** The shown run, in its newest state. */
    run: listKnowsMore ? listed : shown,
    /** The active run, shown or not. */
    active,
    doing,
    failure,
    acted,
    dismiss: () => {
      setFailure(null);
      setActed(null);
    },
    start: () => {
      setActed(null);
      return perform('start', async () => take(await calls.start()));
    },
    cancel: (runId: string) => perform('cancel', async () => take(await calls.cancel(runId))),
    act: (runId: string, batch: Batch) => {
      const { command, results } = batch;
      return perform('act', async () => {
        setActed({ runId, command, count: results.length, outcomes: null });
        try {
          const { outcomes, detail: after } = await calls.act(runId, requestOf(batch));
          setActed({ runId, command, count: results.length, outcomes });
          await take(after);
        } catch (error) {
          setActed(null);
          throw error;
        }
      });
    },
  };
}

/** The list reports an active run whose detail is already newer. */
function isOutdated(run: InspectionRun, shown: InspectionRun | undefined): boolean {
  return shown !== undefined && run.id === shown.id && !shown.active && !isNewer(run, shown);
}

export type Inspection = ReturnType<typeof useInspection>;
