import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import type { Figure } from '../lib/figures.ts';
import type { Measure } from './measure.ts';

/** Tables and indexes by what they are for; a name that is not listed counts as the rest. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'raw rows': ['usage_events'],
  'index of their time': ['usage_events_time'],
  'identity ledger': ['usage_event_identity_ledger'],
  'sealed facts': ['fact_segments', 'fact_segment_columns', 'sqlite_autoindex_fact_segment_columns_1'],
  'facts not sealed yet': ['facts_tail'],
  'symbols and words': ['symbols', 'sqlite_autoindex_symbols_1', 'detail_words', 'sqlite_autoindex_detail_words_1'],
  'hourly core': ['hourly_core'],
};

/** Bytes per event, by part of the file. */
export const measureDisk: Measure = async ({ base }) => {
  const db = new Database(base.path, { readonly: true });
  try {
    const tables = db
      .query<{ name: string; bytes: number }, []>('SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE')
      .all();
    const sizes = new Map(tables.map(({ name, bytes }) => [name, bytes]));
    const used = tables.reduce((sum, { bytes }) => sum + bytes, 0);
    const file = statSync(base.path).size;
    const sealed = db
      .query<{ rows: number }, []>('SELECT coalesce(sum(row_count), 0) AS rows FROM fact_segments')
      .get();
    const tail = base.events - (sealed?.rows ?? 0);
    const perEvent = (name: string, bytes: number, events = base.events): Figure => ({
      name,
      value: events === 0 ? 0 : bytes / events,
      unit: 'B/event',
    });
    let listed = 0;
    const parts = Object.entries(PARTS).map(([part, names]) => {
      const bytes = names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
      listed += bytes;
      if (part === 'sealed facts')
        return perEvent(`${part} (of ${count(sealed?.rows ?? 0)})`, bytes, sealed?.rows ?? 0);
      if (part === 'facts not sealed yet') return perEvent(`${part} (of ${count(tail)})`, bytes, tail);
      return perEvent(part, bytes);
    });
    return {
      figures: [
        { ...perEvent('whole file', file), bar: { atMost: 500 } },
        ...parts,
        perEvent('other tables', used - listed),
        perEvent('free pages', file - used),
      ],
      details: { fileBytes: file, tables },
    };
  } finally {
    db.close();
  }
};

function count(rows: number): string {
  return rows.toLocaleString('en');
}
