/** The one list of what a secret is called, and the words that give it away in names that are not on it. */

export interface SecretName {
  /** In lower case, words separated by spaces. */
  readonly words: string;
  /**
   * How a value after it is recognized in running text. `always`: after any `:` or `=`; `assigned`: after `=` or a quoted
   * name, because `password: too short` is a message.
   */
  readonly text: 'always' | 'assigned';
  /** Words may be apart: `api key: x`. */
  readonly spaced?: true;
  /** One of the names from which the identity of a legacy snapshot is computed: that set never changes. */
  readonly identity?: true;
}

export const SECRET_NAMES: readonly SecretName[] = [
  { words: 'api key', text: 'always', spaced: true, identity: true },
  { words: 'x api key', text: 'always' },
  { words: 'x goog api key', text: 'always' },
  { words: 'access token', text: 'always', identity: true },
  { words: 'refresh token', text: 'always', identity: true },
  { words: 'id token', text: 'always', identity: true },
  { words: 'session token', text: 'always' },
  { words: 'auth token', text: 'always' },
  { words: 'x auth token', text: 'always' },
  { words: 'csrf token', text: 'always' },
  { words: 'client secret', text: 'always' },
  { words: 'management key', text: 'assigned' },
  { words: 'x management key', text: 'always' },
  { words: 'secret key', text: 'assigned' },
  { words: 'admin key', text: 'assigned' },
  { words: 'data key', text: 'assigned' },
  { words: 'private key', text: 'assigned' },
  { words: 'session key', text: 'assigned' },
  { words: 'client assertion', text: 'always' },
  { words: 'password', text: 'assigned' },
  { words: 'passphrase', text: 'assigned' },
];

/** Their values have rules of their own in text: a scheme before it, a list of cookies, a word that is often no secret. */
const OTHER_NAMES = [
  { words: 'authorization', identity: true },
  { words: 'proxy authorization' },
  { words: 'cookie', identity: true },
  { words: 'set cookie', identity: true },
  { words: 'token', identity: true },
] as const;

const ALL = [...SECRET_NAMES, ...OTHER_NAMES];
const joined = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');
/** With and without `_`, so that most names of events need no change of spelling. */
const EXACT: ReadonlySet<string> = new Set(ALL.flatMap(({ words }) => [joined(words), words.replaceAll(' ', '_')]));
const PLAIN = /^[a-z0-9_]+$/;

/** Source of a pattern for words of a secret's name. */
export const SECRET_WORDS = 'token|secret|authorization|cookie|passw|passphrase|key';
const WORDS = new RegExp(`${SECRET_WORDS}|assertion`, 'i');
/** In UTF-16 units, with all separators. */
const LONGEST = 64;

/** Names from which identities of legacy snapshots are computed, with `_` between words; `apikey` was always one of them. */
export const IDENTITY_NAMES: readonly string[] = [
  ...ALL.filter((name) => 'identity' in name).map(({ words }) => words.replaceAll(' ', '_')),
  'apikey',
];

/** Hashes and fingerprints are there to be shown; names of our own that identify something. */
const NO_SECRET = /hash$|^(?:trigger|account|reason|label|window|row|sort|provider|status|subject)_?key$/i;

/**
 * Whether a member or header of this name is a secret, whatever its value and spelling.
 *
 * @example isSecretName('X-Api-Key') // true
 * @example isSecretName('max_tokens') // false
 */
export function isSecretName(name: string): boolean {
  if (/secret/i.test(name)) return true;
  if (name.length > LONGEST) return false;
  return EXACT.has(name) || (!PLAIN.test(name) && EXACT.has(joined(name)));
}

/** Whether a text under this name may be a secret: for what is only shown to people, where too much is better. */
export function mayNameSecret(name: string): boolean {
  return WORDS.test(name) && !NO_SECRET.test(name);
}

/** Source of a pattern for names in text. */
export function namePattern(text: SecretName['text']): string {
  return SECRET_NAMES.filter((name) => name.text === text)
    .map(({ words, spaced }) => words.replaceAll(' ', spaced ? '[ _-]?' : '[_-]?'))
    .toSorted((left, right) => right.length - left.length)
    .join('|');
}

/** Source of a pattern for every name on the list, as a member of an object in text. */
export const memberPattern = (): string =>
  [...ALL.map(({ words }) => words.replaceAll(' ', '[ _-]?')), '[^"\\\\]{0,64}secret[^"\\\\]{0,64}'].join('|');
