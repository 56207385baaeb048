import type { CredentialStats } from '@manager/core/contract/monitoring/sections';
import { accountKeyId } from '../../../../facts/answers/identity.ts';
import { foldTable } from '../../../../facts/kernels/totals.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import type { RowLimits } from '../../request.ts';
import { shownValues } from '../fold/identities.ts';
import { ACCOUNT_FIELDS, accountMembers } from '../fold/members.ts';
import { modelRows } from '../fold/model-rows.ts';
import { gather, numberValues } from '../fold/numbering.ts';
import { mostExpensiveFirst, rowsInOrder } from '../fold/orders.ts';
import { TOTALS_MEMBERS } from '../fold/totals-members.ts';
import { fragment, openObject } from '../json/json-writer.ts';
import { WrittenList } from '../json/written-list.ts';
import { type IdentityModels, MODEL_DIMENSION } from './identity-models.ts';

const CLOSE = fragment('}');

/** Accounts, most expensive first. */
export function accountStats(
  { state, groups }: IdentityModels,
  symbols: SymbolTable,
  limits: RowLimits,
): WrittenList<CredentialStats> {
  const gatewayAccounts = numberValues(groups.identities.map(accountKeyId));
  const ids = gatewayAccounts.distinct;
  const idOf = (row: number) => ids[row] ?? '';
  const rowOf = gather(gatewayAccounts.numbers, groups.identityOf);
  const head = shownValues(groups, rowOf, ids.length, ACCOUNT_FIELDS, (values, row) =>
    openObject({ id: idOf(row), ...accountMembers(values) }),
  );
  const writeModels = modelRows(state, MODEL_DIMENSION, symbols, rowOf, ids.length, limits.models);
  const totals = foldTable(state, rowOf, ids.length);
  const sorted = rowsInOrder(ids, limits.ids, mostExpensiveFirst(totals, idOf));
  return new WrittenList(sorted.length, (out, index) => {
    const row = sorted[index] ?? 0;
    out.fragment(head(row));
    out.numbers(TOTALS_MEMBERS, totals.at(row));
    writeModels(out, row);
    out.fragment(CLOSE);
  });
}
