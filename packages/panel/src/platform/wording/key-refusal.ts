import type { TextKey } from '../i18n/index.ts';

/** The gateway's error texts for which another key does not help. */
export function refusalText(message: string): TextKey | null {
  if (/\bban/i.test(message)) return 'setup.failBanned';
  if (/remote management|allow-remote/i.test(message)) return 'setup.failRemote';
  return null;
}
