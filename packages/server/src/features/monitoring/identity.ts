import { trimText } from '@manager/core/usage/text';

export interface AccountParts {
  readonly account: string;
  readonly label: string;
  readonly source: string;
  readonly authIndex: string;
  readonly sourceHash: string;
  /** Provider snapshot, else provider. */
  readonly provider: string;
}

/** Opaque id of an account row; null when nothing names the account. One e-mail under two providers is two accounts. */
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

/** Id of the group of calls that came without a client key but from one credential. */
export function unknownKeyId(parts: AccountParts): string {
  const fields = [parts.sourceHash, parts.authIndex, parts.source, parts.provider];
  return `unknown-client-api-key:${fields.map((field) => trimText(field) || '-').join(':')}`;
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase();
}
