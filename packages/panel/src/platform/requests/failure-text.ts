import { isRecord } from '../browser/storage.ts';

/** What the JSON of a failure says, in the words of its provider. */
export interface FailureParts {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  /** When the limit is reset, ms; null = not told. */
  readonly resetMs: number | null;
}

const SECOND_MS = 1_000;
/** Larger numbers are milliseconds. */
const MOST_SECONDS = 1e11;

/**
 * Message, type, code and time of reset of a failure text that is JSON, in the forms of the providers: `{"error": {…}}`,
 * `{"error": "…"}`, `{"message": …}`, `{"detail": …}`, or a list with one of these. The headers of the answer may follow, also as JSON.
 * Null for any other text, and for a JSON that was cut.
 *
 * @param atMs when the request failed: some resets are told as a duration
 */
export function failureParts(text: string, atMs: number): FailureParts | null {
  const end = endOfJson(text);
  const outer = firstObject(parsed(text.slice(0, end)));
  if (outer === null) return null;
  const headers = firstObject(parsed(text.slice(end)));
  const inner = isRecord(outer.error) ? outer.error : outer;
  const message = textOf(inner.message) || textOf(outer.message) || textOf(outer.error) || textOf(inner.detail);
  if (message === '') return null;
  return {
    message,
    type: textOf(inner.type) || textOf(inner.status),
    code: textOf(inner.code),
    resetMs: resetOf(inner, atMs) ?? resetOf(outer, atMs) ?? (headers === null ? null : retryAfter(headers, atMs)),
  };
}

/** Where the first object or list ends. */
function endOfJson(text: string): number {
  let depth = 0;
  // A string, or a bracket outside of strings.
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (part === '{' || part === '[') depth += 1;
    else if (part === '}' || part === ']') depth -= 1;
    if (depth === 0) return part.startsWith('"') ? 0 : index + 1;
  }
  return text.length;
}

/** `{"Retry-After": ["5"]}`: seconds. */
function retryAfter(headers: Readonly<Record<string, unknown>>, atMs: number): number | null {
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'retry-after') continue;
    const seconds = numberOf(Array.isArray(value) ? value[0] : value);
    if (seconds !== null) return atMs + seconds * SECOND_MS;
  }
  return null;
}

function parsed(text: string): unknown {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function firstObject(value: unknown): Readonly<Record<string, unknown>> | null {
  const first = Array.isArray(value) ? value[0] : value;
  return isRecord(first) ? first : null;
}

function textOf(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' ? value.trim() : '';
}

function resetOf(object: Readonly<Record<string, unknown>>, atMs: number): number | null {
  const at = numberOf(object.resets_at);
  if (at !== null) return at < MOST_SECONDS ? at * SECOND_MS : at;
  const seconds = numberOf(object.resets_in_seconds) ?? delayOf(object.details);
  return seconds === null ? null : atMs + seconds * SECOND_MS;
}

/** `"retryDelay": "34.4s"` among the details of a Google error. */
function delayOf(details: unknown): number | null {
  if (!Array.isArray(details)) return null;
  for (const detail of details) {
    const delay = isRecord(detail) && typeof detail.retryDelay === 'string' ? detail.retryDelay : '';
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
}
