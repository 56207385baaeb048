import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { isAccountingCandidate, reaccount } from '@manager/core/usage/reaccount';
import type { FactChange } from '../../facts/rewrite.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import { factTokens, TOKEN_FLAGS, tokenFlags } from '../ingest/fact-row.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { BATCH_EVENTS, withinBudget } from './budget.ts';
import { correctFacts, unsealedRows } from './correct-facts.ts';
import { CACHE_ACCOUNTING, type DataMigrationState } from './state.ts';
import type { StepResult } from './step-result.ts';

interface RawRow {
  readonly id: number;
  readonly detail: Uint8Array;
}

/**
 * Events of an earlier format get the current cache accounting: mode, buckets and derived total, from the reported
 * counts and the original item. First the newest event that may be wrong is searched, because later events are correct;
 * then all events that need a change are noted; then they are changed. The new values are computed again at that
 * moment, so nothing stale is written.
 */
export function stepCacheAccounting(context: IngestContext, state: DataMigrationState): StepResult {
  switch (state.status) {
    case 'discovering':
      return { state: discover(context.db, state) };
    case 'pending':
    case 'running':
      return { state: scan(context, { ...state, status: 'running' }) };
    case 'applying':
      return apply(context, state);
    case 'clearing':
      return { state: clear(context.db, state) };
    case 'failed':
      return stepCacheAccounting(context, { ...state, status: resumed(state) });
    case 'completed':
      return { state };
  }
}

/** The status to resume with after a failure: the counters show the progress. */
function resumed(state: DataMigrationState): DataMigrationState['status'] {
  if (state.targetEventId === 0) return 'discovering';
  if (state.appliedRows < state.changedRows) return 'applying';
  if (state.lastEventId < state.targetEventId) return 'running';
  return state.changedRows > 0 ? 'clearing' : 'pending';
}

function discover(db: Database, state: DataMigrationState): DataMigrationState {
  const { lastEventId: from } = state;
  // By the primary key, backwards.
  const rows = db
    .query<RawRow, [number, number]>(
      `SELECT id, detail
       FROM usage_events
       WHERE id < ?
       ORDER BY id DESC
       LIMIT ?`,
    )
    .all(from === 0 ? Number.MAX_SAFE_INTEGER : from, BATCH_EVENTS);
  const decode = eventDecoder(db);
  const found = rows.find((row) => isAccountingCandidate(decode(row.detail, { raw: false })));
  if (found !== undefined) return { ...state, status: 'pending', lastEventId: 0, targetEventId: found.id };
  const oldest = rows.at(-1);
  if (oldest === undefined) return { ...state, status: 'completed', lastEventId: 0 };
  return { ...state, status: 'discovering', lastEventId: oldest.id };
}

function scan({ db, now }: IngestContext, state: DataMigrationState): DataMigrationState {
  const { lastEventId, targetEventId } = state;
  // By the primary key.
  const rows = db
    .query<RawRow, [number, number, number]>(
      `SELECT id, detail
       FROM usage_events
       WHERE id > ? AND id <= ?
       ORDER BY id
       LIMIT ?`,
    )
    .all(lastEventId, targetEventId, BATCH_EVENTS);
  const note = db.query(
    'INSERT INTO usage_data_migration_changes (name, event_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const decode = eventDecoder(db);
  let changed = 0;
  const looked = withinBudget(rows, now, ({ id, detail }) => {
    // The original is unpacked for candidates only.
    if (!isAccountingCandidate(decode(detail, { raw: false }))) return;
    const event = decode(detail);
    if (reaccount(event) !== event) changed += note.run(CACHE_ACCOUNTING, id).changes;
  });
  // The target itself may have been deleted meanwhile.
  const isEnd = looked.length === rows.length && rows.length < BATCH_EVENTS;
  const scanned: DataMigrationState = {
    ...state,
    lastEventId: isEnd ? targetEventId : (looked.at(-1)?.id ?? targetEventId),
    processedRows: state.processedRows + looked.length,
    changedRows: state.changedRows + changed,
  };
  if (scanned.lastEventId < targetEventId) return scanned;
  return { ...scanned, status: scanned.changedRows > 0 ? 'applying' : 'completed' };
}

function apply({ db, events, now }: IngestContext, state: DataMigrationState): StepResult {
  const { lastEventId, targetEventId } = state;
  // By the primary key of both. An event that was deleted after it was noted keeps its fact.
  const noted = db
    .query<{ id: number; detail: Uint8Array | null }, [string, number]>(
      `SELECT c.event_id AS id, e.detail
       FROM usage_data_migration_changes AS c
       LEFT JOIN usage_events AS e ON e.id = c.event_id
       WHERE c.name = ?
       ORDER BY c.event_id
       LIMIT ?`,
    )
    .all(CACHE_ACCOUNTING, BATCH_EVENTS);
  const newest = noted.at(-1);
  if (newest === undefined) {
    return { state: { ...state, status: lastEventId < targetEventId ? 'running' : 'clearing' } };
  }
  const sealRows = unsealedRows(db, newest.id, targetEventId);
  if (sealRows > 0) return { state: { ...state, status: 'applying' }, sealRows };
  const decode = eventDecoder(db);
  const changes: FactChange[] = [];
  const done = withinBudget(noted, now, ({ id, detail }) => {
    if (detail === null) return;
    const event = decode(detail);
    const right = reaccount(event);
    if (right === event) return;
    events.correct(right, id);
    changes.push(factChange(id, right));
  });
  correctFacts(db, changes);
  db.query('DELETE FROM usage_data_migration_changes WHERE name = ? AND event_id <= ?').run(
    CACHE_ACCOUNTING,
    done.at(-1)?.id ?? 0,
  );
  return { state: { ...state, status: 'applying', appliedRows: state.appliedRows + done.length } };
}

function factChange(eventId: number, event: UsageEvent): FactChange {
  const flags = { mask: TOKEN_FLAGS, bits: tokenFlags(event) };
  return { eventId, values: factTokens(event), flags };
}

/** No derived data is in the old form; only notes without an event may be left. */
function clear(db: Database, state: DataMigrationState): DataMigrationState {
  const { changes } = db
    .query(
      `DELETE FROM usage_data_migration_changes
       WHERE name = ?1 AND event_id IN (
         SELECT event_id FROM usage_data_migration_changes WHERE name = ?1 ORDER BY event_id LIMIT ?2
       )`,
    )
    .run(CACHE_ACCOUNTING, BATCH_EVENTS);
  return { ...state, status: changes < BATCH_EVENTS ? 'completed' : 'clearing' };
}
