import { transportError } from '../../gateway/errors.ts';
import type { ForeignPermit } from '../../gateway/foreign-keys.ts';

/** How long an answer is still waited for after its caller left: it says whether the gateway counted a refusal. */
const READ_ON_MS = 1000;

/**
 * Sends a request whose refusal counts against the manager, and reports its fate: also when the caller leaves before the answer.
 */
export async function sendWatched(
  permit: ForeignPermit,
  caller: AbortSignal,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  if (caller.aborted) {
    permit.unsent();
    throw caller.reason;
  }
  const controller = new AbortController();
  const stop = () => controller.abort();
  let timer: NodeJS.Timeout | undefined;
  let isAnswered = false;
  const leave = () => {
    if (isAnswered) stop();
    else timer = setTimeout(stop, READ_ON_MS);
  };
  caller.addEventListener('abort', leave, { once: true });
  try {
    const answer = await send(controller.signal);
    isAnswered = true;
    permit.answered(answer.status, answer.headers.has('x-cpa-version'));
    if (caller.aborted) stop();
    return answer;
  } catch (error) {
    if (transportError(error).unsent) permit.unsent();
    else permit.lost();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
