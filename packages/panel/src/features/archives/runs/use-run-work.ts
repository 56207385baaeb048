import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { mayGoOn, refusalOf } from '../refusal.ts';
import { reread, runKey, useArchiveCalls } from '../use-archives.ts';
import type { Command, Run, RunAnswer, Stage } from '../wire.ts';

/** What was asked for and did not happen as it should. */
export interface WorkProblem {
  /** Null = it was about no run: creating one. */
  readonly run: Run | null;
  readonly command: Command | 'create';
  readonly error: unknown;
  /** The answer was lost, the work goes on at the server. */
  readonly lost: boolean;
}

export interface RunWork {
  /** Id of the run that is being asked, 'create' while one is made; null = nothing is under way. */
  readonly busy: string | null;
  readonly problem: WorkProblem | null;
  readonly forget: () => void;
  /** The new run; null = refused, `problem` says why. */
  readonly create: (cutoffMs: number) => Promise<Run | null>;
  readonly act: (run: Run, command: Command, stage: Stage | null) => Promise<void>;
}

/** What a person decided about runs. Nothing here ever begins the next stage by itself. */
export function useRunWork(): RunWork {
  const calls = useArchiveCalls();
  const queries = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<WorkProblem | null>(null);
  const running = useRef(false);

  async function work(
    about: Pick<WorkProblem, 'run' | 'command'>,
    call: () => Promise<RunAnswer>,
  ): Promise<Run | null> {
    // A second press can come before the buttons are drawn as disabled.
    if (running.current) return null;
    running.current = true;
    setBusy(about.run?.id ?? 'create');
    setProblem(null);
    try {
      const answer = await call();
      queries.setQueryData(runKey(answer.run.id), answer);
      return answer.run;
    } catch (error) {
      setProblem({ ...about, error, lost: refusalOf(error) === null && mayGoOn(error) });
      return null;
    } finally {
      running.current = false;
      setBusy(null);
      // Refused or not: whatever changed is shown.
      reread(queries);
    }
  }

  return {
    busy,
    problem,
    forget: () => setProblem(null),
    create: (cutoffMs) => work({ run: null, command: 'create' }, () => calls.create(cutoffMs)),
    act: async (run, command, stage) => {
      await work({ run, command }, () => calls.act(run.id, command, stage));
    },
  };
}
