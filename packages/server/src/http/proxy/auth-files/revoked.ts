import { isJsonObject, type JsonObject, parseJson } from '@manager/core/usage/json';
import type { ManualChanges, ManualScope, Revocation } from '../../../gateway/accounts/manual-changes.ts';
import { transportError } from '../../../gateway/errors.ts';
import { readUpTo } from '../plugin-rewrite.ts';
import type { IsUnchanged, Look } from './unchanged.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;
/** For putting back what was revoked, whatever became of the caller. */
const RESTORE_TIMEOUT_MS = 5_000;
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Sends a change after automation was revoked for what it concerns. Where the answer does not confirm the change, that is put
 * back as far as a look shows that nothing was changed: an upstream may do what it answers with an error. What nobody knows stays
 * revoked: automation must never act over what a person may have done.
 */
export async function sendRevoked(options: {
  readonly manual: ManualChanges;
  readonly scope: ManualScope;
  readonly signal: AbortSignal;
  send(onSend: () => void): Promise<Response>;
  watch(fileNames: ReadonlySet<string>): Promise<Look>;
}): Promise<Response> {
  const revocation = await options.manual.begin(options.scope);
  if (revocation.fileNames.size === 0) return options.send(() => {});
  const look = await inTime(() => options.watch(revocation.fileNames));
  let isSent = false;
  let answer: Response;
  try {
    answer = await options.send(() => {
      isSent = true;
    });
  } catch (error) {
    if (!isSent || isUnsent(error)) await restore(revocation, () => true);
    // A caller who left may be heard later than a look.
    else if (!options.signal.aborted) await restoreSeen(false);
    throw error;
  }
  if (!answer.ok) {
    await restoreSeen(answer.status >= 300 && answer.status < 500);
    return answer;
  }
  if (answer.body === null) return answer;
  const { bytes, rest } = await readUpTo(answer.body, MAX_ANSWER_BYTES);
  const isPlain = (answer.headers.get('content-encoding') ?? 'identity').trim().toLowerCase() === 'identity';
  if (rest === null && isPlain) {
    const isSaid = unchangedFiles(new TextDecoder().decode(bytes));
    if ([...revocation.fileNames].some(isSaid)) await restoreSeen(true, isSaid);
  }
  return new Response(rest ?? Uint8Array.from(bytes), answer);

  async function restoreSeen(refused: boolean, isSaid: IsUnchanged = () => true): Promise<void> {
    const isSeen = look === null ? null : await inTime(() => look(refused));
    if (isSeen !== null) await restore(revocation, (fileName) => isSaid(fileName) && isSeen(fileName));
  }
}

function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.cause !== undefined && transportError(error.cause).unsent;
}

/** null when it cannot be read, or not soon. */
async function inTime<T>(read: () => Promise<T>): Promise<T | null> {
  return Promise.race([read().catch(() => null), Bun.sleep(LOOK_TIMEOUT_MS).then(() => null)]);
}

/** Which files the answer says were not changed. */
function unchangedFiles(body: string): IsUnchanged {
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

async function restore(revocation: Revocation, isUnchanged: IsUnchanged): Promise<void> {
  await Promise.race([revocation.restore(isUnchanged), Bun.sleep(RESTORE_TIMEOUT_MS)]);
}
