import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readAccounts } from '../../../platform/accounts/account.ts';
import { ACCOUNTS_KEY, listFiles } from '../../../platform/accounts/account-calls.ts';
import { type Services, useServices } from '../../../platform/api/services.ts';
import type { SignInProvider } from '../providers.ts';
import { askStatus, cancelSignIn, startSignIn } from './sign-in-calls.ts';
import { type Ending, type Flow, seen, type Watched, watchSignIn } from './watch-sign-in.ts';

type SignInState =
  | { readonly kind: 'idle' | 'starting' }
  /** It did not begin. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** `trouble`: the gateway did not answer the last question; null = it did. */
  | { readonly kind: 'waiting'; readonly flow: Flow; readonly trouble: unknown }
  | { readonly kind: 'ended'; readonly flow: Flow; readonly ending: Ending };

export interface SignIn {
  readonly state: SignInState;
  /** @param expected key of the account to sign in again; '' = any */
  readonly start: (expected: string) => Promise<void>;
  readonly cancel: () => Promise<void>;
  readonly dismiss: () => void;
}

const IDLE: SignInState = { kind: 'idle' };

/**
 * The sign-in at one provider. It outlives the page, so that one can look at another page meanwhile, but only the page asks how
 * it stands; it ends with the session.
 */
export function useSignIn(provider: SignInProvider): SignIn {
  const services = useServices();
  const { client, queries } = services;
  const queryKey = ['provider-sign-in', provider.id];
  const { data: state = IDLE } = useQuery<SignInState>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const current = (): SignInState => queries.getQueryData<SignInState>(queryKey) ?? IDLE;
  const set = (next: SignInState) => queries.setQueryData<SignInState>(queryKey, next);
  const end = (flow: Flow, ending: Ending) => {
    set({ kind: 'ended', flow, ending });
    if (ending.kind === 'signedIn') void queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });
  };

  const waitingFor = state.kind === 'waiting' ? state.flow : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one watch for each flow.
  useEffect(() => {
    if (waitingFor === null) return;
    const controller = new AbortController();
    const watched = watchedBy(services, (trouble) => {
      if (!controller.signal.aborted) set({ kind: 'waiting', flow: waitingFor, trouble });
    });
    void watchSignIn(waitingFor, watched, controller.signal).then((ending) => {
      if (ending !== null && !controller.signal.aborted) end(waitingFor, ending);
    });
    return () => controller.abort();
  }, [waitingFor]);

  async function start(expected: string): Promise<void> {
    const before = current();
    if (before.kind === 'starting') return;
    set({ kind: 'starting' });
    const session = services.session.store.get();
    const put = (next: SignInState) => {
      if (services.session.store.get() === session) set(next);
    };
    try {
      // Two of one provider would take each other's answer.
      if (before.kind === 'waiting') await cancelSignIn(client, before.flow.state).catch(() => false);
      const accounts = readAccounts(await listFiles(client));
      const started = await startSignIn(client, provider);
      const flow: Flow = { ...started, provider, expected, before: accounts, endsAtMs: Date.now() + started.lastsMs };
      put({ kind: 'waiting', flow, trouble: null });
    } catch (error) {
      put({ kind: 'refused', error });
    }
  }

  async function cancel(): Promise<void> {
    const before = current();
    if (before.kind !== 'waiting') return;
    const { flow } = before;
    // Nothing asks any more, whatever comes of the cancellation.
    end(flow, { kind: 'canceled', unsure: false });
    const stillOurs = () => {
      const now = current();
      return now.kind === 'ended' && now.flow.state === flow.state;
    };
    try {
      if (await cancelSignIn(client, flow.state)) return;
      // It had ended just before.
      const ending = await seen(
        flow,
        watchedBy(services, () => {}),
        new AbortController().signal,
      );
      if (ending !== null && stillOurs()) end(flow, ending);
    } catch {
      if (stillOurs()) end(flow, { kind: 'canceled', unsure: true });
    }
  }

  return { state, start, cancel, dismiss: () => set(IDLE) };
}

function watchedBy({ client }: Services, onTrouble: (error: unknown) => void): Watched {
  return {
    ask: (state, signal) => askStatus(client, state, signal),
    list: async (signal) => readAccounts(await listFiles(client, signal)),
    wait: pause,
    now: Date.now,
    onTrouble,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
