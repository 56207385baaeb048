import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { ACCOUNT_ACTIONS_LIMIT } from '@manager/core/contract/constants';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ACCOUNTS_KEY } from '../../platform/accounts/account-calls.ts';
import { useServices } from '../../platform/api/services.ts';
import { actOnCandidate, CANDIDATES_KEY, listCandidates } from '../../platform/queries/account-actions.ts';
import { type ActionCalls, type Outcome, runAction } from './action-run.ts';

interface Run {
  readonly command: CandidateCommand;
  readonly total: number;
  readonly outcomes: readonly Outcome[];
}

export interface CandidateActions {
  /** Items with an action that runs or waits. */
  readonly busy: ReadonlySet<number>;
  /** Progress of the last action. */
  readonly run: Run | null;
  /** The latest state of an item that may no longer be in the list. */
  readonly latest: (id: string) => AccountActionCandidate | null;
  readonly act: (candidates: readonly AccountActionCandidate[], command: CandidateCommand) => Promise<void>;
  readonly dismiss: () => void;
}

const NONE: ReadonlySet<number> = new Set();

/** Runs a person's decisions, one item after the other. */
export function useCandidateActions(): CandidateActions {
  const { client } = useServices();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(NONE);
  const [run, setRun] = useState<Run | null>(null);
  const running = useRef(false);

  const calls: ActionCalls = {
    act: async (id, command) => (await actOnCandidate(client, id, command)).item,
    reload: async (id) => {
      const { items } = await listCandidates(client, '', ACCOUNT_ACTIONS_LIMIT.most);
      return items.find((item) => item.id === id) ?? null;
    },
  };

  async function act(candidates: readonly AccountActionCandidate[], command: CandidateCommand): Promise<void> {
    // A second click may come before the buttons are drawn as disabled.
    if (running.current || candidates.length === 0) return;
    running.current = true;
    const total = candidates.length;
    const outcomes: Outcome[] = [];
    setBusy(new Set(candidates.map(({ id }) => id)));
    setRun({ command, total, outcomes: [] });
    try {
      for (const candidate of candidates) {
        outcomes.push(await runAction(calls, candidate, command));
        setRun({ command, total, outcomes: [...outcomes] });
      }
      // An enabled or deleted account is no longer in cooldown.
      void queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY] });
      await queries.invalidateQueries({ queryKey: [CANDIDATES_KEY] });
    } finally {
      running.current = false;
      setBusy(NONE);
    }
  }

  return {
    busy,
    run,
    latest: (id) => run?.outcomes.find(({ candidate }) => String(candidate.id) === id)?.candidate ?? null,
    act,
    dismiss: () => setRun(null),
  };
}
