import { secretsEqual } from '../../platform/secrets/compare.ts';

/** URL (normalized) and key (plaintext, trimmed) of one stored record; '' = missing. */
export interface ConnectionPair {
  readonly baseUrl: string;
  readonly managementKey: string;
}

/**
 * Which of the two stored records counts. Never joins the URL of one record with the key of the other unless they agree on
 * everything that both have.
 */
export type Authority =
  | { readonly kind: 'manager' | 'legacy'; readonly connection: ConnectionPair }
  | { readonly kind: 'none' }
  | { readonly kind: 'conflict' };

/** The rule for start, read and import. A missing record is two empty strings. */
export function resolveAuthority(manager: ConnectionPair, legacy: ConnectionPair): Authority {
  if (isComplete(manager)) return { kind: 'manager', connection: manager };
  const overlapDiffers =
    differs(manager.baseUrl, legacy.baseUrl, (a, b) => a === b) ||
    differs(manager.managementKey, legacy.managementKey, secretsEqual);
  if (overlapDiffers) return { kind: 'conflict' };
  return isComplete(legacy) ? { kind: 'legacy', connection: legacy } : { kind: 'none' };
}

export function isComplete(pair: ConnectionPair): boolean {
  return pair.baseUrl !== '' && pair.managementKey !== '';
}

export function samePair(a: ConnectionPair, b: ConnectionPair): boolean {
  return a.baseUrl === b.baseUrl && secretsEqual(a.managementKey, b.managementKey);
}

/** Every member that `pair` has equals that of `other`. */
export function agreesWith(pair: ConnectionPair, other: ConnectionPair): boolean {
  const urlAgrees = pair.baseUrl === '' || pair.baseUrl === other.baseUrl;
  const keyAgrees = pair.managementKey === '' || secretsEqual(pair.managementKey, other.managementKey);
  return urlAgrees && keyAgrees;
}

function differs(a: string, b: string, equal: (a: string, b: string) => boolean): boolean {
  return a !== '' && b !== '' && !equal(a, b);
}
