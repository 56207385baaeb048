import { QueryClient } from '@tanstack/react-query';
import type { Session } from '../session/identity.ts';
import type { SessionControl } from '../session/session.ts';
import { leaveViewer } from '../session/viewer-token.ts';
import { createStore, type Store } from '../store.ts';
import { apiBase } from './base.ts';
import { createClient } from './client.ts';
import { managerCalls } from './manager.ts';
import type { Services } from './services.ts';

/** Services of a tab that a viewer link opened: every request has its token, and no sign-in is read or stored. */
export function createViewerServices(
  href: string,
  token: string,
): { readonly services: Services; readonly ended: Store<boolean> } {
  const page = apiBase(href);
  const clock = () => Date.now();
  const session: Session = { key: token, base: page, mode: 'manager' };
  const ended = createStore(false);
  const client = createClient({
    page,
    fetch: (input, init) => fetch(input, init),
    clock,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    session: () => session,
    onNotConfigured: () => {},
    onUnauthorized: () => ended.set(true),
  });
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' } },
  });
  return {
    services: {
      session: viewerSession(session),
      client,
      manager: managerCalls(client),
      queries,
      setupNeeded: createStore(false),
    },
    ended,
  };
}

/** A session that is neither stored nor changed. */
function viewerSession(session: Session): SessionControl {
  return {
    store: createStore<Session | null>(session),
    signIn: () => {},
    remembered: () => null,
    remember: () => {},
    settle: () => {},
    locked: createStore(false),
    lock: () => {},
    signOut: leaveViewer,
  };
}
