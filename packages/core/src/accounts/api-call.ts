import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';
import { firstUtf8Bytes, utf8Length } from '../json/text.ts';
import { shownText } from '../redaction/values.ts';
import { numberMember } from './provider-values.ts';

/** Body of the gateway's `api-call`: one request to a provider with the token of an account. */
export interface ApiCallRequest {
  readonly authIndex: string;
  readonly method: 'GET' | 'POST';
  /** Absolute. */
  readonly url: string;
  readonly header: Readonly<Record<string, string>>;
  readonly data?: string;
}

/** The gateway replaces it with the access token of the account. */
export const TOKEN_PLACEHOLDER = 'Bearer $TOKEN$';

/** Result of a probe. */
export type ProbeAnswer =
  /** Nothing is known of the provider: network error, timeout, error of the gateway, or an unreadable answer. */
  | { readonly kind: 'transport_error'; readonly error: string }
  | { readonly kind: 'missing_status'; readonly body: string }
  | ProviderAnswer;

export interface ProviderAnswer {
  readonly kind: 'answered';
  /** Status of the provider, not of the gateway. */
  readonly statusCode: number;
  readonly body: string;
  /** The body when it is a JSON object. */
  readonly json: JsonObject | null;
}

/**
 * Reads the gateway's answer to an `api-call`.
 *
 * @param httpStatus of the gateway
 * @param text whole body; not JSON or more than one JSON value is a transport error
 * @example readApiCallAnswer(200, '{"status_code":429,"body":"slow down"}') // { kind: 'answered', statusCode: 429, … }
 */
export function readApiCallAnswer(httpStatus: number, text: string): ProbeAnswer {
  const answer = parseJson(text);
  if (httpStatus < 200 || httpStatus > 299) {
    const words = isJsonObject(answer) && typeof answer.error === 'string' ? `: ${storedText(answer.error)}` : '';
    return { kind: 'transport_error', error: `the gateway returned ${httpStatus}${words}` };
  }
  if (answer === undefined) return { kind: 'transport_error', error: 'the response of the gateway cannot be read' };
  const given = isJsonObject(answer) ? answer : {};
  const body = typeof given.body === 'string' ? given.body : given.body == null ? '' : JSON.stringify(given.body);
  const statusCode = numberMember(given, 'status_code') ?? 0;
  if (!Number.isSafeInteger(statusCode) || statusCode <= 0) return { kind: 'missing_status', body };
  const json = parseJson(body);
  return { kind: 'answered', statusCode, body, json: isJsonObject(json) ? json : null };
}

export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

const STORED_BYTES = 2048;
const CUT_MARK = '...(truncated)';
/** Bodies are searched up to here, in UTF-16 units; the stored part ends far before. */
const SEARCH_LENGTH = 16_384;
/** Dropped from the end of what is searched: a secret may be cut there. */
const SEARCH_MARGIN = 256;

/** A provider's text as it may be stored and shown: secrets and addresses replaced, at most 2048 bytes. */
export function storedText(text: string): string {
  const whole = text.length <= SEARCH_LENGTH;
  const searched = shownText(text.slice(0, SEARCH_LENGTH).toWellFormed());
  const redacted = whole ? searched : searched.slice(0, -SEARCH_MARGIN).toWellFormed();
  if (whole && utf8Length(redacted) <= STORED_BYTES) return redacted;
  return firstUtf8Bytes(redacted, STORED_BYTES) + CUT_MARK;
}
