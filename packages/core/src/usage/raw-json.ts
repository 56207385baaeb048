import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';
import { compareCodePoints, trimText } from '../json/text.ts';
import { maskSource, redactCredentials, redactText, sanitizeFailureText } from '../redaction/redact.ts';
import { rememberShapes } from './member-shapes.ts';
import { cleanClientIp, cleanForwardedFor, cleanUserAgent } from './request-metadata.ts';

/** What happens to the value of a member. */
type Treatment = 'redact' | ((text: string) => string);

const BASE_SECRETS = [
  'api_key',
  'apikey',
  'authorization',
  'cookie',
  'set_cookie',
  'access_token',
  'refresh_token',
  'id_token',
  'token',
];

const BASE: ReadonlyMap<string, Treatment> = new Map<string, Treatment>([
  ...BASE_SECRETS.map((name): [string, Treatment] => [name, 'redact']),
  ['client_ip', cleanClientIp],
  ['clientip', cleanClientIp],
  ['x_forwarded_for', cleanForwardedFor],
  ['xforwardedfor', cleanForwardedFor],
  ['user_agent', cleanUserAgent],
  ['useragent', cleanUserAgent],
  ['fail_body', sanitizeFailureText],
]);

/** A provider key can stand in any of the members that name an account. */
const STORED: ReadonlyMap<string, Treatment> = new Map<string, Treatment>([
  ...BASE,
  ['failbody', sanitizeFailureText],
  ['source', maskSource],
  ['key', maskSource],
  ['account', maskSource],
  ['email', maskSource],
  ['x_api_key', 'redact'],
  ['x_goog_api_key', 'redact'],
  ['proxy_authorization', 'redact'],
  ['accesstoken', 'redact'],
  ['refreshtoken', 'redact'],
  ['idtoken', 'redact'],
]);

const SECRET = /secret/i;
const PLAIN_NAME = /^[a-z0-9_]+$/;

function treatmentOf(key: string, treatments: ReadonlyMap<string, Treatment>): Treatment | undefined {
  if (SECRET.test(key)) return 'redact';
  return treatments.get(PLAIN_NAME.test(key) ? key : trimText(key).toLowerCase().replace(/[- ]/g, '_'));
}

/** Deeper values are dropped: the text is written by a recursive function. */
const MAX_DEPTH = 1000;
const TOO_DEEP = '"...(truncated)"';

const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const BEYOND_BASIC_ORDER = /[\ud800-\uffff]/;

interface Member {
  readonly key: string;
  /** The name as JSON text, with its colon. */
  readonly prefix: string;
  readonly treatment: Treatment | undefined;
}

function membersOf(keys: readonly string[], treatments: ReadonlyMap<string, Treatment>): Member[] {
  const order = keys.some((key) => BEYOND_BASIC_ORDER.test(key)) ? compareCodePoints : undefined;
  return keys
    .toSorted(order)
    .map((key) => ({ key, prefix: `${quote(key)}:`, treatment: treatmentOf(key, treatments) }));
}

const storedMembers = rememberShapes((keys) => membersOf(keys, STORED));

interface Writer {
  /** The members of an object in the order in which they are written. */
  readonly members: (keys: readonly string[]) => readonly Member[];
  readonly text: (text: string) => string;
  truncated: boolean;
}

function writeValue(value: unknown, treatment: Treatment | undefined, depth: number, writer: Writer): string {
  if (treatment === 'redact') return '"[redacted]"';
  if (typeof value === 'string') return quote(treatment === undefined ? writer.text(value) : treatment(value));
  // A number too large for a double has become infinite; JSON has no word for it.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= MAX_DEPTH) {
    writer.truncated = true;
    return TOO_DEEP;
  }
  if (Array.isArray(value)) {
    let text = '[';
    for (const element of value) {
      if (text.length > 1) text += ',';
      text += writeValue(element, treatment, depth + 1, writer);
    }
    return `${text}]`;
  }
  return isJsonObject(value) ? writeObject(value, false, depth, writer) : 'null';
}

function writeObject(object: JsonObject, isFail: boolean, depth: number, writer: Writer): string {
  let text = '{';
  for (const { key, prefix, treatment } of writer.members(Object.keys(object))) {
    text += text.length > 1 ? `,${prefix}` : prefix;
    const value = object[key];
    if (isFail && key === 'body') text += writeValue(value, sanitizeFailureText, depth + 1, writer);
    else if (key === 'fail' && isJsonObject(value) && depth + 1 < MAX_DEPTH) {
      text += writeObject(value, true, depth + 1, writer);
    } else text += writeValue(value, treatment, depth + 1, writer);
  }
  return `${text}}`;
}

export interface RawJson {
  /** JSON text with sorted keys. */
  readonly text: string;
  /** True when values nested deeper than the limit were dropped. */
  readonly truncated: boolean;
}

/**
 * The text under which an original item is kept: sorted keys, credentials replaced, account names masked, failure texts
 * sanitised. Unknown members stay.
 */
export function redactedJson(item: JsonObject): RawJson {
  const writer: Writer = { members: storedMembers, text: redactCredentials, truncated: false };
  return { text: writeObject(item, false, 0, writer), truncated: writer.truncated };
}

/** Sanitises a stored original text: JSON objects member by member, everything else as text. */
export function redactedJsonText(text: string): string {
  const value = parseJson(text);
  return isJsonObject(value) ? redactedJson(value).text : redactText(text);
}

/**
 * The narrower form that the identity of legacy snapshot details is computed from. It must never change, because a later
 * import of the same file has to find the same identities.
 */
export function legacyIdentityJson(item: JsonObject): string {
  const writer: Writer = { members: (keys) => membersOf(keys, BASE), text: (text) => text, truncated: false };
  return writeObject(item, false, 0, writer).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
