import type { Database } from 'bun:sqlite';
import type { QuotaProvider } from '@manager/core/accounts/provider';
import { EMPTY_QUOTA_STATE, type QuotaState } from '@manager/core/accounts/quota/lifecycle-state';
import type { Runs } from '../runs.ts';
import { decodeRuns, encodeRuns } from '../runs-codec.ts';
import { decodeState, encodeState } from '../state-codec.ts';

/** An account at a provider. */
export interface AccountName {
  readonly accountKey: string;
  readonly provider: QuotaProvider;
}

export interface StoredAccount {
  readonly number: number;
  readonly runs: Runs | null;
}

/** By the primary key. */
const FIND_SQL = `
SELECT number, runs
FROM quota_accounts
WHERE account_key = ? AND provider = ?`;

export function findAccount(db: Database, { accountKey, provider }: AccountName): StoredAccount | null {
  const row = db.query<{ number: number; runs: string | null }, [string, string]>(FIND_SQL).get(accountKey, provider);
  if (row === null) return null;
  return { number: row.number, runs: row.runs === null ? null : decodeRuns(row.runs) };
}

/** @returns its number */
export function addAccount(db: Database, { accountKey, provider }: AccountName): number {
  const row = db
    .query<{ number: number }, [string, string]>(
      `INSERT INTO quota_accounts (account_key, provider, number)
       SELECT ?, ?, ifnull(max(number), 0) + 1 FROM quota_accounts
       RETURNING number`,
    )
    .get(accountKey, provider);
  if (row === null) throw new Error('no account was inserted');
  return row.number;
}

export function writeRuns(db: Database, { accountKey, provider }: AccountName, runs: Runs | null): void {
  db.query('UPDATE quota_accounts SET runs = ? WHERE account_key = ? AND provider = ?').run(
    runs === null ? null : encodeRuns(runs),
    accountKey,
    provider,
  );
}

export function readState(db: Database, accountNumber: number): QuotaState {
  const row = db
    .query<{ state: string }, [number]>('SELECT state FROM quota_states WHERE account_number = ?')
    .get(accountNumber);
  return row === null ? EMPTY_QUOTA_STATE : decodeState(row.state);
}

export function writeState(db: Database, accountNumber: number, state: QuotaState): void {
  db.query(
    `INSERT INTO quota_states (account_number, state) VALUES (?, ?)
     ON CONFLICT (account_number) DO UPDATE SET state = excluded.state`,
  ).run(accountNumber, encodeState(state));
}
