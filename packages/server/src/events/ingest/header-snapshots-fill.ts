import type { WriterContext } from '../../sqlite/contexts.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import { readCounter, setCounter } from './counters.ts';
import { HeaderSnapshots } from './header-snapshots.ts';

/** Events of one step; unpacking takes about 10 ms. */
const STEP_EVENTS = 1_000;

/**
 * One step of filling the newest header snapshots from an older database: newest events first, because they contain
 * most accounts. Returns whether events are still missing.
 */
export function fillHeaderSnapshots({ db, now }: WriterContext, _args: null): { readonly behind: boolean } {
  const pending = readCounter(db, 'header_snapshots_pending_id');
  if (pending === 0) return { behind: false };
  // By the primary key, backwards.
  const rows = db
    .query<{ id: number; detail: Uint8Array }, [number, number]>(
      `SELECT id, detail
       FROM usage_events
       WHERE id <= ?
       ORDER BY id DESC
       LIMIT ?`,
    )
    .all(pending, STEP_EVENTS);
  const decode = eventDecoder(db);
  const snapshots = new HeaderSnapshots();
  for (const row of rows) snapshots.add(decode(row.detail, { raw: false }), row.id, now());
  snapshots.writeTo(db);
  const oldest = rows.at(-1)?.id ?? 1;
  setCounter(db, 'header_snapshots_pending_id', rows.length < STEP_EVENTS ? 0 : oldest - 1);
  return { behind: rows.length === STEP_EVENTS };
}
