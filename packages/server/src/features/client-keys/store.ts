import type { Database } from 'bun:sqlite';
import type { ApiKeyAlias } from '@manager/core/contract/client-keys';
import { AppError } from '@manager/core/contract/errors';
import type { ReaderContext, WriterContext } from '../../sqlite/contexts.ts';

interface Row {
  readonly api_key_hash: string;
  readonly alias: string;
  readonly updated_at_ms: number;
}

export interface AliasUpsert {
  /** Checked by the service: hashes are 64 lower-case hex digits, aliases trimmed and not empty. */
  readonly items: readonly {
    readonly apiKeyHash: string;
    readonly alias: string;
    readonly updatedAtMs: number | null;
  }[];
  /** Keys in use; an alias of any other key may be removed when its name is needed. Empty = remove none. */
  readonly activeHashes: readonly string[];
}

/** Read operation: all aliases, by name ignoring case, then hash. */
export function listAliases({ db }: ReaderContext): ApiKeyAlias[] {
  return readAll(db).sort(byNameThenHash);
}

/**
 * Write operation: all items or none; returns the stored list.
 *
 * @throws AppError `api_key_alias_duplicate` when two keys would have one name. Names are compared after all items are applied,
 * so that two keys can swap theirs.
 */
export function upsertAliases({ db, now }: WriterContext, { items, activeHashes }: AliasUpsert): ApiKeyAlias[] {
  return db
    .transaction(() => {
      const nowMs = now();
      const submitted = new Map(
        items.map((item) => [item.apiKeyHash, { ...item, updatedAtMs: item.updatedAtMs ?? nowMs }]),
      );
      const kept = readAll(db).filter(({ apiKeyHash }) => !submitted.has(apiKeyHash));
      const orphans = replacedOrphans(kept, [...submitted.values()], new Set(activeHashes));

      for (const hash of orphans) db.query('DELETE FROM api_key_aliases WHERE api_key_hash = ?').run(hash);
      for (const item of submitted.values()) db.query(UPSERT).run(item.apiKeyHash, item.alias, item.updatedAtMs);
      return readAll(db).sort(byNameThenHash);
    })
    .immediate();
}

/** Write operation; a missing alias is no error. */
export function deleteAlias({ db }: WriterContext, hash: string): void {
  db.query('DELETE FROM api_key_aliases WHERE api_key_hash = ?').run(hash);
}

function replacedOrphans(
  kept: readonly ApiKeyAlias[],
  submitted: readonly ApiKeyAlias[],
  active: ReadonlySet<string>,
): string[] {
  const orphans: string[] = [];
  const holders = new Map(kept.map((item) => [nameKey(item.alias), item.apiKeyHash]));
  const taken = new Set<string>();
  for (const item of submitted) {
    const name = nameKey(item.alias);
    if (taken.has(name)) throw new AppError('api_key_alias_duplicate');
    taken.add(name);
    const holder = holders.get(name);
    if (holder === undefined) continue;
    if (active.size === 0 || active.has(holder)) throw new AppError('api_key_alias_duplicate');
    orphans.push(holder);
  }
  return orphans;
}

function readAll(db: Database): ApiKeyAlias[] {
  return db
    .query<Row, []>('SELECT api_key_hash, alias, updated_at_ms FROM api_key_aliases')
    .all()
    .map((row) => ({ apiKeyHash: row.api_key_hash, alias: row.alias, updatedAtMs: row.updated_at_ms }));
}

function byNameThenHash(a: ApiKeyAlias, b: ApiKeyAlias): number {
  return compare(nameKey(a.alias), nameKey(b.alias)) || compare(a.apiKeyHash, b.apiKeyHash);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Two aliases with the same key are the same name. */
function nameKey(alias: string): string {
  return alias.trim().toLowerCase();
}

const UPSERT = `
INSERT INTO api_key_aliases (api_key_hash, alias, updated_at_ms) VALUES (?, ?, ?)
ON CONFLICT (api_key_hash) DO UPDATE SET alias = excluded.alias, updated_at_ms = excluded.updated_at_ms`;
