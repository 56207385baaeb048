import type { Database } from 'bun:sqlite';
import { isAcceptableHash } from '@manager/core/usage/identity';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { hashKey } from '../../../events/ingest/hash-key.ts';
import { createOfflineImportInserter } from '../../../events/ingest/import-events.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import type { SourceShape } from './format.ts';
import type { ForeignSource } from './source.ts';
import type { CellReader, ForeignRow } from './values.ts';

export interface ForeignAlias {
  readonly apiKeyHash: string;
  readonly alias: string;
  readonly updatedAtMs: number | null;
}

/** Names of client keys; only format A has them. */
export function readForeignAliases(db: Database, shape: SourceShape, cells: CellReader): ForeignAlias[] {
  if (!shape.columns('api_key_aliases').has('alias')) return [];
  const rows = db.query<ForeignRow, []>('SELECT * FROM api_key_aliases ORDER BY api_key_hash').all();
  return rows.map((row) => ({
    apiKeyHash: cells.text(row, 'api_key_hash').trim(),
    alias: cells.text(row, 'alias').trim(),
    updatedAtMs: cells.optionalInteger(row, 'updated_at_ms'),
  }));
}

export interface DeadLetterImport {
  readonly read: number;
  readonly added: number;
  readonly skipped: number;
  /** Still no events; they are not imported. */
  readonly kept: number;
}

export interface ExtraOptions {
  readonly hourlyRollup: boolean;
  readonly now: () => number;
  readonly beforePage: () => Promise<void>;
}

/** A payload can be 10 MiB. */
const LETTER_ROWS = 20;

export async function countDeadLetters(source: ForeignSource, shape: SourceShape): Promise<number> {
  if (!hasDeadLetters(shape)) return 0;
  return source.read(
    (db) => db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM dead_letter_events').get()?.rows ?? 0,
  );
}

function hasDeadLetters(shape: SourceShape): boolean {
  return shape.columns('dead_letter_events').has('payload');
}

/** Reads the other tool's unreadable records. A payload may contain keys, so only resulting events are stored. */
export async function replayForeignDeadLetters(
  db: Database,
  source: ForeignSource,
  shape: SourceShape,
  cells: CellReader,
  options: ExtraOptions,
): Promise<DeadLetterImport> {
  const total = { read: 0, added: 0, skipped: 0, kept: 0 };
  if (!hasDeadLetters(shape)) return total;
  const inserter = createOfflineImportInserter(db, options);
  const createdAt = shape.columns('dead_letter_events').has('created_at_ms') ? 'created_at_ms' : 'NULL';
  const sql = `SELECT rowid AS row_id, payload, ${createdAt} AS created_at_ms FROM dead_letter_events
    WHERE rowid > ? ORDER BY rowid LIMIT ${LETTER_ROWS}`;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    await options.beforePage();
    const page = await source.read((foreign) => foreign.query<ForeignRow, [number]>(sql).all(after));
    if (page.length === 0) return total;
    const events = page.flatMap((row) => {
      const nowMs = cells.optionalInteger(row, 'created_at_ms') ?? options.now();
      const outcome = readRecord(cells.text(row, 'payload'), { nowMs, sha256Hex });
      return outcome.kind === 'event' ? [prepareForInsert(outcome.event).event] : [];
    });
    const { added, skipped, failed } = inserter.insert(events);
    total.read += page.length;
    total.added += added;
    total.skipped += skipped;
    total.kept += page.length - events.length + failed;
    after = cells.integer(page.at(-1) ?? {}, 'row_id');
  }
}

export interface LedgerImport {
  readonly read: number;
  readonly added: number;
}

const LEDGER_ROWS = 1_000;

/** Id in our ledger for an identity without an event. */
const NO_EVENT = 0;

/**
 * Imports identities whose raw row is gone at the source, without facts: those events count as known here and are never
 * imported again, not even from their archive files.
 */
export async function importLedger(
  db: Database,
  source: ForeignSource,
  shape: SourceShape,
  cells: CellReader,
  options: Pick<ExtraOptions, 'beforePage'>,
): Promise<LedgerImport> {
  const total = { read: 0, added: 0 };
  const columns = shape.columns('usage_event_identity_ledger');
  if (!columns.has('event_hash')) return total;
  const time = columns.has('timestamp_ms') ? 'timestamp_ms' : '0';
  const sql = `SELECT event_hash, ${time} AS timestamp_ms FROM usage_event_identity_ledger AS ledger
    WHERE event_hash > ? AND NOT EXISTS (SELECT 1 FROM usage_events WHERE event_hash = ledger.event_hash)
    ORDER BY event_hash LIMIT ${LEDGER_ROWS}`;
  const insert = db.query(
    `INSERT INTO usage_event_identity_ledger (event_hash, event_id, timestamp_ms) VALUES (?, ${NO_EVENT}, ?)
     ON CONFLICT DO NOTHING`,
  );
  let after = '';
  for (;;) {
    await options.beforePage();
    const page = await source.read((foreign) => foreign.query<ForeignRow, [string]>(sql).all(after));
    if (page.length === 0) return total;
    db.transaction(() => {
      for (const row of page) {
        const hash = cells.text(row, 'event_hash').trim();
        if (!isAcceptableHash(hash)) continue;
        total.added += insert.run(hashKey(hash), cells.integer(row, 'timestamp_ms')).changes;
      }
    }).immediate();
    total.read += page.length;
    after = String(page.at(-1)?.event_hash ?? '');
  }
}
