import type { Identity } from '../../../../facts/answers/identity-columns.ts';

/** Members of answers. `undefined` is left out of the JSON. */

export function orNone<Value extends { readonly length: number }>(value: Value): Value | undefined {
  return value.length === 0 ? undefined : value;
}

/** Shown for an empty member. */
export function orDash(value: string): string {
  return value === '' ? '-' : value;
}

export function snapshotMembers({ account, label, provider }: Pick<Identity, 'account' | 'label' | 'provider'>) {
  return {
    account_snapshot: orNone(account),
    auth_label_snapshot: orNone(label),
    auth_provider_snapshot: orNone(provider),
  };
}
