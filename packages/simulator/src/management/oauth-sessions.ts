import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';

const SESSION_MS = 30 * 60_000;
const CODE_FLOW_MS = 5 * 60_000;
const FINISHED_MS = 60_000;

export interface OAuthSession {
  readonly state: string;
  readonly provider: string;
  readonly isDevice: boolean;
  readonly startedAtMs: number;
  /** null while pending. */
  outcome: { readonly error: string; readonly atMs: number } | null;
}

/** Sign-ins in progress. A test ends them with `finish`. */
export interface OAuthSessions {
  start(provider: string, isDevice: boolean): OAuthSession;
  /** The current state; null = unknown or expired. */
  find(state: string): OAuthSession | null;
  /** '' = signed in. */
  finish(session: OAuthSession, error: string): void;
  cancel(state: string): boolean;
  reset(): void;
}

export function createOAuthSessions(clock: Clock, random: Random): OAuthSessions {
  const sessions = new Map<string, OAuthSession>();
  return {
    start(provider, isDevice) {
      const state = isDevice ? `${provider}-${clock.now()}${random.integer(100_000, 999_999)}` : random.hex(32);
      const session: OAuthSession = { state, provider, isDevice, startedAtMs: clock.now(), outcome: null };
      sessions.set(state, session);
      return session;
    },
    find(state) {
      const session = sessions.get(state);
      if (session === undefined) return null;
      const ageMs = clock.now() - session.startedAtMs;
      if (session.outcome === null && !session.isDevice && ageMs > CODE_FLOW_MS)
        session.outcome = { error: 'timeout waiting for the callback', atMs: session.startedAtMs + CODE_FLOW_MS };
      const isForgotten =
        ageMs > SESSION_MS || (session.outcome?.error === '' && clock.now() - session.outcome.atMs > FINISHED_MS);
      if (isForgotten) sessions.delete(state);
      return isForgotten ? null : session;
    },
    finish(session, error) {
      session.outcome = { error, atMs: clock.now() };
    },
    cancel: (state) => sessions.delete(state),
    reset: () => sessions.clear(),
  };
}
