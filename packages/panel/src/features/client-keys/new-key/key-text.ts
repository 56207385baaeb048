import type { TextKey } from '../../../platform/i18n/index.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 40 characters of 62 are 238 bits. */
const BODY_LENGTH = 40;
/** Largest multiple of the alphabet in a byte: larger bytes would prefer its first letters. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);

export const DEFAULT_PREFIX = 'sk-';
const PREFIX = /^[A-Za-z0-9_-]{0,24}$/;

export const isPrefix = (text: string): boolean => PREFIX.test(text);

/** @param fill such as `crypto.getRandomValues` */
export function generateKey(prefix: string, fill: (bytes: Uint8Array<ArrayBuffer>) => void): string {
  let body = '';
  while (body.length < BODY_LENGTH) {
    const bytes = new Uint8Array(64);
    fill(bytes);
    for (const byte of bytes) if (byte < FAIR_BELOW) body += ALPHABET[byte % ALPHABET.length] ?? '';
  }
  return prefix + body.slice(0, BODY_LENGTH);
}

export type KeyStrength = 'weak' | 'fair' | 'strong';

/** Below this many bits a key can be found by brute force; from 112 on it cannot. */
const WEAK_BELOW_BITS = 64;
const STRONG_FROM_BITS = 112;

/** Upper bound of a typed key's entropy, by its different characters and their distribution; words are easier to guess. */
export function keyStrength(key: string): KeyStrength {
  const characters = [...key];
  const counts = new Map<string, number>();
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bitsEach = 0;
  for (const count of counts.values()) {
    const share = count / characters.length;
    bitsEach -= share * Math.log2(share);
  }
  const bits = bitsEach * characters.length;
  if (bits < WEAK_BELOW_BITS) return 'weak';
  return bits < STRONG_FROM_BITS ? 'fair' : 'strong';
}

/** Error of a typed key; null = valid. */
export function keyProblem(key: string, listed: ReadonlySet<string>): TextKey | null {
  if (key.trim() === '') return 'clientKeys.keyEmpty';
  // It is sent in a header.
  if (!/^[\x21-\x7e]+$/.test(key.trim())) return 'clientKeys.keyCharacters';
  return listed.has(key.trim()) ? 'clientKeys.keyListed' : null;
}
