import { createHmac } from 'node:crypto';
import { AppError } from '@manager/core/contract/errors';
import { parseAdminCredential, type RandomBytes, shortKeyWarning, verifyAdminCredential } from './admin-key.ts';

/** Limit of remembered proofs that needed many iterations. */
const MAX_REMEMBERED = 16;

/** Decides whether a token is the admin key. */
export type AdminVerifier = (token: string) => boolean;

export interface AdminVerifierOptions {
  /** Reads row `admin_credential_v1`; null = missing. */
  readonly readCredential: () => string | null;
  readonly randomBytes: RandomBytes;
  /** Called with a valid key, so that logs can redact it: only its digest is stored. */
  readonly protectSecret?: (secret: string) => void;
  /** Called once, when a valid key turns out to be short: the start cannot know that from a digest. */
  readonly warn?: (message: string) => void;
}

/**
 * Reads the stored row at every call. Throws a 500 when it is missing: a manager without an admin key is broken, never open.
 */
export function createAdminVerifier(options: AdminVerifierOptions): AdminVerifier {
  // Look-ups use a digest with a key of this process, so their timing reveals nothing about the token.
  const lookupKey = options.randomBytes(32);
  const remembered = new Set<string>();
  let warned = false;

  function isAdminKey(token: string): boolean {
    const stored = options.readCredential();
    if (stored === null) throw new AppError('authorization_failed');
    const account = parseAdminCredential(stored);
    if (account === null) return false;
    if ((account.iterations ?? 1) <= 1) return verifyAdminCredential(account, token);

    const proof = createHmac('sha256', lookupKey).update(`${stored}\0${token.trim()}`).digest('base64');
    if (remembered.has(proof)) return true;
    if (!verifyAdminCredential(account, token)) return false;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.add(proof);
    return true;
  }

  return (token) => {
    if (!isAdminKey(token)) return false;
    options.protectSecret?.(token);
    const warning = warned ? null : shortKeyWarning(token);
    if (warning !== null) {
      warned = true;
      options.warn?.(warning);
    }
    return true;
  };
}
