import type { TextKey } from '../i18n/index.ts';

/** The upstream's own words for the cases that need another remedy than another key. */
export function refusalText(message: string): TextKey | null {
  if (/\bban/i.test(message)) return 'setup.failBanned';
  if (/remote management|allow-remote/i.test(message)) return 'setup.failRemote';
  return null;
}
