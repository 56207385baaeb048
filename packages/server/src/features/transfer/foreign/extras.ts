import type { Database } from 'bun:sqlite';
import { isAcceptableHash } from '@manager/core/usage/identity';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { hashKey } from '../../../events/ingest/hash-key.ts';
import { createOfflineImportInserter } from '../../../events/ingest/import-events.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { bytesOf, type SourceShape, selectable } from './format.ts';
import { rowIdsOf, startOfPage } from './row-ids.ts';
import { type ForeignSource, SourceDamaged } from './source.ts';
import type { CellReader, ForeignRow } from './values.ts';

export interface ForeignAlias {
  readonly apiKeyHash: string;
  readonly alias: string;
  readonly updatedAtMs: number | null;
}

/** Names of client keys; only format A has them. */
export function readForeignAliases(db: Database, shape: SourceShape, cells: CellReader): ForeignAlias[] {
  if (!shape.columns('api_key_aliases').has('alias')) return [];
  const columns = selectable(shape.columns('api_key_aliases'), ['api_key_hash', 'alias', 'updated_at_ms']);
  const rows = db.query<ForeignRow, []>(`SELECT ${columns} FROM api_key_aliases ORDER BY api_key_hash`).all();
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

/** Most payloads of one page, and their bytes. */
const LETTER_ROWS = 20;
const LETTER_BYTES = 32 * 1024 * 1024;
const COUNTED_ROWS = 10_000;

export async function countDeadLetters(source: ForeignSource, shape: SourceShape): Promise<number> {
  if (!hasDeadLetters(shape)) return 0;
  const ids = rowIdsOf({ table: 'dead_letter_events', id: 'rowid', limit: COUNTED_ROWS });
  let rows = 0;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const page = await source.read((db) => ids.after(db, after));
    const last = page.at(-1);
    if (last === undefined) return rows;
    rows += page.length;
    after = last.row_id;
  }
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
  const present = shape.columns('dead_letter_events');
  const bytes = bytesOf(present, ['payload']);
  const ids = rowIdsOf({ table: 'dead_letter_events', id: 'rowid', bytes, limit: LETTER_ROWS });
  const sql = `SELECT rowid AS row_id, ${selectable(present, ['payload', 'created_at_ms'])} FROM dead_letter_events
    WHERE rowid > ? AND rowid <= ? ORDER BY rowid`;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    await options.beforePage();
    const { page, last } = await source.read((foreign) => {
      const end = startOfPage(ids.after(foreign, after), LETTER_BYTES).at(-1)?.row_id;
      if (end === undefined) return { page: [], last: null };
      return { page: foreign.query<ForeignRow, [number, number]>(sql).all(after, end), last: end };
    });
    if (last === null) return total;
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
    after = last;
  }
}

export interface LedgerImport {
  readonly read: number;
  readonly added: number;
}

const LEDGER_ROWS = 1_000;

type LedgerRow = ForeignRow & { readonly bytes: Uint8Array };

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
  // Continued by the bytes of the text: invalid UTF-8 reads as another text, after which the same row would come again.
  const sql = `SELECT event_hash, CAST(event_hash AS BLOB) AS bytes, ${time} AS timestamp_ms
    FROM usage_event_identity_ledger AS ledger
    WHERE event_hash > CAST(? AS TEXT) AND typeof(event_hash) = 'text'
      AND NOT EXISTS (SELECT 1 FROM usage_events WHERE event_hash = ledger.event_hash)
    ORDER BY event_hash LIMIT ${LEDGER_ROWS}`;
  const insert = db.query(
    `INSERT INTO usage_event_identity_ledger (event_hash, event_id, timestamp_ms) VALUES (?, ${NO_EVENT}, ?)
     ON CONFLICT DO NOTHING`,
  );
  let after: Uint8Array = new Uint8Array();
  for (;;) {
    await options.beforePage();
    const page = await source.read((foreign) => foreign.query<LedgerRow, [Uint8Array]>(sql).all(after));
    if (page.length === 0) return total;
    for (const { bytes } of page) {
      if (Buffer.compare(bytes, after) <= 0) {
        throw new SourceDamaged('the rows of usage_event_identity_ledger are not in order');
      }
      after = bytes;
    }
    db.transaction(() => {
      for (const row of page) {
        const hash = cells.text(row, 'event_hash').trim();
        if (!isAcceptableHash(hash)) continue;
        total.added += insert.run(hashKey(hash), cells.integer(row, 'timestamp_ms')).changes;
      }
    }).immediate();
    total.read += page.length;
  }
}
