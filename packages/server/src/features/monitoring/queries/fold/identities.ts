import { type Identity, type IdentityField, identityOf } from '../../../../facts/answers/identity-columns.ts';
import { sortTexts } from '../../../../facts/answers/sort.ts';
import { newestOfTotals, type TotalsState } from '../../../../facts/kernels/totals.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import type { Fragment } from '../json/json-writer.ts';
import { gather, membersOf, membersOfRows } from './numbering.ts';

/** Groups of events by identity and one more dimension: model, client key, or bucket. */
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

/** Sources of the values of rows: for each field and row the identity of its newest event that has one, or −1. */
export type NewestIdentities<Field extends IdentityField> = readonly {
  readonly field: Field;
  readonly identityOfRow: Int32Array;
}[];

export function newestIdentities<Field extends IdentityField>(
  groups: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  fields: readonly Field[],
): NewestIdentities<Field> {
  return fields.map((field) => {
    const identityOfRow = newestWithValue(groups, rowOf, rowCount, field);
    for (let row = 0; row < rowCount; row++) {
      const group = identityOfRow[row] ?? -1;
      if (group >= 0) identityOfRow[row] = groups.identityOf[group] ?? 0;
    }
    return { field, identityOfRow };
  });
}

/** For each row and field the value of its newest event that has one; '' if none has. */
export function newestValues<Field extends IdentityField>(
  groups: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  fields: readonly Field[],
): Record<Field, string>[] {
  const newest = newestIdentities(groups, rowOf, rowCount, fields);
  return Array.from({ length: rowCount }, (_, row) => valuesOfRow(groups, newest, row));
}

function valuesOfRow<Field extends IdentityField>(
  { identities }: IdentityGroups,
  newest: NewestIdentities<Field>,
  row: number,
): Record<Field, string> {
  const values = {} as Record<Field, string>;
  for (const { field, identityOfRow } of newest) values[field] = identities[identityOfRow[row] ?? -1]?.[field] ?? '';
  return values;
}

/**
 * JSON of the values of rows. Most rows have those of one identity, which are serialized once.
 *
 * @param make called with the values of a row; rows with the same values get the same JSON
 */
export function shownValues<Field extends IdentityField>(
  groups: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  fields: readonly Field[],
  make: (values: Record<Field, string>, row: number) => Fragment,
): (row: number) => Fragment {
  const newest = newestIdentities(groups, rowOf, rowCount, fields);
  const only = onlyIdentities(newest, rowCount);
  const known = new Array<Fragment | undefined>(groups.identities.length);
  return (row) => {
    const identity = only[row] ?? MIXED;
    const json = known[identity] ?? make(valuesOfRow(groups, newest, row), row);
    if (identity >= 0) known[identity] = json;
    return json;
  };
}

const NOBODY = -1;
const MIXED = -2;

/** For each row the identity of all its values. */
function onlyIdentities(newest: NewestIdentities<IdentityField>, rowCount: number): Int32Array {
  const only = new Int32Array(rowCount).fill(NOBODY);
  for (const { identityOfRow } of newest) {
    for (let row = 0; row < rowCount; row++) {
      const identity = identityOfRow[row] ?? NOBODY;
      const known = only[row] ?? NOBODY;
      if (identity !== NOBODY && identity !== known) only[row] = known === NOBODY ? identity : MIXED;
    }
  }
  return only;
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

/** For each row distinct texts, as positions in a sorted list. */
export interface DistinctValues {
  readonly texts: readonly string[];
  of(row: number): Uint32Array;
}

/** For each row the distinct values of a field, sorted, empty ones left out. */
export function distinctValues(
  { identities, identityOf: identityOfGroup }: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  field: IdentityField,
): DistinctValues {
  const texts = sortTexts(identities.map((identity) => identity[field]));
  const placeOf = new Map(texts.map((text, place) => [text, place]));
  // Groups without a value come after all others.
  const places = Uint32Array.from(identities, (identity) => placeOf.get(identity[field]) ?? texts.length);
  const groupsOfPlace = membersOfRows(gather(places, identityOfGroup), texts.length + 1);
  const { starts } = membersOfRows(rowOf, rowCount);
  const ends = starts.slice(0, rowCount);
  const lists = new Uint32Array(rowOf.length);
  for (let place = 0; place < texts.length; place++) {
    for (const group of membersOf(groupsOfPlace, place)) {
      const row = rowOf[group] ?? 0;
      const end = ends[row] ?? 0;
      // Positions are in order, so a known one is the row's last.
      if (end > (starts[row] ?? 0) && lists[end - 1] === place) continue;
      lists[end] = place;
      ends[row] = end + 1;
    }
  }
  return { texts, of: (row) => lists.subarray(starts[row] ?? 0, ends[row] ?? 0) };
}

export function textsOf({ texts, of }: DistinctValues, row: number): string[] {
  return Array.from(of(row), (place) => texts[place] ?? '');
}
