import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { ApiError } from '../../platform/api/errors.ts';

/** Outcome of an action. */
export type Outcome =
  | { readonly kind: 'done'; readonly command: CandidateCommand; readonly candidate: AccountActionCandidate }
  /** Decided by somebody else first. */
  | { readonly kind: 'handled'; readonly candidate: AccountActionCandidate }
  | { readonly kind: 'gone'; readonly candidate: AccountActionCandidate }
  /** Still pending, for a reason that the server names. */
  | { readonly kind: 'refused'; readonly candidate: AccountActionCandidate; readonly message: string }
  | { readonly kind: 'failed'; readonly candidate: AccountActionCandidate; readonly error: unknown };

export interface ActionCalls {
  readonly act: (id: number, command: CandidateCommand) => Promise<AccountActionCandidate>;
  /** The item as it is now; null = deleted. */
  readonly reload: (id: number) => Promise<AccountActionCandidate | null>;
}

/** Runs one action on one item. The row's present state decides what "not found" and "conflict" mean. */
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
  /** Decided or deleted by somebody else meanwhile. */
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
