import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import { ApiError } from '../../../platform/api/errors.ts';
import type { Hasher } from './digest/hasher.ts';
import { createPrefixDigest, type PrefixDigest } from './digest/prefix-digest.ts';
import { type FollowContext, followSession, watchSession } from './follow.ts';
import type { UploadLock } from './lock.ts';
import { joinSession, openSession } from './open-session.ts';
import { UploadError } from './problem.ts';
import type { ResumeEntries } from './resume-entries.ts';
import { type RetryContext, type Sleep, withRetries } from './retry.ts';
import { provePrefix } from './send.ts';
import { hasEnded, type SessionList, type UploadSession } from './session.ts';
import type { SessionCalls } from './session-calls.ts';
import { createSliceSize } from './slice-size.ts';
import { checkChoice, createChangeCheck, type UploadSource } from './source.ts';
import { phaseOf, type UploadState } from './state.ts';

export interface JobDeps {
  readonly calls: SessionCalls;
  readonly entries: ResumeEntries;
  readonly lock: UploadLock;
  readonly openHasher: () => Promise<Hasher>;
  readonly sleep: Sleep;
  /** Server time, ms. */
  readonly now: () => number;
  readonly newResumeKey: () => string;
}

export type JobEnd =
  | { readonly kind: 'session'; readonly session: UploadSession }
  /** Imported in one request. */
  | { readonly kind: 'result'; readonly result: ImportResult };

/** The upload of one file: its signal stops it, it can run again, and keeps its progress. */
export interface UploadJob {
  /** @throws ApiError, UploadError, and the reason of the signal */
  readonly run: (signal: AbortSignal) => Promise<JobEnd>;
  readonly session: () => UploadSession | null;
  /** Lets other tabs work with the session. */
  readonly release: () => void;
  /** Nothing will follow. @param forget the file's next upload starts over */
  readonly close: (options: { readonly forget: boolean }) => void;
}

/** Maximum size of one request to a server without sessions. */
const SIMPLE_LIMIT_BYTES = 64 * 2 ** 20;
/** A resume entry is only written again when its session's expiry has moved this far, ms: not for every slice. */
const ENTRY_STEP_MS = 60_000;

export function createUploadJob(
  deps: JobDeps,
  source: UploadSource,
  picked: UploadSession | null,
  update: (changes: Partial<UploadState>) => void,
): UploadJob {
  const { calls, entries, sleep } = deps;
  const retries: RetryContext = { sleep, onRetry: (retry) => update({ retry }) };
  const check = createChangeCheck(source);
  const slices = createSliceSize();
  let session: UploadSession | null = null;
  let unlock: (() => void) | null = null;
  let digest: PrefixDigest | null = null;
  let entryExpiresAtMs = 0;

  function onSession(next: UploadSession): void {
    session = next;
    update({ session: next, phase: unlock === null ? 'watching' : phaseOf(next) });
    const entry = entries.find(source);
    if (entry === null || next.expires_at_ms < entryExpiresAtMs + ENTRY_STEP_MS) return;
    entryExpiresAtMs = next.expires_at_ms;
    entries.save(source, { ...entry, sessionId: next.id, expiresAtMs: next.expires_at_ms });
  }

  /** Null from a server without sessions. */
  async function readList(): Promise<SessionList | null> {
    try {
      return await calls.list();
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return null;
      throw error;
    }
  }

  async function importSimply(signal: AbortSignal): Promise<JobEnd> {
    if (source.size > SIMPLE_LIMIT_BYTES) throw new UploadError('sessions_needed');
    update({ phase: 'uploading' });
    return { kind: 'result', result: await calls.importSimply(source.slice(0, source.size), signal) };
  }

  async function findSession(list: SessionList, signal: AbortSignal): Promise<UploadSession> {
    const before = session;
    if (before !== null) return withRetries(retries, () => calls.read(before.id, signal), signal);
    const context = { ...deps, ...retries, ttlMs: list.ttl_seconds * 1_000 };
    return picked === null ? openSession(context, source, signal) : joinSession(context, picked, source, signal);
  }

  /** Waits for the session as long as another tab has it. */
  async function claim(found: UploadSession, signal: AbortSignal): Promise<UploadSession> {
    if (unlock !== null) return found;
    const acquire = () => deps.lock.acquire(found.id);
    unlock = await acquire();
    if (unlock !== null) return found;
    const watched = await watchSession({ ...retries, calls, onSession, acquire }, found, signal);
    unlock = watched.release;
    return watched.session;
  }

  async function follow(first: UploadSession, signal: AbortSignal): Promise<UploadSession> {
    digest ??= createPrefixDigest(source, await deps.openHasher());
    const context: FollowContext = {
      ...retries,
      calls,
      source,
      check,
      digest,
      slices,
      onSession,
      onHashed: (hashedBytes) => update({ hashedBytes }),
      onSmallerSlice: (smaller) => update({ smaller }),
    };
    if (first.status === 'uploading' || first.status === 'ready') {
      update({ phase: 'hashing', session: first });
      await provePrefix(context, first, signal);
    }
    return followSession(context, first, signal);
  }

  function release(): void {
    unlock?.();
    unlock = null;
  }

  return {
    run: async (signal) => {
      update({ phase: 'preparing' });
      checkChoice(source, null);
      await check.requireUnchanged(0);
      const list = await readList();
      if (list === null) return importSimply(signal);
      checkChoice(source, list.disk_quota_bytes);
      session = await findSession(list, signal);
      signal.throwIfAborted();
      const claimed = await claim(session, signal);
      const ended = hasEnded(claimed) ? claimed : await follow(claimed, signal);
      return { kind: 'session', session: ended };
    },
    session: () => session,
    release,
    close: ({ forget }) => {
      release();
      digest?.close();
      digest = null;
      if (!forget) return;
      entries.drop(source);
      if (session !== null) entries.dropSession(session.id);
    },
  };
}
