import type { Database } from 'bun:sqlite';
import { type AccountSuccess, latestMs, successKeys } from '@manager/core/accounts/failures/confirmation';
import type { ReaderContext } from '../../../sqlite/contexts.ts';

/** Inside the caller's transaction: keeps the newest success of every account. One from before a clock was set back gives way. */
export function keepSuccesses(db: Database, successes: readonly AccountSuccess[], nowMs: number): void {
  const keep = db.query(
    `INSERT INTO account_successes (account, at_ms)
     VALUES (?1, ?2)
     ON CONFLICT (account) DO UPDATE SET at_ms = iif(at_ms > ?3, ?2, max(at_ms, ?2))`,
  );
  for (const success of successes) {
    for (const key of successKeys(success)) keep.run(key, success.atMs, latestMs(nowMs));
  }
}

/** Start of the newest attempt of the account that succeeded. */
export function lastSuccess(db: Database, subject: Omit<AccountSuccess, 'atMs'>, nowMs: number): number {
  const [key] = successKeys(subject);
  if (key === undefined) return Number.NEGATIVE_INFINITY;
  const row = db
    .query<{ at_ms: number }, [string, number]>('SELECT at_ms FROM account_successes WHERE account = ? AND at_ms <= ?')
    .get(key, latestMs(nowMs));
  return row?.at_ms ?? Number.NEGATIVE_INFINITY;
}

export interface LastSuccessesArgs {
  readonly accounts: readonly Omit<AccountSuccess, 'atMs'>[];
  readonly nowMs: number;
}

/** Read operation: of each account, when its newest attempt that succeeded began; null = unknown. */
export function lastSuccesses({ db }: ReaderContext, { accounts, nowMs }: LastSuccessesArgs): (number | null)[] {
  return accounts
    .map((account) => lastSuccess(db, account, nowMs))
    .map((atMs) => (Number.isFinite(atMs) ? atMs : null));
}
