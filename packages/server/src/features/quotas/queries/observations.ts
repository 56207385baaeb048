import type { Database } from 'bun:sqlite';
import { observationText, type QuotaObservation } from '@manager/core/accounts/quota/observation';
import { sha256Hex } from '../../../platform/sha256.ts';

/** Equal for equal observations. 128 bits, in hexadecimal. */
export function observationHash(observation: QuotaObservation): string {
  return sha256Hex(observationText(observation)).slice(0, 32);
}

/** By the unique key. Null when it is unknown. */
export function findObservation(db: Database, accountNumber: number, hash: string): number | null {
  const row = db
    .query<{ number: number }, [number, Uint8Array]>(
      'SELECT number FROM quota_observations WHERE account_number = ? AND hash = ?',
    )
    .get(accountNumber, Buffer.from(hash, 'hex'));
  return row === null ? null : row.number;
}

/** @returns its number */
export function addObservation(
  db: Database,
  accountNumber: number,
  hash: string,
  { observedAtMs, observationId }: Pick<QuotaObservation, 'observedAtMs' | 'observationId'>,
): number {
  const { lastInsertRowid } = db
    .query('INSERT INTO quota_observations (account_number, observed_at_ms, hash, observation_id) VALUES (?, ?, ?, ?)')
    .run(accountNumber, observedAtMs, Buffer.from(hash, 'hex'), observationId);
  return Number(lastInsertRowid);
}
