/** Hides identities but keeps them distinguishable. The rules are the same on screen, in copies and in exports. */

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const KEY = /\b(?:sk-|AIza|mgr_|eyJ|ghp_|xai-)[A-Za-z0-9_.-]{8,}/g;
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)].slice(0, 3).join('')}***${email.slice(at)}`;
}

/** First four and last four characters; short values keep two in front. */
export function maskKey(key: string): string {
  return key.length <= 10 ? `${key.slice(0, 2)}…` : `${key.slice(0, 4)}…${key.slice(-4)}`;
}

/** `#1a2b3c4d`: the start of the hash identifies client keys without a name. */
export const hashPrefix = (hash: string): string => `#${hash.slice(0, 8)}`;

/**
 * A source is an e-mail address, or the key or project of a request. `m:` marks a key that the manager masked when it stored the
 * event; keys of unknown form look like names, so everything that is not an address is masked here.
 */
export function maskSource(source: string): string {
  if (source.startsWith('m:')) return source;
  return source.includes('@') ? maskText(source) : maskKey(source);
}

/** The last half of an address. */
export function maskIp(address: string): string {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) {
    const [a, b] = address.split('.');
    return `${a}.${b}.*.*`;
  }
  if (!address.includes(':')) return maskMiddle(address);
  const groups = address.split(':');
  return `${groups.slice(0, Math.ceil(groups.length / 2)).join(':')}:*`;
}

/** Keeps both ends of an id. */
export function maskMiddle(text: string): string {
  const characters = [...text];
  if (characters.length <= 4) return `${characters[0] ?? ''}***`;
  const keep = Math.min(4, Math.floor(characters.length / 4));
  return `${characters.slice(0, keep).join('')}***${characters.slice(-keep).join('')}`;
}

/** E-mail addresses, keys and network addresses inside free text. */
export function maskText(text: string): string {
  return text.replace(EMAIL, maskEmail).replace(KEY, maskKey).replace(IPV4, maskIp);
}

/** `claude-ops@example.com.json` → `claude-ops***.json`; a name without an address is masked in the middle. */
export function maskFile(name: string): string {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const end = dot > 0 ? name.slice(dot) : '';
  const at = stem.indexOf('@');
  if (at < 0) return maskText(name);
  const who = stem.slice(0, at);
  const cut = who.lastIndexOf('-') + 1;
  return `${who.slice(0, cut)}${[...who.slice(cut)].slice(0, 3).join('')}***${end}`;
}

export interface Masker {
  readonly on: boolean;
  readonly account: (text: string) => string;
  readonly source: (text: string) => string;
  readonly file: (text: string) => string;
  readonly key: (text: string) => string;
  readonly ip: (text: string) => string;
  readonly project: (text: string) => string;
  readonly text: (text: string) => string;
}

const same = (text: string): string => text;
export const PLAIN: Masker = {
  on: false,
  account: same,
  source: same,
  file: same,
  key: same,
  ip: same,
  project: same,
  text: same,
};

/**
 * A masker that returns the same mask for the same input, and numbers equal masks of different inputs, for its whole lifetime.
 */
export function createMasker(): Masker {
  const owners = new Map<string, string[]>();
  function distinct(mask: string, original: string): string {
    const known = owners.get(mask);
    if (known === undefined) {
      owners.set(mask, [original]);
      return mask;
    }
    let index = known.indexOf(original);
    if (index < 0) index = known.push(original) - 1;
    return index === 0 ? mask : `${mask} (${index + 1})`;
  }
  const masked = (mask: (text: string) => string) => (text: string) => {
    if (text === '') return '';
    const result = mask(text);
    return result === text ? text : distinct(result, text);
  };
  return {
    on: true,
    account: masked(maskText),
    source: masked(maskSource),
    file: masked(maskFile),
    key: maskKey,
    ip: maskIp,
    project: masked(maskMiddle),
    text: maskText,
  };
}
