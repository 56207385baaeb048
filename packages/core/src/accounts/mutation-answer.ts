import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';
import { exceedsUtf8, trimText } from '../json/text.ts';

/** Longer answers are not read. */
export const MAX_MUTATION_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Whether the body of a 2xx answer confirms a change: the gateway also answers 200 when it changed only a part or
 * nothing.
 *
 * @example isConfirmedMutation('{"status":"partial","deleted":1}') // false
 */
export function isConfirmedMutation(body: string): boolean {
  if (exceedsUtf8(body, MAX_MUTATION_ANSWER_BYTES)) return false;
  if (trimText(body) === '') return true;
  const answer = parseJson(body);
  if (!isJsonObject(answer)) return false;
  if (isPresent(answer.failed) || isPresent(answer.error)) return false;
  return !reportsFailure(answer) && reportsSuccess(answer);
}

const FAILURE_WORDS = new Set(['error', 'failed', 'partial']);
const SUCCESS_WORDS = new Set(['ok', 'success']);

function reportsFailure(answer: JsonObject): boolean {
  return answer.success === false || answer.ok === false || FAILURE_WORDS.has(statusWord(answer));
}

function reportsSuccess(answer: JsonObject): boolean {
  return answer.success === true || answer.ok === true || SUCCESS_WORDS.has(statusWord(answer));
}

function statusWord({ status }: JsonObject): string {
  return typeof status === 'string' ? trimText(status).toLowerCase() : '';
}

function isPresent(value: unknown): boolean {
  if (typeof value === 'string') return trimText(value) !== '';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}
