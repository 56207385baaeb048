import { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { limitRequestsTo } from '../browser/request-targets.ts';
import type { Mode, Session } from '../session/identity.ts';
import { createSession, type SessionControl, useSession } from '../session/session.ts';
import { createStore, type Store } from '../store.ts';
import { apiBase } from './base.ts';
import { type Client, createClient, isManagersOwn } from './client.ts';
import { ApiError } from './errors.ts';
import { type ManagerCalls, managerCalls } from './manager.ts';

/** Shared by the whole panel: session, client, cache. Made once, in `main.tsx`. */
export interface Services {
  readonly session: SessionControl;
  readonly client: Client;
  readonly manager: ManagerCalls;
  readonly queries: QueryClient;
  /** The manager reported that no gateway is connected. */
  readonly setupNeeded: Store<boolean>;
}

export function createServices(href: string): Services {
  const page = apiBase(href);
  const clock = () => Date.now();
  const session = createSession(page, clock);
  const setupNeeded = createStore(false);
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        // The panel's server may be reachable although the browser reports that it is offline.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });

  const client = createClient({
    page,
    fetch: (input, init) => fetch(input, init),
    clock,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    session: session.store.get,
    onNotConfigured: () => setupNeeded.set(true),
    onUnauthorized: (of, path) => {
      void confirmUnauthorized(of, path);
    },
  });
  const manager = managerCalls(client);

  async function confirmUnauthorized(of: Session, path: string): Promise<void> {
    // A gateway's refusal of the manager's key has to be told from the manager's own.
    if (of.mode === 'manager' && !isManagersOwn(path)) {
      try {
        await manager.config({ key: of.key, keepSessionOn401: true });
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) return;
      }
    }
    if (session.store.get() === of) session.signOut();
  }

  const limitRequests = () => {
    const signedIn = session.store.get();
    // The manager limits its page itself.
    if (signedIn?.mode === 'gateway') limitRequestsTo(signedIn.base);
  };
  limitRequests();
  session.store.subscribe(() => {
    limitRequests();
    // A new sign-in must not see what another one has loaded.
    queries.clear();
    setupNeeded.set(false);
  });
  return { session, client, manager, queries, setupNeeded };
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('services are missing');
  return services;
}

/** The server this page is signed in at. */
export function useMode(): Mode {
  return useSession(useServices().session)?.mode ?? 'manager';
}

/** Whether somebody is signed in at a manager. */
export function useManaged(): boolean {
  return useSession(useServices().session)?.mode === 'manager';
}
