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

/** Values of an account row that come from its newest events. */
export const ACCOUNT_FIELDS = [
  'file',
  'authIndex',
  'source',
  'sourceHash',
  'account',
  'label',
  'provider',
  'project',
] as const satisfies readonly (keyof Identity)[];

export function accountMembers(values: Identity) {
  return {
    auth_file_snapshot: orNone(values.file),
    auth_index: orNone(values.authIndex),
    source: orNone(values.source),
    source_hash: orNone(values.sourceHash),
    ...snapshotMembers(values),
    auth_project_id_snapshot: orNone(values.project),
  };
}
