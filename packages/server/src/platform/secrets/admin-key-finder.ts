import { VIEWER_TOKEN_PREFIX } from '@manager/core/contract/viewer-links/words';
import { type AdminCredential, parseAdminCredential, verifyAdminCredential } from './admin-key.ts';

/**
 * Checks until the key is known, about 3 µs each. A stored row with many iterations allows two: until the operator has used the key
 * once, whatever cannot be checked counts as the key.
 */
const MAX_CHECKS = 2000;
const MAX_SLOW_CHECKS = 2;
/** A key may contain separators, so it may be several pieces of a text. */
const MAX_PIECES = 8;
/** Shorter keys are words that are found everywhere: they count only where they stand alone. */
const SHORTEST_PART = 8;
const SHORTEST_KEY = 4;
const LONGEST_KEY = 1024;
/** Characters of all readings that one request may cost; ordinary ones have a hundredth. */
const MAX_CHARACTERS = 512 * 1024;
const MAX_READINGS = 64;
/** Parts that may be a key, whether or not they are checked, and words that may be base64: each costs about a microsecond. */
const MAX_CANDIDATES = 20_000;
const MAX_RUNS = 2000;
const SHORTEST_RUN = 8;
/** Values of almost every request, none of which is a key. */
const COMMON = new Set([
  '*/*',
  'application/json',
  'application/json; charset=utf-8',
  'application/json, text/plain, */*',
  'text/plain;charset=utf-8',
  'keep-alive',
  'no-cache',
  'gzip, deflate, br, zstd',
  'gzip, deflate, br',
  'gzip, deflate',
]);

/** The token of a viewer link is as private as the admin key: the gateway has no use for either. */
const VIEWER_TOKEN_LENGTH = VIEWER_TOKEN_PREFIX.length + 43;
const VIEWER_TOKEN = new RegExp(`${VIEWER_TOKEN_PREFIX}[A-Za-z0-9_-]{43}`);

const SCHEMES = ['Bearer', 'bearer', 'Basic', 'basic'];

/** Finds the admin key, and tokens of viewer links, in what is about to leave the manager. */
export interface AdminKeyFinder {
  /** A key that was just proven. Only its digest is stored, so the process remembers it for later searches. */
  learn(key: string): void;
  /**
   * A search for one request: whether a text contains the key or a viewer's token, also percent-encoded or in base64. Its work is bounded for the
   * whole request; a text beyond that counts as one that does.
   */
  search(): (text: string) => boolean;
}

/** `readCredential` reads row `admin_credential_v1`; null = missing. */
export function createAdminKeyFinder(readCredential: () => string | null): AdminKeyFinder {
  let known: { readonly key: string; row: string | null } | null = null;

  function knownKey(row: string, credential: AdminCredential): string | null {
    if (known === null) return null;
    if (known.row !== row) known = verifyAdminCredential(credential, known.key) ? { key: known.key, row } : null;
    return known?.key ?? null;
  }

  return {
    learn(key) {
      const trimmed = key.trim();
      if (known?.key !== trimmed) known = { key: trimmed, row: null };
    },
    search() {
      const row = readCredential();
      const credential = row === null ? null : parseAdminCredential(row);
      // Without a readable row no key opens the manager.
      if (row === null || credential === null) return () => false;
      const key = knownKey(row, credential);
      let characters = MAX_CHARACTERS;
      let checks = (credential.iterations ?? 1) > 1 ? MAX_SLOW_CHECKS : MAX_CHECKS;
      let found = key;
      let candidates = MAX_CANDIDATES;
      const runs: Runs = { left: MAX_RUNS, shortest: shortestRun(key) };
      const checked = new Set<string>(SCHEMES);

      function isKey(candidate: string): boolean {
        candidates -= 1;
        if (candidates < 0) return true;
        if (candidate.length < SHORTEST_KEY || candidate.length > LONGEST_KEY || checked.has(candidate)) return false;
        checked.add(candidate);
        checks -= 1;
        if (checks < 0) return true;
        if (!verifyAdminCredential(credential as AdminCredential, candidate)) return false;
        found = candidate.trim();
        runs.shortest = shortestRun(found);
        known = { key: found, row };
        return true;
      }

      return (text) => {
        if (isCommon(text)) return false;
        if (Math.min(characters, checks, candidates, runs.left) < 0) return true;
        for (const reading of readingsOf(text, runs)) {
          characters -= reading.length;
          if (characters < 0 || VIEWER_TOKEN.test(reading)) return true;
          if (found !== null ? contains(reading, found, runs) : some(candidatesIn(reading), isKey)) return true;
        }
        return runs.left < 0;
      };
    },
  };
}

