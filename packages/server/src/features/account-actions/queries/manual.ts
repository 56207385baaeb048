import type { Database } from 'bun:sqlite';
import { credentialIdentity, mayMean } from '@manager/core/accounts/identity';
import type { ManualScope } from '../../../gateway/accounts/manual-changes.ts';
import type { AutoDisableMark } from './candidates.ts';

/** A credential that was to be disabled, or may just have been, until a person decided about it. */
export interface WithdrawnAutoDisable {
  readonly id: number;
  readonly file: string;
  readonly mark: AutoDisableMark;
}

interface Stored {
  readonly id: number;
  readonly auth_file_name: string;
  readonly provider: string;
  readonly auth_index: string;
  readonly account_id: string;
  readonly account_snapshot: string;
  readonly auto_disable_step: AutoDisableMark;
}

/** Inside a transaction of the caller: credentials of the scope are not disabled by themselves because of what was before. */
export function withdrawAutoDisables(db: Database, scope: ManualScope): readonly WithdrawnAutoDisable[] {
  const withdraw = db.query('UPDATE account_action_candidates SET auto_disable_step = NULL WHERE id = ?');
  return db
    .query<Stored, []>('SELECT * FROM account_action_candidates WHERE auto_disable_step IS NOT NULL')
    .all()
    .filter((row) => isMeant(row, scope))
    .map(({ id, auth_file_name: file, auto_disable_step: mark }) => {
      withdraw.run(id);
      return { id, file, mark };
    });
}

/** Inside a transaction of the caller: the change did not happen. */
export function restoreAutoDisables(db: Database, withdrawn: readonly WithdrawnAutoDisable[]): void {
  const restore = db.query(
    `UPDATE account_action_candidates
     SET auto_disable_step = ?
     WHERE id = ? AND status = 'pending' AND auto_disable_step IS NULL`,
  );
  for (const { id, mark } of withdrawn) restore.run(mark, id);
}

function isMeant(row: Stored, scope: ManualScope): boolean {
  if (scope.kind === 'all') return true;
  if (scope.kind === 'files') return scope.fileNames.includes(row.auth_file_name);
  const record = credentialIdentity({
    authFileName: row.auth_file_name,
    provider: row.provider,
    authIndex: row.auth_index,
    accountId: row.account_id,
    accountSnapshot: row.account_snapshot,
  });
  return scope.identities.some((identity) => mayMean(record, identity));
}
