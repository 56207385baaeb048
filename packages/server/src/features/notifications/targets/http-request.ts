import { isJsonObject, parseJson } from '@manager/core/json/json';
import { messageOf } from '../../../platform/logging/error-text.ts';
import type { Delivery, Outgoing, Send } from './delivery.ts';

export interface HttpRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** False: the body did not end in time, or broke off. */
  readonly isWhole: boolean;
  readonly retryAfterMs: number | null;
}

/** More of an answer is not read. */
const MAX_ANSWER_BYTES = 16 * 1024;
const TIMEOUT_MS = 15_000;
const TOO_EARLY = 425;
/** These may pass; every other 4xx is about the message or the target. */
const TEMPORARY: ReadonlySet<number> = new Set([408, TOO_EARLY, 429]);

/**
 * A target that takes JSON by POST.
 *
 * @param judge of services that answer 200 to everything: what their body says
 */
export function httpTarget<Options>(
  build: (options: Options, outgoing: Outgoing) => HttpRequest,
  judge: (answer: HttpAnswer) => Delivery = byStatus,
): Send<Options> {
  return async (options, outgoing) => {
    let request: HttpRequest;
    try {
      request = build(options, outgoing);
    } catch {
      // An address that cannot be read; its text is a secret.
      return { outcome: 'refused', status: null, answer: 'the URL cannot be read', retryAfterMs: null };
    }
    try {
      return judge(await post(request, outgoing));
    } catch (error) {
      return { outcome: 'retry', status: null, answer: failureText(error), retryAfterMs: null };
    }
  };
}

async function post({ url, headers, body }: HttpRequest, { signal, nowMs }: Outgoing): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': 'manager-server', ...headers },
    body,
    // The next host would get the secrets of this one.
    redirect: 'manual',
    keepalive: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const { status } = response;
  return { status, ...(await beginningOf(response)), retryAfterMs: retryAfter(response.headers, nowMs) };
}

/** Never rejects: the status has been received, and a message that was taken must not be sent again. */
async function beginningOf(response: Response): Promise<Pick<HttpAnswer, 'text' | 'isWhole'>> {
  if (response.body === null) return { text: '', isWhole: true };
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let isWhole = true;
  try {
    for (let size = 0; size < MAX_ANSWER_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      size += value.byteLength;
    }
  } catch {
    isWhole = false;
  }
  reader.cancel().catch(() => undefined);
  return { text: Buffer.concat(pieces).subarray(0, MAX_ANSWER_BYTES).toString('utf8').trim(), isWhole };
}

/** Seconds or a date. */
function retryAfter(headers: Headers, nowMs: number): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (text === '') return null;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

export function byStatus({ status, text, retryAfterMs }: HttpAnswer): Delivery {
  if (status >= 200 && status < 300) return { outcome: 'sent', status, answer: text, retryAfterMs: null };
  if (status >= 300 && status < 400) {
    const answer = 'the service redirects; redirects are not followed, so enter the final URL';
    return { outcome: 'refused', status, answer, retryAfterMs: null };
  }
  const outcome = status >= 500 || TEMPORARY.has(status) ? 'retry' : 'refused';
  return { outcome, status, answer: text, retryAfterMs };
}

/** For services that report failures in the body of a 200: a number that is 0 when the message was taken. */
export function byErrorCode(names: readonly string[], busy: ReadonlySet<number>): (answer: HttpAnswer) => Delivery {
  return (answer) => {
    const judged = byStatus(answer);
    if (judged.outcome !== 'sent') return judged;
    const code = numberOf(parseJson(answer.text), names);
    if (code === 0) return judged;
    // Without a code it was not the service that answered, or not all of it has arrived.
    const isLater = code === null ? !answer.isWhole : busy.has(code);
    return { ...judged, outcome: isLater ? 'retry' : 'refused' };
  };
}

function numberOf(body: unknown, names: readonly string[]): number | null {
  if (!isJsonObject(body)) return null;
  return names.map((name) => body[name]).find((value) => typeof value === 'number') ?? null;
}

function failureText(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 15 seconds';
  return messageOf(error);
}
