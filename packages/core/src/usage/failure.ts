import { isJsonObject, type JsonObject } from '../json/json.ts';
import { firstExisting, readInteger, readObject, readText, type Spellings } from '../json/readers.ts';
import { sanitizeFailureText } from '../redaction/redact.ts';
import type { UsageEvent } from './event.ts';
import { readKeyFacts, withoutKeys } from './key-source.ts';
import { knownHeaders } from './response-headers.ts';

const FAILED: Spellings = ['failed', 'is_failed', 'isFailed'];
const SUCCEEDED: Spellings = ['success', 'ok'];
const STATUS: Spellings = ['status', 'status_code', 'statusCode', 'http_status', 'httpStatus'];
const ERRORS = ['error', 'error_message', 'errorMessage'] as const;

/** Whether a request failed: by the record's flag, else its status, else an error. */
export function readFailed(item: JsonObject): boolean {
  const failed = firstExisting(item, FAILED);
  if (typeof failed === 'boolean') return failed;
  const succeeded = firstExisting(item, SUCCEEDED);
  if (typeof succeeded === 'boolean') return !succeeded;
  if (readInteger(item, STATUS) >= 400) return true;
  return ERRORS.some((name) => item[name] !== undefined && item[name] !== null);
}

/** The header map of a record. */
export function readHeaders(item: JsonObject): JsonObject | null {
  const headers = firstExisting(item, ['response_headers', 'responseHeaders', 'headers']);
  return isJsonObject(headers) ? headers : null;
}

export interface ReportedFailure {
  /** 0 when unknown. */
  readonly statusCode: number;
  /** As the gateway sent it, without headers and keys of the request. */
  readonly body: string;
}

export const NO_FAILURE: ReportedFailure = { statusCode: 0, body: '' };

export function readFailure(item: JsonObject): ReportedFailure {
  const fail = readObject(item, ['fail']);
  const inside = fail === null ? 0 : readInteger(fail, ['status_code', 'statusCode']);
  const hasBody = fail !== null && fail.body !== undefined;
  const body = hasBody ? readText(fail, ['body']) : readText(item, ['fail_body', 'failBody']);
  return {
    statusCode: Math.max(inside !== 0 ? inside : readInteger(item, ['fail_status_code', 'failStatusCode']), 0),
    body: body === '' ? '' : withoutKeys(body, readKeyFacts(item)),
  };
}

export type FailureColumns = Pick<UsageEvent, 'fail_status_code' | 'fail_summary' | 'fail_body'>;

const NO_FAILURE_COLUMNS: FailureColumns = { fail_status_code: null, fail_summary: '', fail_body: '' };

/**
 * The failure of a request with the headers that help to explain it. Empty for successful requests: a status of 200 and
 * headers are no failure.
 */
export function failureColumns(failed: boolean, failure: ReportedFailure, headers: JsonObject | null): FailureColumns {
  if (!failed) return NO_FAILURE_COLUMNS;
  const known = headers === null ? null : knownHeaders(headers);
  const texts = [failure.body, known === null ? '' : JSON.stringify(known)];
  const body = texts.filter((text) => text !== '').join('\n');
  return {
    fail_status_code: failure.statusCode > 0 ? failure.statusCode : null,
    fail_summary: sanitizeFailureText(body),
    fail_body: body,
  };
}
