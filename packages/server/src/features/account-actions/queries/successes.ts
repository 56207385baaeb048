import type { Database } from 'bun:sqlite';
import { type AccountSuccess, successKeys } from '@manager/core/accounts/failures/confirmation';

/** Inside the caller's transaction: keeps the newest success of every account. */
export function keepSuccesses(db: Database, successes: readonly AccountSuccess[]): void {
  const keep = db.query(
    `INSERT INTO account_successes (account, at_ms)
     VALUES (?, ?)
     ON CONFLICT (account) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)`,
  );
  for (const success of successes) for (const key of successKeys(success)) keep.run(key, success.atMs);
}

/** Start of the newest attempt of the account that succeeded. */
export function lastSuccess(db: Database, subject: Omit<AccountSuccess, 'atMs'>): number {
  const [key] = successKeys(subject);
  if (key === undefined) return Number.NEGATIVE_INFINITY;
  const row = db.query<{ at_ms: number }, [string]>('SELECT at_ms FROM account_successes WHERE account = ?').get(key);
  return row?.at_ms ?? Number.NEGATIVE_INFINITY;
}
