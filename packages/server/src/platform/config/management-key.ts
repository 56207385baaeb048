import { AppError } from '@manager/core/contract/errors';
import { isQuoted, isSendable } from './key-text.ts';

/**
 * Why a management key cannot be meant as it is, or null. Header values are ASCII only: anything else would fail, or arrive as other
 * bytes, in every request. Quotes or a header around it would cost a try at the gateway. The text never repeats the key.
 */
export function gatewayKeyProblem(key: string): string | null {
  if (!isSendable(key)) {
    return 'the management key contains a character that cannot be sent; use only ASCII letters, digits and signs';
  }
  if (isQuoted(key)) return 'the management key has quotes around it, which would be part of it; remove them';
  return /^(?:authorization:|bearer\s)/i.test(key)
    ? 'enter the management key alone, without the header around it'
    : null;
}

/** Trims a submitted key, or throws a 400 with the problem. Blank stays blank. */
export function requireGatewayKey(text: string): string {
  const key = text.trim();
  const problem = gatewayKeyProblem(key);
  if (problem !== null) throw new AppError('management_key_not_sendable', { message: problem });
  return key;
}
