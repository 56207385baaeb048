import { trimText } from '@manager/core/json/text';

export interface AccountParts {
  readonly account: string;
  readonly label: string;
  readonly source: string;
  readonly authIndex: string;
  readonly sourceHash: string;
  /** Provider snapshot, else provider. */
  readonly provider: string;
}

/**
 * Opaque id of an account row; null when nothing names the account. One e-mail address at two providers is two accounts.
 */
export function accountId(parts: AccountParts): string | null {
  const kinds: readonly (readonly [string, string])[] = [
    ['account', parts.account],
    ['label', parts.label],
    ['source', parts.source],
    ['auth', parts.authIndex],
    ['source-hash', parts.sourceHash],
  ];
  const named = kinds.find(([, value]) => trimText(value) !== '');
  if (named === undefined) return null;
  const [kind, value] = named;
  return `monitoring-account:1:${kind}:${hex(trimText(parts.provider).toLowerCase())}:${hex(trimText(value))}`;
}

/** Prefix of the group ids of requests without a client key. */
export const UNKNOWN_KEY = 'unknown-client-api-key:';

/** Id of the group of requests without a client key from one account. */
export function unknownKeyId(parts: AccountParts): string {
  const fields = [parts.sourceHash, parts.authIndex, parts.source, parts.provider];
  return `${UNKNOWN_KEY}${fields.map((field) => trimText(field) || '-').join(':')}`;
}

/** Group id of an account: file, auth index, source hash or source, the first one that exists. */
export function accountKeyId(
  parts: Omit<AccountParts, 'account' | 'label' | 'provider'> & { readonly file: string },
): string {
  for (const value of [parts.file, parts.authIndex, parts.sourceHash, parts.source]) {
    const trimmed = trimText(value);
    if (trimmed !== '') return trimmed;
  }
  return '-';
}

/** Group id of a client key; null where the event has none. */
export function clientKeyId(apiKeyHash: string): string | null {
  return trimText(apiKeyHash).toLowerCase() || null;
}

/** Id of the context in which a client key was used. */
export function keyContextId(parts: AccountParts): string {
  const { provider, account, label, authIndex, sourceHash, source } = parts;
  return [provider, account, label, authIndex, sourceHash, source].map((part) => trimText(part) || '-').join(':');
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase();
}
