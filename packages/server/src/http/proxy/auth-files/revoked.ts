import { isJsonObject, type JsonObject, parseJson } from '@manager/core/usage/json';
import type { ManualChanges, ManualScope, Revocation } from '../../../credentials/manual-changes.ts';
import { transportError } from '../../../upstream/errors.ts';
import { readUpTo } from '../plugin-rewrite.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;
/** For putting back what was revoked, whatever became of the caller. */
const RESTORE_TIMEOUT_MS = 5_000;
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Sends a change after automation was revoked for what it concerns, and puts that back as far as the answer says that nothing
 * was changed, or a look where there is none. What says neither leaves it revoked: automation must never act over what a person
 * may have done.
 */
export async function sendRevoked(options: {
  readonly manual: ManualChanges;
  readonly scope: ManualScope;
  readonly signal: AbortSignal;
  send(onSend: () => void): Promise<Response>;
  /** Which files are as they were. */
  look(): Promise<(fileName: string) => boolean>;
}): Promise<Response> {
  const revocation = await options.manual.begin(options.scope);
  let isSent = false;
  let answer: Response;
  try {
    answer = await options.send(() => {
      isSent = true;
    });
  } catch (error) {
    if (!isSent || isUnsent(error)) await restore(revocation, () => true);
    // A caller who left may be heard later than a look.
    else if (!options.signal.aborted) await restore(revocation, await looked(options.look));
    throw error;
  }
  if (!answer.ok) {
    await restore(revocation, isGateway(answer.status) ? await looked(options.look) : () => true);
    return answer;
  }
  if (answer.body === null) return answer;
  const { bytes, rest } = await readUpTo(answer.body, MAX_ANSWER_BYTES);
  const isPlain = (answer.headers.get('content-encoding') ?? 'identity').trim().toLowerCase() === 'identity';
  if (rest === null && isPlain) await restore(revocation, unchangedFiles(new TextDecoder().decode(bytes)));
  return new Response(rest ?? Uint8Array.from(bytes), answer);
}

function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.cause !== undefined && transportError(error.cause).unsent;
}

/** A gateway before the upstream, which has got no answer itself. */
function isGateway(status: number): boolean {
  return status === 502 || status === 504;
}

async function looked(look: () => Promise<(fileName: string) => boolean>): Promise<(fileName: string) => boolean> {
  const nobodyKnows = () => false;
  return Promise.race([look().catch(() => nobodyKnows), Bun.sleep(LOOK_TIMEOUT_MS).then(() => nobodyKnows)]);
}

/** Which files the answer says were not changed. */
function unchangedFiles(body: string): (fileName: string) => boolean {
  const answer = parseJson(body);
  if (!isJsonObject(answer)) return () => false;
  if (saysFailure(answer)) return () => true;
  const failed = new Set(namesIn(answer.failed));
  const changed = Array.isArray(answer.files) ? new Set(namesIn(answer.files)) : null;
  return (fileName) => failed.has(fileName) || (changed !== null && !changed.has(fileName));
}

function saysFailure({ ok, success, status, deleted, uploaded }: JsonObject): boolean {
  const word = typeof status === 'string' ? status.trim().toLowerCase() : '';
  const none = [deleted, uploaded].some((count) => typeof count === 'number' && count <= 0);
  return ok === false || success === false || word === 'error' || word === 'failed' || none;
}

/** A list of names, or of objects that have one. */
function namesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    return isJsonObject(item) && typeof item.name === 'string' ? [item.name] : [];
  });
}

async function restore(revocation: Revocation, isUnchanged: (fileName: string) => boolean): Promise<void> {
  await Promise.race([revocation.restore(isUnchanged), Bun.sleep(RESTORE_TIMEOUT_MS)]);
}
