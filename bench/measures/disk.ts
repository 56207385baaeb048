import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { atMost, declareMeasure, type Measured } from '../measure.ts';

/** Tables and indexes by purpose. */
const PARTS = {
  'raw rows': ['usage_events'],
  'index of their time': ['usage_events_time'],
  'identity ledger': ['usage_event_identity_ledger'],
  'sealed facts': ['fact_segments', 'fact_segment_columns', 'sqlite_autoindex_fact_segment_columns_1'],
  'their sums': ['fact_segment_sums', 'sqlite_autoindex_fact_segment_sums_1'],
  'facts not sealed yet': ['facts_tail'],
  'symbols and words': ['symbols', 'sqlite_autoindex_symbols_1', 'detail_words', 'sqlite_autoindex_detail_words_1'],
  'hourly rollup': ['hourly_core'],
} as const satisfies Record<string, readonly string[]>;

type Part = keyof typeof PARTS;

const BYTES = { unit: 'B/event' };

export const disk = declareMeasure({
  name: 'disk',
  title: 'Disk',
  how: 'pages of each table and index for an event of the database; of sealed and unsealed facts for an event that is there',
  figures: {
    'whole file': { unit: 'B/event', bar: atMost(350) },
    ...(Object.fromEntries(Object.keys(PARTS).map((part) => [part, BYTES])) as Record<
      keyof typeof PARTS,
      typeof BYTES
    >),
    rest: BYTES,
  },
  async run({ base }) {
    const db = new Database(base.path, { readonly: true });
    const tables = db
      .query<{ name: string; bytes: number }, []>('SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE')
      .all();
    const sealed =
      db.query<{ rows: number }, []>('SELECT coalesce(sum(row_count), 0) AS rows FROM fact_segments').get()?.rows ?? 0;
    db.close();
    const file = statSync(base.path).size;
    const sizes = new Map(tables.map(({ name, bytes }) => [name, bytes]));
    const bytesOf = (part: Part) => PARTS[part].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
    const rows = new Map([
      ['sealed facts', sealed],
      ['their sums', sealed],
      ['facts not sealed yet', base.events - sealed],
    ]);
    const parts = (Object.keys(PARTS) as Part[]).map((part): readonly [Part, Measured] => {
      const events = rows.get(part);
      if (events === undefined) return [part, bytesOf(part) / base.events];
      return [part, { value: events === 0 ? 0 : bytesOf(part) / events, note: `of ${events.toLocaleString('en')}` }];
    });
    const listed = (Object.keys(PARTS) as Part[]).reduce((sum, part) => sum + bytesOf(part), 0);
    return {
      figures: {
        'whole file': file / base.events,
        ...(Object.fromEntries(parts) as Record<Part, Measured>),
        rest: (file - listed) / base.events,
      },
      details: { file, tables },
    };
  },
});
