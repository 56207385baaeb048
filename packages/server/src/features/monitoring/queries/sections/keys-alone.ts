import type { ApiKeyStats } from '@manager/core/contract/monitoring/sections';
import { clientKeyId, UNKNOWN_KEY } from '../../../../facts/answers/identity.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { foldTable, type TotalsState, totalsSection } from '../../../../facts/kernels/totals.ts';
import type { Scan } from '../../../../facts/scan.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import type { RowLimits } from '../../request.ts';
import { modelRows } from '../fold/model-rows.ts';
import { gather, numberValues } from '../fold/numbering.ts';
import { lastSeenFirst, rowsInOrder } from '../fold/orders.ts';
import { TOTALS_MEMBERS } from '../fold/totals-members.ts';
import { fragment, openObject } from '../json/json-writer.ts';
import { WrittenList } from '../json/written-list.ts';
import type { AnalyticsPlan } from '../plan.ts';

const CLOSE = fragment('}');

/** Client keys without anything of accounts. */
export const KEY = symbolDimension(['api_key_hash']);
const MODEL = symbolDimension(['analytics_model']);

/** Whether a request asks for client keys without accounts, their indices and sources. */
export const isKeysAlone = ({ contexts, identities }: RowLimits): boolean => contexts === 0 && identities === 0;

/**
 * Client keys, last seen first, without snapshots of accounts; requests without a key are one row. Sums by key and model are stored
 * with each segment; by key and account they are mostly too many.
 */
export function planKeysAlone(plan: AnalyticsPlan, scan: Scan, limits: RowLimits): () => WrittenList<ApiKeyStats> {
  const { pricer, snapshot } = plan;
  const read = scan.add(totalsSection([KEY, MODEL], pricer));
  return () =>
    plan.once(scan, `keys alone ${JSON.stringify(limits)}`, () => keysAlone(read(), snapshot.symbols, limits));
}

function keysAlone(state: TotalsState, symbols: SymbolTable, limits: RowLimits): WrittenList<ApiKeyStats> {
  const ids = numberValues(state.groups.valuesIn(0).map(([key = 0]) => clientKeyId(symbols.text(key)) ?? UNKNOWN_KEY));
  const rowOf = gather(ids.numbers, state.groups.membersOf(0));
  const rowCount = ids.distinct.length;
  const idOf = (row: number) => ids.distinct[row] ?? '';
  const writeModels = modelRows(state, 1, symbols, rowOf, rowCount, limits.models);
  const totals = foldTable(state, rowOf, rowCount);
  const sorted = rowsInOrder(ids.distinct, limits.ids, lastSeenFirst(totals, idOf));
  return new WrittenList(sorted.length, (out, index) => {
    const row = sorted[index] ?? 0;
    const id = idOf(row);
    out.fragment(openObject({ id, api_key_hash: id === UNKNOWN_KEY ? '' : id }));
    out.numbers(TOTALS_MEMBERS, totals.at(row));
    writeModels(out, row);
    out.fragment(CLOSE);
  });
}
