import { AppError } from '@manager/core/contract/errors';
import { isSendable } from './key-text.ts';

/**
 * Why a management key cannot be sent to a gateway, or null. Header values are ASCII only: anything else would fail, or arrive
 * as other bytes, in every request. The text never repeats the key.
 */
export function gatewayKeyProblem(key: string): string | null {
  return isSendable(key)
    ? null
    : 'the management key contains a character that cannot be sent; use only ASCII letters, digits and signs';
}

/** Trims a submitted key, or throws a 400 with the problem. Blank stays blank. */
export function requireGatewayKey(text: string): string {
  const key = text.trim();
  const problem = gatewayKeyProblem(key);
  if (problem !== null) throw new AppError('management_key_not_sendable', { message: problem });
  return key;
}
