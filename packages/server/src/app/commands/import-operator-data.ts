import type { Database } from 'bun:sqlite';
import { AppError } from '@manager/core/contract/errors';
import { checkPrice } from '@manager/core/pricing/validate';
import { aliasProblem } from '../../features/client-keys/service.ts';
import { listAliases, upsertAliases } from '../../features/client-keys/store.ts';
import { countChange, readPrices, writePrice } from '../../features/prices/store.ts';
import { readForeignAliases } from '../../features/transfer/foreign/extras.ts';
import type { SourceShape } from '../../features/transfer/foreign/format.ts';
import { readForeignPrices } from '../../features/transfer/foreign/prices.ts';
import type { ForeignSource } from '../../features/transfer/foreign/source.ts';
import type { CellReader } from '../../features/transfer/foreign/values.ts';

/** Result of importing the operator's settings of the other tool. */
export interface OperatorDataImport {
  readonly read: number;
  readonly added: number;
  /** Already set here, and kept. */
  readonly kept: readonly string[];
  readonly refused: readonly string[];
}

/** Built-in prices are not the operator's choice; all others are. */
const REPLACEABLE_SOURCE = 'built-in';

/** Adds prices for models that have none here, or only a built-in one. */
export async function importPrices(
  db: Database,
  source: ForeignSource,
  shape: SourceShape,
  cells: CellReader,
  now: () => number,
): Promise<OperatorDataImport> {
  const found = await source.read((foreign) => readForeignPrices(foreign, shape, cells));
  const kept: string[] = [];
  const refused: string[] = [];
  let added = 0;
  db.transaction(() => {
    const here = new Map(Object.entries(readPrices(db)));
    for (const { model, price } of found) {
      const checked = checkPrice(model, price);
      const known = here.get(model);
      if (checked.kind === 'invalid') refused.push(checked.problem);
      else if (known !== undefined && known.source !== REPLACEABLE_SOURCE) kept.push(model);
      else {
        writePrice(db, model, { ...checked.price, updatedAtMs: checked.price.updatedAtMs ?? now() });
        added += 1;
      }
    }
    if (added > 0) countChange(db);
  }).immediate();
  return { read: found.length, added, kept, refused };
}

const KEY_HASH = /^[0-9a-f]{64}$/;

/** Adds names for keys that have none here. A name that another key has is not used again. */
export async function importAliases(
  db: Database,
  source: ForeignSource,
  shape: SourceShape,
  cells: CellReader,
  now: () => number,
): Promise<OperatorDataImport> {
  const found = await source.read((foreign) => readForeignAliases(foreign, shape, cells));
  const named = new Set(listAliases({ db }).map(({ apiKeyHash }) => apiKeyHash));
  const kept: string[] = [];
  const refused: string[] = [];
  let added = 0;
  for (const item of found) {
    if (!KEY_HASH.test(item.apiKeyHash) || aliasProblem(item.alias) !== null) refused.push(shownAlias(item.alias));
    else if (named.has(item.apiKeyHash)) kept.push(item.alias);
    else if (tryAlias(db, item, now)) added += 1;
    else refused.push(item.alias);
  }
  return { read: found.length, added, kept, refused };
}

const SHOWN_CHARACTERS = 80;
const shownAlias = (alias: string) =>
  alias.length > SHOWN_CHARACTERS ? `${alias.slice(0, SHOWN_CHARACTERS)}…` : alias;

function tryAlias(
  db: Database,
  item: Parameters<typeof upsertAliases>[1]['items'][number],
  now: () => number,
): boolean {
  try {
    upsertAliases({ db, now }, { items: [item], activeHashes: [] });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'api_key_alias_duplicate') return false;
    throw error;
  }
}
