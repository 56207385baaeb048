import type { IdentityField } from '../../../../facts/answers/identity-columns.ts';
import { fragment, type JsonWriter } from '../json/json-writer.ts';
import { writeList } from '../json/written-list.ts';
import { distinctValues, type IdentityGroups } from './identities.ts';

const NONE = fragment('""');

const LISTS = [
  [fragment(',"auth_indices":'), 'authIndex'],
  [fragment(',"sources":'), 'source'],
  [fragment(',"source_hashes":'), 'sourceHash'],
] as const satisfies readonly (readonly [unknown, IdentityField])[];

/**
 * Writes the auth indices, sources and source hashes of a row; empty lists are left out.
 *
 * @param limit most texts of a list
 */
export function identityLists(
  groups: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  limit = Number.POSITIVE_INFINITY,
): (out: JsonWriter, row: number) => void {
  const lists = LISTS.map(([name, field]) => {
    const { texts, of } = distinctValues(groups, rowOf, rowCount, field);
    return { name, of, json: texts.map((text) => fragment(JSON.stringify(text))) };
  });
  return (out, row) => {
    for (const { name, of, json } of lists) {
      const places = of(row);
      const count = Math.min(places.length, limit);
      if (count === 0) continue;
      out.fragment(name);
      writeList(out, count, (_, index) => out.fragment(json[places[index] ?? 0] ?? NONE));
    }
  };
}
