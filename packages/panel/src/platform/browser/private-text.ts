import { KEY_PREFIXES } from '@manager/core/redaction/shapes';

const KEY = new RegExp(`\\b(?:${KEY_PREFIXES.join('|')})`);

/** Texts that must not get into an address, because histories and logs keep those: e-mail addresses and keys. */
export function isPrivateText(text: string): boolean {
  if (/[^\s@]+@[^\s@]+/.test(text)) return true;
  if (KEY.test(text)) return true;
  // A long unbroken token is a key, unless it is a hash or an id of hex digits and dashes.
  return /[A-Za-z0-9_-]{32,}/.test(text) && !/^[0-9a-f-]+$/i.test(text);
}
