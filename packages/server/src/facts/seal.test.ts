import { afterEach, beforeEach, expect, test } from 'bun:test';
import { FACT_COLUMN_NAMES, FACT_COLUMNS, type FactColumn } from './columns.ts';
import { encodeTail } from './seal.ts';
import { encodeSegment } from './segment/encode.ts';
import type { HashValue } from './segment/hashes.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

/** Several reads. */
const ROWS = 9_000;

type Value = number | string | Uint8Array;

let database: TestDatabase;

beforeEach(() => {
  database = createTestDatabase();
});
afterEach(() => database.dispose());

/** Values that need more bytes from some row on, so that a column is read in several widths. */
function numberAt(place: number, row: number): number {
  const step = Math.floor(row / 1_500);
  const wide = [200, 60_000, 3_000_000, 4_000_000_000, 2 ** 40, 5][(step + place) % 6] ?? 0;
  return place % 5 === 0 ? 0 : (row * 7 + place) % wide;
}

function valueAt(name: FactColumn, place: number, row: number): Value {
  switch (FACT_COLUMNS[name]) {
    case 'time':
      return row === 5_000 ? -8.64e15 : 1_773_100_800_000 + row * 40 - (row % 7);
    case 'text':
      // Only the second read has letters beyond ASCII, only the third one capitals.
      return row === 4_500 ? 'größe' : row === 8_700 && place % 2 === 0 ? 'REQ' : `req ${row % 800}`;
    case 'bytes':
      return row === 7_000 ? 'legacy' : new Bun.CryptoHasher('sha256').update(`${row}`).digest();
    case 'symbol':
      return numberAt(place, row) % (place % 3 === 0 ? 9 : 70_000);
    case 'hash32':
      return Math.imul(row, 0x9e37_79b1) >>> 0;
    default:
      return numberAt(place, row);
  }
}

test('a segment of rows that were read in parts is the one of all rows at once', () => {
  const { db } = database;
  const columns = new Map(
    FACT_COLUMN_NAMES.map((name, place) => [name, Array.from({ length: ROWS }, (_, row) => valueAt(name, place, row))]),
  );
  const insert = db.query(
    `INSERT INTO facts_tail (event_id, ${FACT_COLUMN_NAMES.join(', ')})
     VALUES (?${', ?'.repeat(FACT_COLUMN_NAMES.length)})`,
  );
  const idOf = (row: number) => 10 + row + Math.floor(row / 100);
  db.transaction(() => {
    for (let row = 0; row < ROWS; row++) {
      insert.run(idOf(row), ...FACT_COLUMN_NAMES.map((name) => columns.get(name)?.[row] ?? 0));
    }
  })();

  const sealed = encodeTail(db, ROWS);
  const whole = encodeSegment({
    eventIds: Float64Array.from({ length: ROWS }, (_, row) => idOf(row)),
    numbers: { get: (name) => Float64Array.from(columns.get(name) as number[]) },
    texts: { get: (name) => [columns.get(name) as string[]] },
    hashes: { get: (name) => [columns.get(name) as HashValue[]] },
  });
  expect(sealed?.columns.map(plain)).toEqual(whole.map(plain));
  expect(whole.map(({ encoding }) => encoding.replace('+zstd', ''))).toContain('offset64');
});

function plain({ data, ...column }: { readonly data: Uint8Array }) {
  return { ...column, data: Buffer.from(data).toString('base64') };
}
