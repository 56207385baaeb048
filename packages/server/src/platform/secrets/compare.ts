import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in time that depends on neither their content nor the position of the first difference. */
export function secretsEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
