import type { Database } from 'bun:sqlite';

/**
 * Running totals that would need a scan.
 * - `events`: rows of `usage_events`
 * - `implausible_timestamps`: stored events with a time outside `[2000-01-01, arrival + 1 day]`
 * - `hourly_core_event_id`: the hourly rollup has every fact up to this id
 * - `header_snapshots_pending_id`: the newest header snapshots cover the events above this id
 * - `price_revision`: changes of the price table
 * - `quota_ids`: ids given to quota windows, their activations and cycles
 */
export type CounterName =
  | 'events'
  | 'implausible_timestamps'
  | 'hourly_core_event_id'
  | 'header_snapshots_pending_id'
  | 'price_revision'
  | 'quota_ids';

export function readCounter(db: Database, name: CounterName): number {
  return db.query<{ value: number }, [string]>('SELECT value FROM counters WHERE name = ?').get(name)?.value ?? 0;
}

export function addToCounter(db: Database, name: CounterName, amount: number): void {
  if (amount === 0) return;
  db.query(
    `INSERT INTO counters (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
  ).run(name, amount);
}

export function setCounter(db: Database, name: CounterName, value: number): void {
  db.query(
    `INSERT INTO counters (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(name, value);
}
