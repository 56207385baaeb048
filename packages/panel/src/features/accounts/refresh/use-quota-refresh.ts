import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Account } from '../../../platform/accounts/account.ts';
import { ACCOUNTS_KEY } from '../../../platform/accounts/account-calls.ts';
import { useServices } from '../../../platform/api/services.ts';
import { askThrough } from './ask.ts';
import { QuotaError } from './observed-windows.ts';
import { type Miss, missOf, refreshQuota } from './refresh-quota.ts';
import { runRefresh } from './refresh-run.ts';

interface RefreshFailure {
  readonly account: Account;
  /** Status of the provider, 0 = not reached. */
  readonly status: number;
  readonly miss: Miss;
  /** Text of the provider, the gateway or the manager; '' = none. */
  readonly text: string;
}

interface RefreshState {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly RefreshFailure[];
  readonly running: boolean;
  readonly stopped: boolean;
}

export interface QuotaRefresh {
  /** The last refresh, null = none yet. */
  readonly state: RefreshState | null;
  /** Keys of accounts whose provider is or will be asked. */
  readonly waiting: ReadonlySet<string>;
  /** Asks the providers of these accounts, each account once. */
  readonly start: (accounts: readonly Account[]) => void;
  readonly stop: () => void;
  readonly dismiss: () => void;
}

const NONE: ReadonlySet<string> = new Set();
/** Answers within this time are drawn together, ms. */
const REDRAW_MS = 400;

/** Quota is requested only on demand; each answer is kept as soon as it arrives. */
export function useQuotaRefresh(): QuotaRefresh {
  const { client } = useServices();
  const queries = useQueryClient();
  const [state, setState] = useState<RefreshState | null>(null);
  const [waiting, setWaiting] = useState(NONE);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const run = async (accounts: readonly Account[], own: AbortController) => {
    const ask = askThrough(client, own.signal);
    const left = new Set(accounts.map(({ key }) => key));
    const failures: RefreshFailure[] = [];
    let done = 0;
    let redraw: ReturnType<typeof setTimeout> | undefined;
    const show = (running: boolean) => {
      setWaiting(running ? new Set(left) : NONE);
      setState({ total: accounts.length, done, failures: [...failures], running, stopped: own.signal.aborted });
    };
    show(true);
    await runRefresh(
      accounts,
      ({ listed }) => listed.provider,
      async (account) => {
        try {
          await refreshQuota(client, queries, ask, account);
        } catch (error) {
          if (own.signal.aborted) return;
          const { status, unreadable } = error instanceof QuotaError ? error : { status: 0, unreadable: false };
          const text = error instanceof Error ? error.message : String(error);
          failures.push({ account, status, miss: missOf({ status, unreadable }), text });
        }
        done += 1;
        left.delete(account.key);
        show(true);
        clearTimeout(redraw);
        redraw = setTimeout(() => void queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'windows'] }), REDRAW_MS);
      },
      own.signal,
    );
    clearTimeout(redraw);
    if (controller.current === own) controller.current = null;
    show(false);
    await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'windows'] });
  };

  return {
    state,
    waiting,
    start: (accounts) => {
      // A second click may come before the buttons are drawn as disabled.
      if (controller.current !== null || accounts.length === 0) return;
      const own = new AbortController();
      controller.current = own;
      void run(accounts, own);
    },
    stop: () => controller.current?.abort(),
    dismiss: () => setState(null),
  };
}
