import type { FactColumn } from '../../../../facts/columns.ts';
import { newestOfTotals, type TotalsState } from '../../../../facts/kernels/totals.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import type { AccountParts } from '../../identity.ts';
import { sortTexts } from '../../sort.ts';
import { membersOfRows } from './numbering.ts';

/** Everything that names by whom an event was served, as one tuple: rows of all lists are sums over such tuples. */
export const IDENTITY_COLUMNS = [
  'account_snapshot',
  'auth_label_snapshot',
  'source',
  'auth_index',
  'source_hash',
  'auth_provider_snapshot',
  'provider',
  'auth_file_snapshot',
  'auth_project_id_snapshot',
] as const satisfies readonly FactColumn[];

export interface Identity extends AccountParts {
  readonly file: string;
  readonly project: string;
}

export type IdentityField = keyof Identity;

/** @param ids symbols in the order of `IDENTITY_COLUMNS` */
export function identityOf(ids: readonly number[], symbols: SymbolTable): Identity {
  const [account = '', label = '', source = '', authIndex = '', sourceHash = '', snapshot = '', provider = ''] =
    ids.map(symbols.text);
  const [file = '', project = ''] = ids.slice(7).map(symbols.text);
  return {
    account,
    label,
    source,
    authIndex,
    sourceHash,
    provider: snapshot !== '' ? snapshot : provider,
    file,
    project,
  };
}

/** Groups of events by identity and one more thing: model, client key, or bucket. */
export interface IdentityGroups {
  readonly identities: readonly Identity[];
  /** Index of each group's identity. */
  readonly identityOf: Uint32Array;
  /** Newest event of each group. */
  readonly newestMs: Float64Array;
  readonly newestId: Float64Array;
}

/** @param dimension the one over `IDENTITY_COLUMNS` */
export function identityGroups(state: TotalsState, dimension: number, symbols: SymbolTable): IdentityGroups {
  return {
    identities: state.groups.valuesIn(dimension).map((ids) => identityOf(ids, symbols)),
    identityOf: state.groups.membersOf(dimension),
    ...newestOfTotals(state),
  };
}

/** For each row and field the value of its newest event that has one; '' where none has. */
export function newestValues<Field extends IdentityField>(
  groups: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  fields: readonly Field[],
): Record<Field, string>[] {
  const rows = Array.from({ length: rowCount }, () => ({}) as Record<Field, string>);
  for (const field of fields) {
    const newest = newestWithValue(groups, rowOf, rowCount, field);
    for (const [row, values] of rows.entries()) {
      const group = newest[row] ?? -1;
      values[field] = group < 0 ? '' : (groups.identities[groups.identityOf[group] ?? 0]?.[field] ?? '');
    }
  }
  return rows;
}

/** For each row the newest group whose identity has the field, or −1. */
function newestWithValue(
  { identities, identityOf: identityOfGroup, newestMs, newestId }: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  field: IdentityField,
): Int32Array {
  const hasValue = Uint8Array.from(identities, (identity) => (identity[field] === '' ? 0 : 1));
  const newest = new Int32Array(rowCount).fill(-1);
  for (let group = 0; group < rowOf.length; group++) {
    if (hasValue[identityOfGroup[group] ?? 0] === 0) continue;
    const row = rowOf[group] ?? 0;
    const best = newest[row] ?? -1;
    const time = newestMs[group] ?? 0;
    const bestTime = newestMs[best] ?? 0;
    if (best < 0 || time > bestTime || (time === bestTime && (newestId[group] ?? 0) > (newestId[best] ?? 0))) {
      newest[row] = group;
    }
  }
  return newest;
}

/** For each row the distinct values of a field, sorted, empty ones left out. */
export function distinctValues(
  { identities, identityOf: identityOfGroup }: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  field: IdentityField,
): string[][] {
  const texts = sortTexts(identities.map((identity) => identity[field]));
  const rankOfText = new Map(texts.map((text, rank) => [text, rank]));
  const ranks = Int32Array.from(identities, (identity) => rankOfText.get(identity[field]) ?? -1);
  const groupsOfRank = membersOfRows(
    Uint32Array.from(identityOfGroup, (identity) => (ranks[identity] ?? -1) + 1),
    texts.length + 1,
  ).slice(1);
  const values: string[][] = Array.from({ length: rowCount }, () => []);
  for (const [rank, groups] of groupsOfRank.entries()) {
    const text = texts[rank] ?? '';
    for (const group of groups) {
      const list = values[rowOf[group] ?? 0];
      // Texts come in order, so one that a row has is its last.
      if (list !== undefined && list.at(-1) !== text) list.push(text);
    }
  }
  return values;
}