/** Words that may be base64, of one request. */
interface Runs {
  left: number;
  /** A shorter one cannot have the key or a viewer's token in it. */
  shortest: number;
}

function shortestRun(key: string | null): number {
  const length = Math.min(key?.length ?? 0, VIEWER_TOKEN_LENGTH);
  return Math.max(SHORTEST_RUN, Math.floor((length * 4) / 3));
}

function some<T>(items: Iterable<T>, test: (item: T) => boolean): boolean {
  for (const item of items) if (test(item)) return true;
  return false;
}

function isCommon(text: string): boolean {
  return text === '' || COMMON.has(text.toLowerCase());
}

function contains(text: string, key: string, runs: Runs): boolean {
  if (key.length >= SHORTEST_PART) {
    return text.includes(key) || some(base64Bytes(text, runs), (bytes) => bytes.includes(key));
  }
  return some(candidatesIn(text), (candidate) => candidate.trim() === key);
}

/** The text, and what it says when percent-encoding and base64 are undone, also one within the other. */
function* readingsOf(text: string, runs: Runs): Generator<string> {
  const readings = new Set([text]);
  for (const reading of readings) {
    yield reading;
    for (const decoded of [...percentDecoded(reading), ...utf8Decoded(reading), ...base64Decoded(reading, runs)]) {
      if (readings.size < MAX_READINGS) readings.add(decoded);
    }
  }
}

function percentDecoded(text: string): readonly string[] {
  const spaced = text.includes('+') ? [text.replaceAll('+', ' ')] : [];
  if (!/%[0-9a-f]{2}/i.test(text)) return spaced;
  return [text, ...spaced].map((one) =>
    one.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8')),
  );
}

/** Headers arrive as bytes. */
function utf8Decoded(text: string): readonly string[] {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\u0000-\u00ff]/.test(text)) return [];
  return [Buffer.from(text, 'latin1').toString('utf8')];
}

function base64Decoded(text: string, runs: Runs): readonly string[] {
  return [...base64Bytes(text, runs)].map((bytes) => bytes.toString('utf8')).filter(isReadable);
}

function* base64Bytes(text: string, runs: Runs): Generator<Buffer> {
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{8,}/g)) {
    if (run.length < runs.shortest) continue;
    runs.left -= 1;
    if (runs.left < 0) return;
    // What stands before it may be of the same characters.
    for (let at = 0; at < 4; at += 1) yield Buffer.from(run.slice(at), 'base64');
  }
}

/** Letters that merely look like base64 decode to noise. */
function isReadable(text: string): boolean {
  return text.length >= 3 && !/[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/.test(text);
}

/**
 * The parts of a text that may be a key: what stands between separators, and up to eight neighbouring pieces, each a word or one
 * character between words.
 */
function* candidatesIn(text: string): Generator<string> {
  yield text;
  const afterScheme = text.indexOf(' ');
  if (afterScheme > 0) yield text.slice(afterScheme + 1);
  for (const part of text.split(/[&;,]\s*/)) {
    yield part;
    const value = part.slice(part.indexOf('=') + 1);
    yield value;
    yield value.replace(/^"|"$/g, '');
  }
  const pieces = [...text.matchAll(/[\p{L}\p{N}_-]+|[^\s\p{L}\p{N}_-]/gu)];
  for (let first = 0; first < pieces.length; first += 1) {
    const from = pieces[first]?.index ?? 0;
    for (let last = first; last < Math.min(pieces.length, first + MAX_PIECES); last += 1) {
      const end = pieces[last];
      if (end !== undefined) yield text.slice(from, end.index + end[0].length);
    }
  }
}
