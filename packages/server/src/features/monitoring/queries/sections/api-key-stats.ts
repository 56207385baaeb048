import type { ApiKeyStats, KeyContext } from '@manager/core/contract/monitoring/sections';
import { clientKeyId, keyContextId, UNKNOWN_KEY, unknownKeyId } from '../../../../facts/answers/identity.ts';
import { IDENTITY_COLUMNS } from '../../../../facts/answers/identity-columns.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { foldTable, type TotalsState, totalsSection } from '../../../../facts/kernels/totals.ts';
import type { Scan } from '../../../../facts/scan.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import type { RowLimits } from '../../request.ts';
import { type IdentityGroups, identityGroups, newestValues, shownValues } from '../fold/identities.ts';
import { identityLists } from '../fold/identity-lists.ts';
import { orNone, snapshotMembers } from '../fold/members.ts';
import { modelRows } from '../fold/model-rows.ts';
import { gather, membersOf, membersOfRows, type Numbering, numberPairs, numberValues } from '../fold/numbering.ts';
import { lastSeenFirst, mostExpensiveFirst, rowsInOrder } from '../fold/orders.ts';
import { CONTEXT_MEMBERS, TOTALS_MEMBERS } from '../fold/totals-members.ts';
import { fragment, type JsonWriter, openObject } from '../json/json-writer.ts';
import { subRows, WrittenList } from '../json/written-list.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { keyDimension, keyIdOf } from './client-keys.ts';
import { isKeysAlone, planKeysAlone } from './keys-alone.ts';

const SNAPSHOT_FIELDS = ['account', 'label', 'provider'] as const;
const CONTEXT_FIELDS = [...SNAPSHOT_FIELDS, 'authIndex', 'source', 'sourceHash'] as const;
const NO_SNAPSHOT = { account: '', label: '', provider: '' };
const CLOSE = fragment('}');

type WriteMember = (out: JsonWriter, row: number) => void;

interface KeySums {
  /** By client key and identity. */
  readonly contexts: TotalsState;
  /** By client key, or without one by account, and analytics model. */
  readonly models: TotalsState;
}

export function planApiKeyStats(plan: AnalyticsPlan, scan: Scan, limits: RowLimits): () => WrittenList<ApiKeyStats> {
  if (isKeysAlone(limits)) return planKeysAlone(plan, scan, limits);
  const { pricer, snapshot } = plan;
  const contexts = scan.add(
    totalsSection([symbolDimension(['api_key_hash']), symbolDimension(IDENTITY_COLUMNS)], pricer),
  );
  const models = scan.add(
    totalsSection([keyDimension(snapshot.symbols), symbolDimension(['analytics_model'])], pricer),
  );
  return () =>
    plan.once(scan, `api key stats ${JSON.stringify(limits)}`, () =>
      apiKeyStats({ contexts: contexts(), models: models() }, snapshot.symbols, limits),
    );
}

/** Client keys, last seen first; requests without a key by their account. */
function apiKeyStats({ contexts, models }: KeySums, symbols: SymbolTable, limits: RowLimits): WrittenList<ApiKeyStats> {
  const groups = identityGroups(contexts, 1, symbols);
  const keys = keysOfGroups(contexts, groups, symbols);
  const rowOf = keys.numbers;
  const rowCount = keys.distinct.length;
  const idOf = (row: number) => keys.distinct[row] ?? '';
  const snapshots = newestValues(groups, rowOf, rowCount, SNAPSHOT_FIELDS);
  const writeLists = identityLists(groups, rowOf, rowCount, limits.identities);
  const writeModels = modelsByKey(models, symbols, keys.distinct, limits.models);
  const writeContexts = keyContexts(contexts, groups, rowOf, rowCount, limits.contexts);
  const totals = foldTable(contexts, rowOf, rowCount);
  const sorted = rowsInOrder(keys.distinct, wantedIds(limits.ids, keys.distinct), lastSeenFirst(totals, idOf));
  return new WrittenList(sorted.length, (out, index) => {
    const row = sorted[index] ?? 0;
    const id = idOf(row);
    const api_key_hash = id.startsWith(UNKNOWN_KEY) ? '' : id;
    out.fragment(openObject({ id, api_key_hash, ...snapshotMembers(snapshots[row] ?? NO_SNAPSHOT) }));
    writeLists(out, row);
    out.numbers(TOTALS_MEMBERS, totals.at(row));
    writeModels(out, row);
    writeContexts(out, row);
    out.fragment(CLOSE);
  });
}

