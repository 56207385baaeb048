import { VIEWER_TOKEN_PREFIX } from '@manager/core/contract/viewer-links/words';
import { sha256Hex } from '../../platform/sha256.ts';

/** @example generateViewerToken(randomBytes) // 'mgv_' and 43 base64url characters */
export function generateViewerToken(randomBytes: (size: number) => Uint8Array): string {
  return VIEWER_TOKEN_PREFIX + Buffer.from(randomBytes(32)).toString('base64url');
}

/** What is stored. 256 random bits cannot be guessed, so one plain hash is enough. */
export const viewerTokenHash = (token: string): string => sha256Hex(token);
