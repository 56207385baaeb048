import { exceedsUtf8, firstUtf8Bytes, trimText, utf8Length } from '../json/text.ts';
import { memberPattern, namePattern, SECRET_WORDS } from './names.ts';
import { ESCAPE_BEFORE, KEY_SHAPE, LONE_KEY_PREFIXES, PRIVATE_KEY, SHAPE_HINT, URL_USER } from './shapes.ts';

export const REDACTED = '[redacted]';

interface Rule {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/*
 * Every pattern is linear: no nested repetition, and adjacent repetitions share no character. Quotes may follow backslashes,
 * because texts often contain JSON that was written into a JSON string.
 */

const WORD_START = `(?<=^|[^A-Za-z0-9_]|${ESCAPE_BEFORE})`;
/** From the end of a name to its value: `: `, `=`, `": "`, `":["`, `\":\"`. */
const SEPARATOR = String.raw`\\*["']?\s*[:=]\s*(?:\[\s*(?=\\*["']))?\\*["']?`;
/** The same without `name: `, which is a message. */
const ASSIGNMENT = String.raw`(?:\\*["']\s*[:=]|\s*=)\s*(?:\[\s*(?=\\*["']))?\\*["']?`;
const VALUE = String.raw`[^"',&\s}\\]+`;
const TEXT_END = String.raw`(?:[^"\\]|\\[\s\S]?)*`;

/** Members of JSON: the whole value, whatever is in it. */
const MEMBER: Rule = {
  pattern: new RegExp(String.raw`("(?:${memberPattern()})"\s*:\s*")${TEXT_END}`, 'gi'),
  replacement: `$1${REDACTED}`,
};
/** Headers as arrays: no rule for a single text finds their values. */
const MEMBER_LIST: Rule = {
  pattern: new RegExp(String.raw`("(?:${memberPattern()})"\s*:\s*\[)(?:[\s,]|"${TEXT_END}"?)+`, 'gi'),
  replacement: `$1"${REDACTED}"`,
};
const MEMBER_ESCAPED: Rule = {
  pattern: new RegExp(String.raw`(\\"(?:${memberPattern()})\\+"\s*:\s*\[?\s*\\+")[^"\\]*`, 'gi'),
  replacement: `$1${REDACTED}`,
};
const AUTHORIZATION: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}(authorization${SEPARATOR})(?:(?:bearer|basic)\s+)?[^\s,"'{}\\]+`, 'gi'),
  replacement: `$1${REDACTED}`,
};
const BEARER: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}bearer\s+[A-Za-z0-9._~+/=-]{8,}`, 'gi'),
  replacement: `Bearer ${REDACTED}`,
};
const NAMED: Rule = {
  pattern: new RegExp(`${WORD_START}((?:${namePattern('always')})${SEPARATOR})${VALUE}`, 'gi'),
  replacement: `$1${REDACTED}`,
};
const ASSIGNED: Rule = {
  pattern: new RegExp(
    `((?:${WORD_START}(?:${namePattern('assigned')})|secret[A-Za-z0-9_-]{0,64})${ASSIGNMENT})${VALUE}`,
    'gi',
  ),
  replacement: `$1${REDACTED}`,
};
/** `token: expired` is plain text, `token=` before a long text with a digit is a secret. */
const BARE_TOKEN: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}(token${SEPARATOR})(?=[^"',&\s}\\]{0,63}\d)[^"',&\s}\\]{16,}`, 'gi'),
  replacement: `$1${REDACTED}`,
};
/** In the query of an address, where short names mean a key too. */
const QUERY_NAMES = `${namePattern('always')}|${namePattern('assigned')}|(?:proxy[_-]?)?authorization|key|token|auth|sig|signature|[a-z_-]{0,32}secret`;
const QUERY: Rule = {
  pattern: new RegExp(String.raw`([?&#](?:${QUERY_NAMES})=)[^&\s"'\\#]+`, 'gi'),
  replacement: `$1${REDACTED}`,
};
/** `code=12` is an error, a long one with a digit is that of a sign-in. */
const SIGN_IN_CODE: Rule = {
  pattern: /([?&#]code=)(?=[^&\s"'\\#]{0,63}\d)[^&\s"'\\#]{8,}/gi,
  replacement: `$1${REDACTED}`,
};
const COOKIE_HEADER: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}((?:set-)?cookie)[ \t]*:[ \t]*[\\"[]*[^,"}\r\n]+`, 'gi'),
  replacement: `$1: ${REDACTED}`,
};
const SHAPES: readonly Rule[] = [
  { pattern: PRIVATE_KEY, replacement: REDACTED },
  { pattern: KEY_SHAPE, replacement: REDACTED },
  { pattern: URL_USER, replacement: `$1${REDACTED}@` },
];

const CREDENTIAL_RULES: readonly Rule[] = [BEARER, QUERY, SIGN_IN_CODE, ...SHAPES];
const TEXT_RULES: readonly Rule[] = [
  MEMBER,
  MEMBER_LIST,
  MEMBER_ESCAPED,
  AUTHORIZATION,
  BEARER,
  NAMED,
  ASSIGNED,
  BARE_TOKEN,
  QUERY,
  SIGN_IN_CODE,
  ...SHAPES,
  COOKIE_HEADER,
];

/** A text without any of these needs no rule. */
const CREDENTIAL_HINT = new RegExp(`${SHAPE_HINT}|bearer|[?&#][a-z_-]{3,64}=`, 'i');
const TEXT_HINT = new RegExp(`${SHAPE_HINT}|bearer|${SECRET_WORDS}|[?&#](?:auth|sig|code)|client.?assertion`, 'i');

function apply(rules: readonly Rule[], text: string): string {
  let result = text;
  for (const { pattern, replacement } of rules) result = result.replace(pattern, replacement);
  return result;
}

/** The shortest text that one of the credential shapes can match. */
const SHORTEST_CREDENTIAL = 9;

/** Replaces credentials that are recognizable by their shape, or by their name in the query of an address, anywhere in a text. */
export function redactCredentials(text: string): string {
  if (text.length < SHORTEST_CREDENTIAL || !CREDENTIAL_HINT.test(text)) return text;
  return apply(CREDENTIAL_RULES, text);
}

const LOCAL_PART = /[\p{L}\p{N}._%+-]/u;
const DOMAIN = /[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/y;
/** RFC 5321: the parts before and after the `@` are at most 64 and 255 octets long. */
const LONGEST_LOCAL_PART = 64;

/** Shortens e-mail addresses to `p***@example.org`. Goes from `@` to `@`, because a pattern would be quadratic. */
function maskAddresses(text: string): string {
  let at = text.indexOf('@');
  if (at === -1) return text;
  let result = '';
  let done = 0;
  for (; at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    const earliest = Math.max(done, at - LONGEST_LOCAL_PART);
    while (start > earliest && LOCAL_PART.test(text[start - 1] ?? '')) start -= 1;
    if (start === at) continue;
    DOMAIN.lastIndex = at + 1;
    if (!DOMAIN.test(text)) continue;
    result += `${text.slice(done, start + 1)}***`;
    done = at;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Bytes of a failure summary, without the dots that mark a cut. */
const SUMMARY_BYTES = 4096;
const DOTS = '...';
/** Longest text that is searched, in UTF-16 units: only the first 4 KiB of the result are kept. */
const SEARCH_WINDOW = 262_144;
/** Dropped from the end of the window: a secret may be cut there. */
const WINDOW_MARGIN = 256;

/** Whether a text has nothing that any rule could replace. */
export function isHarmless(text: string): boolean {
  return !text.includes('@') && !TEXT_HINT.test(text);
}

/** Failure text without secrets and addresses, of any length. */
export function redactText(text: string): string {
  return maskAddresses(redactSecrets(text));
}

/** The same with addresses. */
export function redactSecrets(text: string): string {
  return TEXT_HINT.test(text) ? apply(TEXT_RULES, text) : text;
}

/**
 * Public form of a failure text: secrets and addresses replaced, at most 4096 bytes and `...`. Idempotent.
 *
 * @example sanitizeFailureText('Authorization: Bearer abc') // 'Authorization: [redacted]'
 */
export function sanitizeFailureText(text: string): string {
  const whole = trimText(text);
  if (whole === '') return '';
  if (whole.length <= SEARCH_WINDOW) return cutText(trimText(redactText(whole)), SUMMARY_BYTES);
  const start = redactText(whole.slice(0, SEARCH_WINDOW)).slice(0, -WINDOW_MARGIN).toWellFormed();
  return exceedsUtf8(start, SUMMARY_BYTES) ? cutText(start, SUMMARY_BYTES) : trimText(start) + DOTS;
}

/**
 * Keeps whole characters up to `limit` bytes and marks the cut. A text that was already cut to this limit stays as it is.
 */
export function cutText(text: string, limit: number): string {
  if (!exceedsUtf8(text, limit)) return text;
  if (text.endsWith(DOTS) && text.length <= limit + DOTS.length && utf8Length(text) <= limit + DOTS.length) return text;
  return trimText(firstUtf8Bytes(text, limit)) + DOTS;
}

/** Counts as a secret whatever the length of the text. */
const SECRET_PREFIX = new RegExp(`^(?:${LONE_KEY_PREFIXES.join('|')})`);
const SPACE_OR_SLASH = /[\s/\\]/;
const SECRET_BYTES = 32;

/** True for text that is probably a provider key: a known prefix or at least 32 bytes, without space or slash. */
export function looksSecret(text: string): boolean {
  if (SPACE_OR_SLASH.test(text)) return false;
  return SECRET_PREFIX.test(text) || utf8Length(text) >= SECRET_BYTES;
}

/** Whether a text that should be the hash of a key is the key. */
export function isKeyInPlaceOfHash(text: string): boolean {
  return SECRET_PREFIX.test(text);
}

/**
 * Whether an account name is really a key. Stricter than for sources: an address is not a key, nor is a very long text.
 */
export function looksLikeKey(text: string): boolean {
  if (text.includes('@') || SPACE_OR_SLASH.test(text)) return false;
  const length = utf8Length(text);
  return text.startsWith('sk-') || text.startsWith('AIza') || (length >= SECRET_BYTES && length <= 512);
}

/** Whether a text is already the public form of a key or an address. */
export function isMaskedSource(source: string): boolean {
  // Three characters of four bytes are the shortest masked text of which both ends are shown.
  return /^(?:m:(?:\*{4}|.{3,4}\.{3}.{3,4})$|.{0,3}\*{3}@)/su.test(source);
}

/**
 * Public form of the account, project or key of an event.
 *
 * @param isKey whether the event says that it is a key, whatever it looks like
 * @example maskSource('person@example.org') // 'per***@example.org'
 * @example maskSource('sk-demo-client-key-0001') // 'm:sk-d...0001'
 */
export function maskSource(source: string, isKey = false): string {
  const text = trimText(source);
  const at = text.indexOf('@');
  if (at !== -1) return `${firstCharacters(text.slice(0, at), 3)}***@${text.slice(at + 1)}`;
  if (text === '' || !(isKey || looksSecret(text))) return text;
  if (utf8Length(text) <= 8) return 'm:****';
  const start = firstCharacters(text, 4);
  const end = Array.from(text.slice(-8)).slice(-4).join('');
  return `m:${start}...${end}`;
}

function firstCharacters(text: string, count: number): string {
  const units = text.slice(0, count);
  // A character is one UTF-16 unit or a pair, and looking for pairs is slow.
  return SURROGATE.test(units)
    ? Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join('')
    : units;
}

const SURROGATE = /[\ud800-\udfff]/;
