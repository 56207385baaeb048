import { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { apiBase } from '../api/base.ts';
import { type Client, createClient } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { type ManagerCalls, managerCalls } from '../api/manager.ts';
import { createBrowserExports, type Exports } from '../features/imports/export/browser-exports.ts';
import { createBrowserUploads, type Uploads } from '../features/imports/upload/browser-uploads.ts';
import { createSession, type SessionControl } from './session.ts';
import { createStore, type Store } from './store.ts';

/** What the whole panel shares: session, client, cache. Made once, in `main.tsx`. */
export interface Services {
  readonly base: string;
  readonly session: SessionControl;
  readonly client: Client;
  readonly manager: ManagerCalls;
  readonly queries: QueryClient;
  /** The manager said that no upstream is connected. */
  readonly setupNeeded: Store<boolean>;
  readonly uploads: Uploads;
  readonly exports: Exports;
}

/** Paths the manager answers itself; a 401 of any other comes from the upstream and has to be confirmed. */
const OWN_PATHS =
  /^\/?(usage-service\/|status|setup|v0\/management\/(monitoring|dashboard|usage|model-prices|api-key-aliases))/;

export function createServices(href: string): Services {
  const base = apiBase(href);
  const clock = () => Date.now();
  const session = createSession(base, clock);
  const setupNeeded = createStore(false);
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        refetchOnWindowFocus: false,
        // The panel talks to its own origin, also when the browser believes it is offline.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });

  const client = createClient({
    base,
    fetch: (input, init) => fetch(input, init),
    clock,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    sessionKey: () => session.store.get()?.key ?? null,
    onNotConfigured: () => setupNeeded.set(true),
    onUnauthorized: (key, path) => {
      void confirmUnauthorized(key, path);
    },
  });
  const manager = managerCalls(client);

  async function confirmUnauthorized(key: string, path: string): Promise<void> {
    if (!OWN_PATHS.test(path)) {
      try {
        await manager.config({ key, keepSessionOn401: true });
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) return;
      }
    }
    if (session.store.get()?.key === key) session.signOut();
  }

  const uploads = createBrowserUploads(client, base);
  const exports = createBrowserExports(client);
  session.store.subscribe(() => {
    // A new sign-in must not see what another one has loaded.
    queries.clear();
    uploads.controller.stop();
    exports.controller.stop();
    setupNeeded.set(false);
  });
  return { base, session, client, manager, queries, setupNeeded, uploads, exports };
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('services are missing');
  return services;
}
