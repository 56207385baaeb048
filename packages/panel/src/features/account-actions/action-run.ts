import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { ApiError } from '../../platform/api/errors.ts';

/** What became of a press on an action. */
export type Outcome =
  | { readonly kind: 'done'; readonly command: CandidateCommand; readonly candidate: AccountActionCandidate }
  /** Somebody else was faster. */
  | { readonly kind: 'handled'; readonly candidate: AccountActionCandidate }
  | { readonly kind: 'gone'; readonly candidate: AccountActionCandidate }
  /** Still pending, for a reason that the server names. */
  | { readonly kind: 'refused'; readonly candidate: AccountActionCandidate; readonly message: string }
  | { readonly kind: 'failed'; readonly candidate: AccountActionCandidate; readonly error: unknown };

export interface ActionCalls {
  readonly act: (id: number, command: CandidateCommand) => Promise<AccountActionCandidate>;
  /** The candidate as it is now; null = it does not exist any more. */
  readonly reload: (id: number) => Promise<AccountActionCandidate | null>;
}

/** Does one thing with one candidate. What "not found" and "conflict" mean is seen from the row as it is then. */
export async function runAction(
  calls: ActionCalls,
  candidate: AccountActionCandidate,
  command: CandidateCommand,
): Promise<Outcome> {
  try {
    return { kind: 'done', command, candidate: await calls.act(candidate.id, command) };
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 409))
      return { kind: 'failed', candidate, error };
    try {
      const now = await calls.reload(candidate.id);
      if (now === null) return { kind: 'gone', candidate };
      if (now.status !== 'pending') return { kind: 'handled', candidate: now };
      return { kind: 'refused', candidate: now, message: error.message };
    } catch {
      return { kind: 'refused', candidate, message: error.message };
    }
  }
}

export interface BatchResult {
  readonly done: number;
  /** Decided or removed by somebody else meanwhile. */
  readonly handled: number;
  readonly failed: readonly Outcome[];
}

export function countOutcomes(outcomes: readonly Outcome[]): BatchResult {
  const ends = (...kinds: readonly Outcome['kind'][]) => outcomes.filter(({ kind }) => kinds.includes(kind));
  return {
    done: ends('done').length,
    handled: ends('handled', 'gone').length,
    failed: ends('refused', 'failed'),
  };
}
