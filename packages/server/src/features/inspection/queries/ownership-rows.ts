import type { Database } from 'bun:sqlite';
import { mayMean } from '@manager/core/accounts/identity';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { type OwnershipRow, type OwnershipScope, type OwnershipWrite, ownershipRecord } from '../ownership.ts';

interface StoredOwnership {
  readonly id: number;
  readonly auth_file_name: string;
  readonly provider: string;
  readonly auth_index: string;
  readonly account_id: string;
  readonly account_snapshot: string;
  readonly state: string;
  readonly created_at_ms: number;
}

const COLUMNS = 'id, auth_file_name, provider, auth_index, account_id, account_snapshot, state, created_at_ms';

/** Read operation: every credential that an inspection disabled, or was about to. */
export function inspectionOwnership({ db }: ReaderContext, _args: null): readonly OwnershipRow[] {
  return readAll(db);
}

export interface InsertOwnershipArgs {
  readonly records: readonly OwnershipWrite[];
  readonly nowMs: number;
}

/** Write operation, before the upstream is told. A row of the same credential becomes pending again. */
export function insertInspectionOwnership(
  { db }: WriterContext,
  { records, nowMs }: InsertOwnershipArgs,
): readonly OwnershipRow[] {
  const insert = db.query<StoredOwnership, (string | number)[]>(
    `INSERT INTO inspection_disable_ownership (
       auth_file_name, provider, auth_index, account_id, account_snapshot, state, created_at_ms, updated_at_ms
     )
     VALUES (?1, ?2, ?3, ?4, ?5, 'pending', ?6, ?6)
     ON CONFLICT (auth_file_name, provider, auth_index, account_id, account_snapshot) DO UPDATE SET
       state = 'pending',
       updated_at_ms = excluded.updated_at_ms
     RETURNING ${COLUMNS}`,
  );
  return records.map((given) => {
    const record = ownershipRecord(given);
    const row = insert.get(
      record.authFileName,
      record.provider,
      record.authIndex,
      record.accountId,
      record.accountSnapshot,
      nowMs,
    );
    if (row === null) throw new Error('a row that was written is not given back');
    return toRow(row);
  });
}

export interface OwnershipIds {
  readonly ids: readonly number[];
  readonly nowMs: number;
}

/** Write operation: the upstream has disabled them. A row that somebody revoked meanwhile stays away. */
export function confirmInspectionOwnership({ db }: WriterContext, { ids, nowMs }: OwnershipIds): void {
  const confirm = db.query("UPDATE inspection_disable_ownership SET state = 'owned', updated_at_ms = ? WHERE id = ?");
  for (const id of ids) confirm.run(nowMs, id);
}

/** Write operation. */
export function dropInspectionOwnership({ db }: WriterContext, ids: readonly number[]): void {
  const drop = db.query('DELETE FROM inspection_disable_ownership WHERE id = ?');
  for (const id of ids) drop.run(id);
}

/** Write operation: see `removeOwnershipRows`. */
export function removeInspectionOwnership({ db }: WriterContext, scope: OwnershipScope): readonly OwnershipRow[] {
  return removeOwnershipRows(db, scope);
}

export interface RestoreOwnershipArgs {
  readonly rows: readonly OwnershipRow[];
  readonly nowMs: number;
}

/** Write operation: see `restoreOwnershipRows`. */
export function restoreInspectionOwnership({ db }: WriterContext, { rows, nowMs }: RestoreOwnershipArgs): void {
  restoreOwnershipRows(db, rows, nowMs);
}

/** Inside a transaction of the caller: deletes the rows that may speak of the scope, and gives them back. */
export function removeOwnershipRows(db: Database, scope: OwnershipScope): readonly OwnershipRow[] {
  const removed = rowsOf(db, scope);
  const remove = db.query('DELETE FROM inspection_disable_ownership WHERE id = ?');
  for (const { id } of removed) remove.run(id);
  return removed;
}

/** Inside a transaction of the caller: puts rows back under their ids, unless the credential has a row by now. */
export function restoreOwnershipRows(db: Database, rows: readonly OwnershipRow[], nowMs: number): void {
  const insert = db.query(
    `INSERT INTO inspection_disable_ownership (${COLUMNS}, updated_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  for (const row of rows) {
    insert.run(
      row.id,
      row.authFileName,
      row.provider,
      row.authIndex,
      row.accountId,
      row.accountSnapshot,
      row.state,
      row.createdAtMs,
      nowMs,
    );
  }
}

function rowsOf(db: Database, scope: OwnershipScope): OwnershipRow[] {
  switch (scope.kind) {
    case 'all':
      return readAll(db);
    case 'files':
      return [...new Set(scope.fileNames)].flatMap((name) => readFile(db, name));
    case 'credentials': {
      const credentials = scope.identities.map(ownershipRecord);
      const files = new Set(credentials.map(({ authFileName }) => authFileName));
      return [...files]
        .flatMap((name) => readFile(db, name))
        .filter((row) => credentials.some((credential) => mayMean(row, credential)));
    }
  }
}

function readAll(db: Database): OwnershipRow[] {
  return db
    .query<StoredOwnership, []>(`SELECT ${COLUMNS} FROM inspection_disable_ownership ORDER BY id`)
    .all()
    .map(toRow);
}

/** By the unique index. */
function readFile(db: Database, fileName: string): OwnershipRow[] {
  return db
    .query<StoredOwnership, [string]>(
      `SELECT ${COLUMNS}
       FROM inspection_disable_ownership
       WHERE auth_file_name = ?
       ORDER BY id`,
    )
    .all(fileName.trim())
    .map(toRow);
}

function toRow(row: StoredOwnership): OwnershipRow {
  return {
    id: row.id,
    authFileName: row.auth_file_name,
    provider: row.provider,
    authIndex: row.auth_index,
    accountId: row.account_id,
    accountSnapshot: row.account_snapshot,
    state: row.state === 'owned' ? 'owned' : 'pending',
    createdAtMs: row.created_at_ms,
  };
}
