import { exceedsUtf8, firstUtf8Bytes, trimText, utf8Length } from '../json/text.ts';

const REDACTED = '[redacted]';

interface Rule {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/*
 * Every pattern is linear: no nested repetition, and adjacent repetitions share no character. Failure texts often
 * contain JSON that was written into a JSON string, so quotes may follow backslashes and an escaped line break may end
 * in a letter right before a word.
 */

const ESCAPE_BEFORE = String.raw`\\[nrtbf]|\\u[0-9a-fA-F]{4}`;
const WORD_START = `(?<=^|[^A-Za-z0-9_]|${ESCAPE_BEFORE})`;
/** A letter or digit before the prefix means another word: `task-manager`, `disk-failure`. */
const KEY_START = `(?<=^|[^A-Za-z0-9]|${ESCAPE_BEFORE})`;
/** From the end of a name to its value: `: `, `=`, `": "`, `":["`, `\":\"`. */
const SEPARATOR = String.raw`\\*["']?\s*[:=]\s*(?:\[\s*(?=\\*["']))?\\*["']?`;
const VALUE = String.raw`[^"',&\s}\\]+`;

const AUTHORIZATION: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}(authorization${SEPARATOR})(?:(?:bearer|basic)\s+)?[^\s,"'{}\\]+`, 'gi'),
  replacement: `$1${REDACTED}`,
};
const BEARER: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}bearer\s+[A-Za-z0-9._~+/=-]{8,}`, 'gi'),
  replacement: `Bearer ${REDACTED}`,
};
const TOKENS: Rule = {
  pattern: new RegExp(
    `${WORD_START}((?:(?:access|refresh|id|session)[_-]?token|client[_-]?secret)${SEPARATOR})${VALUE}`,
    'gi',
  ),
  replacement: `$1${REDACTED}`,
};
/** `token: expired` is plain text, `token=` before a long text with a digit is a secret. */
const BARE_TOKEN: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}(token${SEPARATOR})(?=[^"',&\s}\\]{0,63}\d)[^"',&\s}\\]{16,}`, 'gi'),
  replacement: `$1${REDACTED}`,
};
const API_KEY: Rule = {
  pattern: new RegExp(`${WORD_START}((?:x-)?api[ _-]?key${SEPARATOR})${VALUE}`, 'gi'),
  replacement: `$1${REDACTED}`,
};
const KEY_SHAPE: Rule = {
  pattern: new RegExp(
    KEY_START +
      '(?:(?:sk-|sess-)[A-Za-z0-9_-]{6,}|(?:ghp_|hf_|pk_|rk_)[A-Za-z0-9]{6,}' +
      '|github_pat_[A-Za-z0-9_]{20,}|AIza[A-Za-z0-9_-]{8,}|xai-[A-Za-z0-9]{40,}' +
      // A signed token: header and claims are JSON objects in base64url, so both start alike.
      String.raw`|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)`,
    'g',
  ),
  replacement: REDACTED,
};
const COOKIE_MEMBER: Rule = {
  pattern: /("(?:set-)?cookie"\s*:\s*")(?:[^"\\]|\\[\s\S]?)*/gi,
  replacement: `$1${REDACTED}`,
};
/** Headers as arrays: no rule for a single text finds their values. */
const COOKIE_LIST: Rule = {
  pattern: /("(?:set-)?cookie"\s*:\s*\[)(?:[\s,]|"(?:[^"\\]|\\[\s\S]?)*"?)+/gi,
  replacement: `$1"${REDACTED}"`,
};
const COOKIE_ESCAPED: Rule = {
  pattern: /(\\"(?:set-)?cookie\\+"\s*:\s*\[?\s*\\+")[^"\\]*/gi,
  replacement: `$1${REDACTED}`,
};
const COOKIE_HEADER: Rule = {
  pattern: new RegExp(String.raw`${WORD_START}((?:set-)?cookie)[ \t]*:[ \t]*[\\"[]*[^,"}\r\n]+`, 'gi'),
  replacement: `$1: ${REDACTED}`,
};

const CREDENTIAL_RULES: readonly Rule[] = [BEARER, KEY_SHAPE];
const TEXT_RULES: readonly Rule[] = [
  AUTHORIZATION,
  BEARER,
  TOKENS,
  BARE_TOKEN,
  API_KEY,
  KEY_SHAPE,
  COOKIE_MEMBER,
  COOKIE_LIST,
  COOKIE_ESCAPED,
  COOKIE_HEADER,
];

/** A text without any of these needs no rule. Must match the patterns above. */
const CREDENTIAL_HINT = /sk-|sess-|ghp_|hf_|pk_|rk_|github_pat_|AIza|xai-|eyJ|bearer/i;
const TEXT_HINT =
  /authorization|bearer|token|client.?secret|api.?key|sk-|sess-|ghp_|hf_|pk_|rk_|github_pat_|AIza|xai-|eyJ|cookie/i;

function apply(rules: readonly Rule[], text: string): string {
  let result = text;
  for (const { pattern, replacement } of rules) result = result.replace(pattern, replacement);
  return result;
}

/** The shortest text that one of the credential shapes can match. */
const SHORTEST_CREDENTIAL = 9;

/** Replaces credentials that are recognizable by their shape, anywhere in a text. */
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

/** Failure text without secrets and addresses, of any length. */
export function redactText(text: string): string {
  const redacted = TEXT_HINT.test(text) ? apply(TEXT_RULES, text) : text;
  return maskAddresses(redacted);
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

/** Key prefixes that count as secrets whatever the length of the text. */
const SECRET_PREFIX = /^(?:sk-|AIza|sess-|ghp_|github_pat_|hf_|pk_|rk_)/;
const SPACE_OR_SLASH = /[\s/\\]/;
const SECRET_BYTES = 32;

/** True for text that is probably a provider key: a known prefix or at least 32 bytes, without space or slash. */
export function looksSecret(text: string): boolean {
  if (SPACE_OR_SLASH.test(text)) return false;
  return SECRET_PREFIX.test(text) || utf8Length(text) >= SECRET_BYTES;
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
  // Three or four characters are at most six or eight UTF-16 units.
  if (at !== -1)
    return `${Array.from(text.slice(0, Math.min(at, 6)))
      .slice(0, 3)
      .join('')}***@${text.slice(at + 1)}`;
  if (text === '' || !(isKey || looksSecret(text))) return text;
  if (utf8Length(text) <= 8) return 'm:****';
  const start = Array.from(text.slice(0, 8)).slice(0, 4).join('');
  const end = Array.from(text.slice(-8)).slice(-4).join('');
  return `m:${start}...${end}`;
}
