import { trimText } from '@manager/core/json/text';
import { foldTable, type TotalsState } from '../../../../facts/kernels/totals.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import { fragment, type JsonWriter, openObject } from '../json/json-writer.ts';
import { subRows } from '../json/written-list.ts';
import { membersOf, membersOfRows, numberPairs } from './numbering.ts';
import { mostExpensiveFirst } from './orders.ts';
import { MODEL_MEMBERS } from './totals-members.ts';

const CLOSE = fragment('}');

/**
 * Writes the member `models` of a row, most expensive first; left out when empty.
 *
 * @param limit most models of a row
 * @param modelDimension the dimension of `state` that is the analytics model
 * @param rowOf row of each group of `state`
 */
export function modelRows(
  state: TotalsState,
  modelDimension: number,
  symbols: SymbolTable,
  rowOf: Uint32Array,
  rowCount: number,
  limit: number,
): (out: JsonWriter, row: number) => void {
  const models = state.groups.valuesIn(modelDimension).map(([id = 0]) => symbols.text(id));
  const heads = models.map((model) => openObject({ model: trimText(model) === '' ? '-' : model }));
  const pairs = numberPairs(rowOf, state.groups.membersOf(modelDimension));
  const totals = foldTable(state, pairs.numbers, pairs.count);
  const pairsOfRow = membersOfRows(pairs.left, rowCount);
  const headOf = (pair: number) => heads[pairs.right[pair] ?? 0] ?? CLOSE;
  const compare = mostExpensiveFirst(totals, (pair) => models[pairs.right[pair] ?? 0] ?? '');
  const write = subRows('models', limit, (out, pair) => {
    out.fragment(headOf(pair));
    out.numbers(MODEL_MEMBERS, totals.at(pair));
    out.fragment(CLOSE);
  });
  return (out, row) => write(out, membersOf(pairsOfRow, row), compare);
}
