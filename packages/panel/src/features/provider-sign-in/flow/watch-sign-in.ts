import type { Account } from '../../../platform/accounts/account.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import type { SignInProvider } from '../providers.ts';
import type { Status } from './sign-in-calls.ts';
import { compareAccounts, type Outcome } from './sign-in-outcome.ts';

/** A sign-in in progress. */
export interface Flow {
  readonly provider: SignInProvider;
  readonly state: string;
  readonly url: string;
  readonly device: { readonly userCode: string } | null;
  readonly lastsMs: number;
  readonly endsAtMs: number;
  /** Key of the account to sign in again; '' = any. */
  readonly expected: string;
  /** The list before it. */
  readonly before: readonly Account[];
}

export type Ending =
  | { readonly kind: 'signedIn'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'expired' }
  /** `unsure`: whether the gateway has ended it is not known. */
  | { readonly kind: 'canceled'; readonly unsure: boolean };

export interface Watched {
  readonly ask: (state: string, signal: AbortSignal) => Promise<Status>;
  readonly list: (signal: AbortSignal) => Promise<readonly Account[]>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** The gateway does not answer, or does again. */
  readonly onTrouble: (error: unknown) => void;
}

const POLL_MS = 3_000;
/** The gateway lists a new file after a moment. */
const LIST_MS = 1_000;
const LIST_TRIES = 8;

/** Asks until the sign-in has ended; null = no longer wanted. */
export async function watchSignIn(flow: Flow, watched: Watched, signal: AbortSignal): Promise<Ending | null> {
  const { ask, wait, now, onTrouble } = watched;
  let troubled = false;
  while (!signal.aborted) {
    if (now() >= flow.endsAtMs) return (await seen(flow, watched, signal)) ?? { kind: 'expired' };
    try {
      const status = await ask(flow.state, signal);
      if (troubled) onTrouble(null);
      troubled = false;
      if (status.kind === 'ok') return await settle(flow, watched, signal);
      // A gateway forgets a finished sign-in within a minute, so an unknown one may have succeeded.
      if (status.kind === 'error')
        return (await seen(flow, watched, signal)) ?? { kind: 'failed', message: status.message };
    } catch (error) {
      if (signal.aborted) return null;
      if (error instanceof ApiError && (error.status === 400 || error.status === 404))
        return { kind: 'failed', message: error.message };
      troubled = true;
      onTrouble(error);
    }
    await wait(POLL_MS, signal);
  }
  return null;
}

/** Whether an account has appeared although the sign-in was not confirmed. */
export async function seen(flow: Flow, { list }: Watched, signal: AbortSignal): Promise<Ending | null> {
  try {
    const outcome = compareAccounts(flow.before, await list(signal), flow.provider, flow.expected);
    // A changed file alone proves nothing: the gateway refreshes tokens.
    const proven =
      outcome?.kind === 'added' || (outcome?.kind === 'replaced' && flow.expected !== '' && !outcome.instead);
    return proven ? { kind: 'signedIn', outcome } : null;
  } catch {
    return null;
  }
}

async function settle(flow: Flow, { list, wait }: Watched, signal: AbortSignal): Promise<Ending | null> {
  let outcome: Outcome = { kind: 'unread' };
  for (let attempt = 0; attempt < LIST_TRIES; attempt += 1) {
    try {
      const found = compareAccounts(flow.before, await list(signal), flow.provider, flow.expected);
      if (found !== null) return { kind: 'signedIn', outcome: found };
      outcome = { kind: 'unseen' };
    } catch {
      // Asked again below.
    }
    if (signal.aborted) return null;
    await wait(LIST_MS, signal);
  }
  return { kind: 'signedIn', outcome };
}
