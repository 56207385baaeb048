import type { AccountStats } from '@manager/core/contract/monitoring/sections';
import { accountId } from '../../../../facts/answers/identity.ts';
import { foldTable } from '../../../../facts/kernels/totals.ts';
import type { Scan } from '../../../../facts/scan.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import type { RowLimits } from '../../request.ts';
import { newestValues } from '../fold/identities.ts';
import { identityLists } from '../fold/identity-lists.ts';
import { snapshotMembers } from '../fold/members.ts';
import { modelRows } from '../fold/model-rows.ts';
import { gather, numberValues } from '../fold/numbering.ts';
import { lastSeenFirst, rowsInOrder } from '../fold/orders.ts';
import { TOTALS_MEMBERS } from '../fold/totals-members.ts';
import { fragment, openObject } from '../json/json-writer.ts';
import { WrittenList } from '../json/written-list.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { type IdentityModels, MODEL_DIMENSION, planIdentityModels } from './identity-models.ts';

/** Shown when nothing names the account. */
const NO_ACCOUNT = '-';
const NO_SNAPSHOT = { account: '', label: '', provider: '' };
const CLOSE = fragment('}');

export function planAccountStats(plan: AnalyticsPlan, scan: Scan, limits: RowLimits): () => WrittenList<AccountStats> {
  const models = planIdentityModels(plan, scan);
  return () =>
    plan.once(scan, `account stats ${JSON.stringify(limits)}`, () =>
      accountStats(models(), plan.snapshot.symbols, limits),
    );
}

/** Accounts, last seen first. */
function accountStats(
  { state, groups }: IdentityModels,
  symbols: SymbolTable,
  limits: RowLimits,
): WrittenList<AccountStats> {
  const accounts = numberValues(groups.identities.map((identity) => accountId(identity) ?? NO_ACCOUNT));
  const ids = accounts.distinct;
  const rowOf = gather(accounts.numbers, groups.identityOf);
  const totals = foldTable(state, rowOf, ids.length);
  const snapshots = newestValues(groups, rowOf, ids.length, ['account', 'label', 'provider']);
  const writeLists = identityLists(groups, rowOf, ids.length);
  const writeModels = modelRows(state, MODEL_DIMENSION, symbols, rowOf, ids.length, limits.models);
  const idOf = (row: number) => ids[row] ?? '';
  const sorted = rowsInOrder(ids, limits.ids, lastSeenFirst(totals, idOf));
  return new WrittenList(sorted.length, (out, index) => {
    const row = sorted[index] ?? 0;
    out.fragment(openObject({ id: idOf(row), ...snapshotMembers(snapshots[row] ?? NO_SNAPSHOT) }));
    writeLists(out, row);
    out.numbers(TOTALS_MEMBERS, totals.at(row));
    writeModels(out, row);
    out.fragment(CLOSE);
  });
}
