import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { mayHaveStarted, refusalOf } from '../refusal.ts';
import { reread, runKey, useArchiveCalls } from '../use-archives.ts';
import type { Command, NewRun, Run, RunAnswer, Stage } from '../wire.ts';

/** A failed or unanswered command. */
export interface WorkProblem {
  /** Null = creating a run. */
  readonly run: Run | null;
  readonly command: Command | 'create';
  readonly error: unknown;
  /** The answer was lost, the work continues at the server. */
  readonly lost: boolean;
}

export interface RunWork {
  /** Id of the run with an open request, 'create' while one is created; null = none. */
  readonly busy: string | null;
  readonly problem: WorkProblem | null;
  readonly forget: () => void;
  /** The new run; null = refused, `problem` has the reason. */
  readonly create: (wanted: NewRun) => Promise<Run | null>;
  readonly act: (run: Run, command: Command, stage: Stage | null) => Promise<void>;
}

/** Runs a person's decisions. Never starts the next stage automatically. */
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
    // A second click may come before the buttons are drawn as disabled.
    if (running.current) return null;
    running.current = true;
    setBusy(about.run?.id ?? 'create');
    setProblem(null);
    try {
      const answer = await call();
      queries.setQueryData(runKey(answer.run.id), answer);
      return answer.run;
    } catch (error) {
      setProblem({ ...about, error, lost: refusalOf(error) === null && mayHaveStarted(error) });
      return null;
    } finally {
      running.current = false;
      setBusy(null);
      // Refused or not: changes are shown.
      reread(queries);
    }
  }

  return {
    busy,
    problem,
    forget: () => setProblem(null),
    create: (wanted) => work({ run: null, command: 'create' }, () => calls.create(wanted)),
    act: async (run, command, stage) => {
      await work({ run, command }, () => calls.act(run.id, command, stage));
    },
  };
}
