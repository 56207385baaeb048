import { createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isSendable } from '../config/key-text.ts';
import { fromBase64, toBase64 } from './base64.ts';

export type RandomBytes = (size: number) => Uint8Array;

const SOURCES = ['env', 'generated', 'cli', 'cli-generated'] as const;
export type AdminKeySource = (typeof SOURCES)[number];

/** Above this a stored row is refused instead of blocking the process for minutes. */
const MAX_ITERATIONS = 10_000_000;

const CREDENTIAL = z.object({
  version: z.literal(1),
  salt: z.string(),
  keyHash: z.string(),
  iterations: z.number().int().optional(),
  createdAtMs: z.number(),
  rotatedAtMs: z.number().optional(),
  source: z.string(),
});

/** Row `admin_credential_v1`: salt and digest, never the key. */
export type AdminCredential = z.infer<typeof CREDENTIAL>;

/** @example generateAdminKey(randomBytes) // 'mgr_' and 43 base64url characters */
export function generateAdminKey(randomBytes: RandomBytes): string {
  return `mgr_${Buffer.from(randomBytes(32)).toString('base64url')}`;
}

/** Characters of a chosen key: below the first it can be guessed, below the second it is warned about. */
const LEAST_LENGTH = 16;
const GOOD_LENGTH = 24;

/**
 * Why a chosen key is refused where it is set, or null. A stored one is never refused: only its digest is known, and a manager that
 * was started with it must start again.
 */
export function chosenKeyProblem(key: string): string | null {
  if (!isSendable(key.trim())) {
    return (
      'the chosen admin key contains a character that clients cannot send; use only ASCII letters, digits and signs, or none to get a ' +
      'generated one'
    );
  }
  return lengthOf(key) >= LEAST_LENGTH
    ? null
    : `the chosen admin key has fewer than ${LEAST_LENGTH} characters and could be guessed; choose one with ${GOOD_LENGTH} or more, ` +
        'or none to get a generated one';
}

/** What to tell the operator about a key in use, or null. */
export function shortKeyWarning(key: string): string | null {
  return lengthOf(key) >= GOOD_LENGTH
    ? null
    : `the admin key has fewer than ${lengthOf(key) < LEAST_LENGTH ? LEAST_LENGTH : GOOD_LENGTH} characters and could be guessed; stop the ` +
        'manager and run manager-server reset-admin-key for a generated one';
}

function lengthOf(key: string): number {
  return [...key.trim()].length;
}

/** New salt and digest. `previous` is the replaced row, whose creation time stays. */
export function createAdminCredential(input: {
  readonly key: string;
  readonly source: AdminKeySource;
  readonly nowMs: number;
  readonly randomBytes: RandomBytes;
  readonly previous?: AdminCredential | null;
}): AdminCredential {
  const key = input.key.trim();
  if (key === '') throw new Error('an admin key must not be blank');
  const salt = input.randomBytes(16);
  return {
    version: 1,
    salt: toBase64(salt),
    keyHash: toBase64(digest(key, salt, 1)),
    iterations: 1,
    createdAtMs: input.previous?.createdAtMs ?? input.nowMs,
    ...(input.previous ? { rotatedAtMs: input.nowMs } : {}),
    source: input.source,
  };
}

/** Reads a stored row; null when it is invalid. */
export function parseAdminCredential(text: string): AdminCredential | null {
  try {
    return CREDENTIAL.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Constant-time check. A row with an invalid salt or digest matches no key. */
export function verifyAdminCredential(account: AdminCredential, key: string): boolean {
  const trimmed = key.trim();
  if (trimmed === '') return false;
  const salt = fromBase64(account.salt);
  const expected = fromBase64(account.keyHash);
  const iterations = Math.max(1, account.iterations ?? 1);
  if (salt === null || salt.length === 0 || expected?.length !== 32 || iterations > MAX_ITERATIONS) return false;
  return timingSafeEqual(digest(trimmed, salt, iterations), expected);
}

/** One HMAC is enough for a random key of 256 bits; rows with more iterations come from databases of other versions. */
function digest(key: string, salt: Uint8Array, iterations: number): Buffer {
  if (iterations > 1) return pbkdf2Sync(key, salt, iterations, 32, 'sha256');
  return createHmac('sha256', salt).update(key, 'utf8').digest();
}
