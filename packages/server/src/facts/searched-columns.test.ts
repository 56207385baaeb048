import { describe, expect, test } from 'bun:test';
import { foldText, isFolded } from './case-folding.ts';
import type { FactColumn } from './columns.ts';
import { searchedSegment } from './searched-columns.ts';
import { encodeHashes, type HashValue } from './segment/hashes.ts';
import { encodeTexts } from './segment/texts.ts';

/** A segment with one text column that counts its reads. */
function segmentOf(texts: readonly string[], hashes: readonly HashValue[] = []) {
  const columns = new Map<FactColumn, { readonly layout: string; readonly payload: Uint8Array }>([
    ['fail_summary', encodeTexts(texts, isFolded)],
    ['event_hash', encodeHashes(hashes)],
  ]);
  const reads: string[] = [];
  const kept = new Map<string, unknown>();
  const searched = searchedSegment({
    rows: Math.max(texts.length, hashes.length),
    read(column: FactColumn) {
      reads.push(column);
      const stored = columns.get(column);
      if (stored === undefined) throw new Error(`no column ${column}`);
      // The reader of a column may release it.
      return { layout: stored.layout, payload: stored.payload.slice() };
    },
    hasOpaqueHashes: () => columns.get('event_hash')?.layout === 'hashes+opaque',
    kept<Value>(name: string, make: () => Value): Value {
      if (!kept.has(name)) kept.set(name, make());
      return kept.get(name) as Value;
    },
  });
  return { searched, reads, layout: columns.get('fail_summary')?.layout };
}

function rowsOf(mask: Uint8Array): number[] {
  return [...mask.entries()].filter(([, set]) => set === 1).map(([row]) => row);
}

function rowsWith(texts: readonly string[], query: string): number[] {
  return [...texts.keys()].filter((row) => foldText(texts[row] ?? '').includes(query));
}

const HEX = Array.from({ length: 60 }, (_, row) => Bun.SHA256.hash(String(row), 'hex').slice(0, 4 + (row % 20)));
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'texts-folded': ['', ...HEX, 'ünlü', '超时', 'a%b_c'],
  'texts-ascii': ['', ...HEX.map((text, row) => (row % 3 === 0 ? `${text}-FRA` : text)), 'AbAbAbAbAbAb', 'aBaBaB', 'Q'],
  texts: ['', ...HEX, 'École', 'éCOLE', 'ΟΔΟΣ', 'οδος', 'İx', 'K (Kelvin)', 'ABAB'],
};

describe('texts of a sealed segment', () => {
  for (const [layout, texts] of Object.entries(COLUMNS)) {
    test(`${layout}: every part of every text is found, and nothing else`, () => {
      const segment = segmentOf(texts);
      expect(segment.layout).toBe(layout);
      const parts = texts.map(foldText).flatMap((text) => {
        const characters = Array.from(text);
        return [1, 2, 3, 4, 7, characters.length].flatMap((length) =>
          characters.flatMap((_, from) => characters.slice(from, from + length).join('')),
        );
      });
      const absent = ['zz', '0z', 'no such text', 'fraa', 'ababx', '雷', 'x'.repeat(100)];
      for (const query of new Set([...parts, ...absent].filter((part) => part !== ''))) {
        const mask = new Uint8Array(texts.length);
        segment.searched.markTexts('fail_summary', new TextEncoder().encode(query), mask);
        expect([query, rowsOf(mask)]).toEqual([query, rowsWith(texts, query)]);
      }
    });
  }

  test('is not read where no text can contain the query', () => {
    const { searched, reads } = segmentOf(['req_01', 'req_02', 'beef-FRA']);
    const mask = new Uint8Array(3);
    const search = (query: string) => searched.markTexts('fail_summary', new TextEncoder().encode(query), mask);
    search('req');
    expect([rowsOf(mask), reads.length]).toEqual([[0, 1], 1]);
    for (const query of ['ann@', 'limit reached', '超时', 'req_01req_02', 'rE']) search(query);
    expect(reads.length).toBe(1);
    search('fra');
    expect([rowsOf(mask), reads.length]).toEqual([[0, 1, 2], 2]);
  });
});

describe('hashes of a sealed segment', () => {
  const hashes = Array.from({ length: 20 }, (_, row) => new Uint8Array(Bun.SHA256.hash(String(row)).buffer));
  const texts = hashes.map((hash) => Buffer.from(hash).toString('hex'));

  test('are read for digits alone', () => {
    const { searched, reads } = segmentOf([], hashes);
    const mask = new Uint8Array(hashes.length);
    searched.markHashes('limit', mask);
    searched.markOpaqueHashes('beef', mask);
    expect([rowsOf(mask), reads]).toEqual([[], []]);
    const digits = texts[7]?.slice(11, 18) ?? '';
    searched.markHashes(digits, mask);
    expect([rowsOf(mask), reads]).toEqual([rowsWith(texts, digits), ['event_hash']]);
  });

  test('that are texts are searched as such', () => {
    const mixed = [...hashes.slice(0, 3), 'Legacy-beef'];
    const { searched } = segmentOf([], mixed);
    for (const [query, rows] of [
      ['legacy', [3]],
      ['beef', [3]],
    ] as const) {
      const mask = new Uint8Array(mixed.length);
      searched.markHashes(query, mask);
      expect(rowsOf(mask)).toEqual([...rows]);
    }
    const mask = new Uint8Array(mixed.length);
    searched.markOpaqueHashes(texts[1]?.slice(0, 6) ?? '', mask);
    expect(rowsOf(mask)).toEqual([]);
  });
});