/** The id of the one row of requests without a key, see `planKeysAlone`, stands for all rows without a key. */
function wantedIds(asked: readonly string[], ids: readonly string[]): readonly string[] {
  return asked.includes(UNKNOWN_KEY) ? [...asked, ...ids.filter((id) => id.startsWith(UNKNOWN_KEY))] : asked;
}

/** The key row of each group. */
function keysOfGroups(contexts: TotalsState, groups: IdentityGroups, symbols: SymbolTable): Numbering<string> {
  const keyIds = contexts.groups.valuesIn(0).map(([key = 0]) => clientKeyId(symbols.text(key)));
  // Those of the identities follow those of the keys.
  const ids = numberValues([...keyIds.map((id) => id ?? ''), ...groups.identities.map(unknownKeyId)]);
  const keyOf = contexts.groups.membersOf(0);
  const idOfGroup = new Uint32Array(keyOf.length);
  for (let group = 0; group < keyOf.length; group++) {
    const key = keyOf[group] ?? 0;
    const place = keyIds[key] === null ? keyIds.length + (groups.identityOf[group] ?? 0) : key;
    idOfGroup[group] = ids.numbers[place] ?? 0;
  }
  const rows = numberValues(idOfGroup);
  return { numbers: rows.numbers, distinct: rows.distinct.map((id) => ids.distinct[id] ?? '') };
}

function modelsByKey(models: TotalsState, symbols: SymbolTable, ids: readonly string[], limit: number): WriteMember {
  const rowOfId = new Map(ids.map((id, row) => [id, row]));
  const rowOfMember = Uint32Array.from(models.groups.valuesIn(0), (value) => rowOfId.get(keyIdOf(value, symbols)) ?? 0);
  return modelRows(models, 1, symbols, gather(rowOfMember, models.groups.membersOf(0)), ids.length, limit);
}

/** The contexts of each key, most expensive first. */
function keyContexts(
  state: TotalsState,
  groups: IdentityGroups,
  rowOf: Uint32Array,
  rowCount: number,
  limit: number,
): WriteMember {
  const contexts = numberValues(groups.identities.map(keyContextId));
  const pairs = numberPairs(rowOf, gather(contexts.numbers, groups.identityOf));
  const idOf = (pair: number) => contexts.distinct[pairs.right[pair] ?? 0] ?? '';
  const head = shownValues(groups, pairs.numbers, pairs.count, CONTEXT_FIELDS, (values, pair) =>
    openObject(contextMembers(idOf(pair), values)),
  );
  const totals = foldTable(state, pairs.numbers, pairs.count);
  const compare = mostExpensiveFirst(totals, idOf);
  const pairsOfRow = membersOfRows(pairs.left, rowCount);
  const write = subRows('contexts', limit, (out, pair) => {
    out.fragment(head(pair));
    out.numbers(CONTEXT_MEMBERS, totals.at(pair));
    out.fragment(CLOSE);
  });
  return (out, row) => write(out, membersOf(pairsOfRow, row), compare);
}

function contextMembers(id: string, values: Record<(typeof CONTEXT_FIELDS)[number], string>): Partial<KeyContext> {
  return {
    id,
    ...snapshotMembers(values),
    auth_index: orNone(values.authIndex),
    source: orNone(values.source),
    source_hash: orNone(values.sourceHash),
  };
}
