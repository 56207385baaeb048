import { redactSecrets } from '../redaction/redact.ts';
import { KEY_PREFIXES } from '../redaction/shapes.ts';
import { maskKey } from './mask-key.ts';

/** Hides identities but keeps them distinguishable. The rules are the same on screen, in copies and in exports. */

/** One UTF-16 unit: halves of rare letters count too. */
const LOCAL_PART = /[\p{L}\p{N}._%+\-\ud800-\udfff]/u;
const DOMAIN = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/uy;
/** RFC 5321: an address has at most 254 characters. */
const LONGEST_ADDRESS = 254;
const KEY = new RegExp(`\\b(?:${KEY_PREFIXES.join('|')})[A-Za-z0-9_.-]{8,}`, 'g');
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)].slice(0, 3).join('')}***${email.slice(at)}`;
}

/** Goes from `@` to `@`, because a pattern needs hours for a megabyte without one. */
function maskEmails(text: string): string {
  let result = '';
  let done = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const earliest = Math.max(done, at - LONGEST_ADDRESS);
    let start = at;
    while (start > earliest && LOCAL_PART.test(text.charAt(start - 1))) start -= 1;
    DOMAIN.lastIndex = at + 1;
    if (start === at || !DOMAIN.test(text)) continue;
    result += text.slice(done, start) + maskEmail(text.slice(start, DOMAIN.lastIndex));
    done = DOMAIN.lastIndex;
  }
  return result + text.slice(done);
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
  return maskEmails(text).replace(KEY, maskKey).replace(IPV4, maskIp);
}

/** Text of a log: also secrets that only their names show. */
export function maskLog(text: string): string {
  return maskText(redactSecrets(text));
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
  readonly log: (text: string) => string;
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
  log: same,
};

/** Names of one account, each in the form that is shown somewhere. */
export interface NamesToMask {
  readonly accounts: readonly string[];
  readonly files: readonly string[];
  readonly projects: readonly string[];
}

export interface MaskerOptions {
  /** Known accounts: names with equal masks are numbered in this order. */
  readonly order?: readonly NamesToMask[];
  /** Masked names of no known account, by mask; kept across maskers. */
  readonly strangers?: Map<string, Set<string>>;
  /** A name that already was shown without a suffix now needs one. */
  readonly onCollision?: () => void;
}

/**
 * Masks names so that different ones stay different. The suffix depends on nothing that was shown before: names of known accounts
 * have their place among those with the same mask, others a short hash.
 */
export function createMasker({ order = [], strangers = new Map(), onCollision }: MaskerOptions = {}): Masker {
  const known = knownByMask(order);
  function distinct(mask: string, original: string): string {
    const owners = known.get(mask) ?? NO_OWNERS;
    const place = owners.get(original);
    if (place !== undefined) return place === 1 ? mask : `${mask} (${place})`;
    const others = strangers.get(mask) ?? new Set();
    strangers.set(mask, others);
    if (!others.has(original)) {
      others.add(original);
      if (others.size === 2 && owners.size === 0) onCollision?.();
    }
    return owners.size > 0 || others.size > 1 ? `${mask} (${shortHash(original)})` : mask;
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
    log: maskLog,
  };
}

const NO_OWNERS: ReadonlyMap<string, number> = new Map();

/** By mask: the place of each name that has it, from 1. */
function knownByMask(order: readonly NamesToMask[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const known = new Map<string, Map<string, number>>();
  const add = (mask: (text: string) => string, text: string) => {
    const result = mask(text);
    if (text === '' || result === text) return;
    const owners = known.get(result) ?? new Map<string, number>();
    known.set(result, owners);
    if (!owners.has(text)) owners.set(text, owners.size + 1);
  };
  for (const { accounts, files, projects } of order) {
    for (const name of [...accounts, ...files]) add(maskText, name);
    // A source can be the account.
    for (const name of accounts) add(maskSource, name);
    for (const name of files) add(maskFile, name);
    for (const name of projects) add(maskMiddle, name);
  }
  return known;
}

/** Four letters or digits (FNV-1a): the same for the same text, everywhere. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(36).padStart(4, '0').slice(-4);
}
