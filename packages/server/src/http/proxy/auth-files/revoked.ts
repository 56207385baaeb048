import { isConfirmedMutation } from '@manager/core/accounts/mutation-answer';
import { isJsonObject, type JsonObject, parseJson } from '@manager/core/json/json';
import type { AccountScope } from '../../../gateway/claims/claim.ts';
import type { ManualChanges } from '../../../gateway/claims/manual-changes.ts';
import type { IsUnchanged, WantedChange } from '../../../gateway/claims/wanted-change.ts';
import { transportError } from '../../../gateway/errors.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { answerCutOff } from '../../outcome.ts';
import { readUpTo } from '../plugin-rewrite.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends a change after the automation of its accounts was revoked. When the answer does not confirm the change, the claims of
 * accounts that a look-up shows to be unchanged are restored: a gateway may execute a change and still answer with an error.
 * See `ManualChanges` for unknown results.
 */
export async function sendRevoked(options: {
  readonly manual: ManualChanges;
  readonly scope: AccountScope;
  readonly wanted: WantedChange;
  readonly request: Request;
  send(onSend: () => void): Promise<Response>;
}): Promise<Response> {
  const change = await options.manual.begin(options.scope, options.wanted);
  if (change.fileNames.length === 0) return options.send(() => {});
  await change.watch();
  stopPoint('manual_change_stored');
  let isSent = false;
  let answer: Response;
  try {
    answer = await options.send(() => {
      isSent = true;
    });
  } catch (error) {
    if (!isSent || isUnsent(error)) await change.settle('not_happened');
    // The gateway may notice the disconnect of the caller after a look-up.
    else if (options.request.signal.aborted) await change.settleLater();
    else await change.settleByLookup(false);
    throw error;
  }
  stopPoint('manual_change_answered');
  if (!answer.ok) {
    await change.settleByLookup(answer.status >= 300 && answer.status < 500);
    return answer;
  }
  if (answer.body === null) {
    await change.settle('happened');
    return answer;
  }
  const { bytes, rest } = await readUpTo(answer.body, MAX_ANSWER_BYTES).catch(async (error: unknown) => {
    await change.settleLater();
    throw answerCutOff(options.request.method, error);
  });
  const isPlain = (answer.headers.get('content-encoding') ?? 'identity').trim().toLowerCase() === 'identity';
  const body = rest === null && isPlain ? new TextDecoder().decode(bytes) : null;
  const isReportedUnchanged = body === null ? () => false : unchangedFiles(body);
  if (change.fileNames.some((fileName) => isReportedUnchanged(fileName)))
    await change.settleByLookup(true, isReportedUnchanged);
  else if (isEnabling(options.wanted) && (body === null || !isConfirmedMutation(body)))
    await change.settleByLookup(false);
  else await change.settle('happened');
  return new Response(rest ?? Uint8Array.from(bytes), answer);
}

/** Nothing that a person wants is undone where such a change did not happen: the account keeps its owner. */
function isEnabling(wanted: WantedChange): boolean {
  return wanted.kind === 'switch' && wanted.disabled === false;
}

function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.cause !== undefined && transportError(error.cause).unsent;
}

/** Files that the answer lists as not changed. */
function unchangedFiles(body: string): IsUnchanged {
  const answer = parseJson(body);
  if (!isJsonObject(answer)) return () => false;
  if (reportsFailure(answer)) return () => true;
  const failed = new Set(namesIn(answer.failed));
  const changed = Array.isArray(answer.files) ? new Set(namesIn(answer.files)) : null;
  return (fileName) => failed.has(fileName) || (changed !== null && !changed.has(fileName));
}

function reportsFailure({ ok, success, status, deleted, uploaded }: JsonObject): boolean {
  const word = typeof status === 'string' ? status.trim().toLowerCase() : '';
  const none = [deleted, uploaded].some((count) => typeof count === 'number' && count <= 0);
  return ok === false || success === false || word === 'error' || word === 'failed' || none;
}

/** A list of names, or of objects with a name. */
function namesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item];
    return isJsonObject(item) && typeof item.name === 'string' ? [item.name] : [];
  });
}
