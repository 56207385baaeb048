/** The one list of what secrets look like, wherever they are and whatever they are called. */

/** Texts often contain JSON that was written into a JSON string, where an escaped line break ends in a letter. */
export const ESCAPE_BEFORE = String.raw`\\[nrtbf]|\\u[0-9a-fA-F]{4}`;
/** A letter or digit before the prefix means another word: `task-manager`, `disk-failure`. */
const KEY_START = `(?<=^|[^A-Za-z0-9]|${ESCAPE_BEFORE})`;

interface KeyShape {
  readonly prefix: string;
  /** Source of the pattern of what follows the prefix. */
  readonly rest: string;
  /** A text that starts so is a key even without what follows. */
  readonly alone?: true;
}

const KEY_SHAPES: readonly KeyShape[] = [
  { prefix: 'sk-', rest: '[A-Za-z0-9_-]{6,}', alone: true },
  { prefix: 'sess-', rest: '[A-Za-z0-9_-]{6,}', alone: true },
  { prefix: 'ghp_', rest: '[A-Za-z0-9]{6,}', alone: true },
  { prefix: 'hf_', rest: '[A-Za-z0-9]{6,}', alone: true },
  { prefix: 'pk_', rest: '[A-Za-z0-9]{6,}', alone: true },
  { prefix: 'rk_', rest: '[A-Za-z0-9]{6,}', alone: true },
  { prefix: 'github_pat_', rest: '[A-Za-z0-9_]{20,}', alone: true },
  { prefix: 'AIza', rest: '[A-Za-z0-9_-]{8,}', alone: true },
  // Files and accounts of that provider are named so too.
  { prefix: 'xai-', rest: '[A-Za-z0-9]{40,}' },
  // Our own admin keys.
  { prefix: 'mgr_', rest: '[A-Za-z0-9_-]{20,}' },
  // Tokens of viewer links.
  { prefix: 'mgv_', rest: '[A-Za-z0-9_-]{20,}' },
  // A signed token: header and claims are JSON objects in base64url, so both start alike.
  { prefix: 'eyJ', rest: String.raw`[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?` },
];

/** Starts of keys, for patterns. */
export const KEY_PREFIXES: readonly string[] = KEY_SHAPES.map(({ prefix }) => prefix);
/** Starts that make a whole text a key. */
export const LONE_KEY_PREFIXES: readonly string[] = KEY_SHAPES.filter(({ alone }) => alone).map(({ prefix }) => prefix);

export const KEY_SHAPE = new RegExp(
  `${KEY_START}(?:${KEY_SHAPES.map(({ prefix, rest }) => prefix + rest).join('|')})`,
  'g',
);
/** Without an end the rest is the key. */
export const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
/** User and password before the host of an address. */
export const URL_USER = /(:\/\/)[^/\s"'\\@]+@/g;
/** Source of a pattern that finds every text with one of these shapes, and some others. */
export const SHAPE_HINT = `${KEY_PREFIXES.join('|')}|-----begin|:\\/\\/[^/\\s"'\\\\@]+@`;
