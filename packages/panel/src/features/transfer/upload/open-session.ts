import { ApiError } from '../../../platform/api/errors.ts';
import { kindOf, UploadError } from './problem.ts';
import type { ResumeEntries } from './resume-entries.ts';
import { isPassing, type RetryContext, withRetries } from './retry.ts';
import { hasEnded, type UploadSession } from './session.ts';
import type { SessionCalls } from './session-calls.ts';
import { sessionFilename, type UploadSource } from './source.ts';

export interface OpenContext extends RetryContext {
  readonly calls: Pick<SessionCalls, 'create' | 'read'>;
  readonly entries: ResumeEntries;
  readonly newResumeKey: () => string;
  /** Server time, ms. */
  readonly now: () => number;
  /** How long the server keeps a session, ms. */
  readonly ttlMs: number;
}

/** The session that was started with this file, else a new one. */
export async function openSession(
  context: OpenContext,
  source: UploadSource,
  signal: AbortSignal,
): Promise<UploadSession> {
  const { calls, entries, newResumeKey, now, ttlMs } = context;
  const entry = entries.find(source);
  const known = entry?.sessionId ?? null;
  if (known !== null) {
    const session = await readIfPresent(context, known, signal);
    if (session !== null && !hasEnded(session)) return session;
    // An ended one would be found again under its key.
    if (session !== null) entries.drop(source);
  }

  const create = async (resumeKey: string): Promise<UploadSession> => {
    // Stored before the request: if the answer is lost, the next attempt finds the same session.
    entries.save(source, { resumeKey, sessionId: null, expiresAtMs: now() + ttlMs });
    const request = { filename: sessionFilename(source.name), sizeBytes: source.size, resumeKey };
    try {
      return await withRetries(context, () => calls.create(request), signal);
    } catch (error) {
      if (error instanceof ApiError && !isPassing(error)) entries.drop(source);
      throw error;
    }
  };
  let resumeKey = entries.find(source)?.resumeKey ?? newResumeKey();
  let session = await create(resumeKey);
  if (hasEnded(session)) {
    resumeKey = newResumeKey();
    session = await create(resumeKey);
  }
  entries.save(source, { resumeKey, sessionId: session.id, expiresAtMs: session.expires_at_ms });
  return session;
}

/** The session chosen from the list, for a file picked again. */
export async function joinSession(
  context: OpenContext,
  picked: UploadSession,
  source: UploadSource,
  signal: AbortSignal,
): Promise<UploadSession> {
  if (picked.filename !== sessionFilename(source.name) || picked.size_bytes !== source.size)
    throw new UploadError('other_file');
  if (picked.expires_at_ms <= context.now()) throw new UploadError('session_expired');
  const session = await withRetries(context, () => context.calls.read(picked.id, signal), signal);
  const resumeKey = context.entries.find(source)?.resumeKey ?? context.newResumeKey();
  context.entries.save(source, { resumeKey, sessionId: session.id, expiresAtMs: session.expires_at_ms });
  return session;
}

async function readIfPresent(context: OpenContext, id: string, signal: AbortSignal): Promise<UploadSession | null> {
  try {
    return await withRetries(context, () => context.calls.read(id, signal), signal);
  } catch (error) {
    if (error instanceof ApiError && kindOf(error) === 'session_gone') return null;
    throw error;
  }
}
