import type { BreakdownKind } from '@manager/core/contract/monitoring/breakdown';
import { trimText } from '@manager/core/json/text';
import { accountKeyId, clientKeyId } from '../../../../facts/answers/identity.ts';
import { IDENTITY_COLUMNS, type Identity, identityOf } from '../../../../facts/answers/identity-columns.ts';
import type { FactColumn } from '../../../../facts/columns.ts';
import type { TotalsState } from '../../../../facts/kernels/totals.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import { identityGroups, newestValues } from './identities.ts';
import { ACCOUNT_FIELDS, accountMembers } from './members.ts';
import { gather, numberValues, split } from './numbering.ts';

/** A dimension of a breakdown: values of its columns with the same id are one entry. */
export interface Level {
  readonly columns: readonly FactColumn[];
  /** @param value symbols in the order of the columns */
  idOf(value: readonly number[], symbols: SymbolTable): string;
  /** Whether the id alone does not name an entry. */
  readonly named: boolean;
}

export const LEVELS: Readonly<Record<BreakdownKind, Level>> = {
  client_key: {
    columns: ['api_key_hash'],
    idOf: ([key = 0], symbols) => clientKeyId(symbols.text(key)) ?? '',
    named: false,
  },
  model: { columns: ['analytics_model'], idOf: ([model = 0], symbols) => symbols.text(model), named: false },
  account: {
    columns: IDENTITY_COLUMNS,
    idOf: (value, symbols) => accountKeyId(identityOf(value, symbols)),
    named: true,
  },
  provider: {
    columns: ['auth_provider_snapshot', 'provider'],
    idOf: ([snapshot = 0, provider = 0], symbols) =>
      trimText(symbols.text(snapshot) || symbols.text(provider)).toLowerCase(),
    named: false,
  },
};

/** The entries of a level in several ranges: the same number in each. */
export interface NumberedLevel {
  readonly ids: readonly string[];
  /** For each range the entry of each group. */
  readonly numbers: readonly Uint32Array[];
}

/** @param dimension place of the level in the groups */
export function numberLevel(
  states: readonly TotalsState[],
  dimension: number,
  level: Level,
  symbols: SymbolTable,
): NumberedLevel {
  const idsOf = states.map(({ groups }) => groups.valuesIn(dimension).map((value) => level.idOf(value, symbols)));
  const { numbers, distinct } = numberValues(idsOf.flat());
  const own = split(numbers, idsOf);
  const numbersOf = states.map(({ groups }, index) =>
    gather(own[index] ?? new Uint32Array(0), groups.membersOf(dimension)),
  );
  return { ids: distinct, numbers: numbersOf };
}

/** Members that name an entry: of accounts the values of their newest events, in the first range that has them. */
export function namesOfLevel(
  states: readonly TotalsState[],
  dimension: number,
  level: Level,
  { ids, numbers }: NumberedLevel,
  symbols: SymbolTable,
): (entry: number) => Partial<ReturnType<typeof accountMembers>> {
  if (!level.named) return () => ({});
  const newest = states.map((state, index) =>
    newestValues(
      identityGroups(state, dimension, symbols),
      numbers[index] ?? new Uint32Array(0),
      ids.length,
      ACCOUNT_FIELDS,
    ),
  );
  return (entry) => {
    const values = newest.map((rows) => rows[entry]);
    const first = (field: keyof Identity) => values.map((value) => value?.[field] ?? '').find((text) => text !== '');
    return accountMembers(
      Object.fromEntries(ACCOUNT_FIELDS.map((field) => [field, first(field) ?? ''])) as Record<keyof Identity, string>,
    );
  };
}
