import { describe, expect, test } from 'bun:test';
import { NO_FILTERS } from '../../../facts/query.ts';
import type { ExportStart, RequestPage } from './queries/request-pages.ts';
import type { ExportQuery } from './request.ts';
import { type RequestPages, requestFile } from './request-file.ts';

const QUERY: ExportQuery = {
  fromMs: 0,
  toMs: 10,
  timeZone: '',
  filters: NO_FILTERS,
  search: { query: '', apiKeyHash: '' },
  format: 'jsonl',
  masked: true,
  maskOrder: [],
};
const start = (rows: number): ExportStart => ({ rows, deleted: 0, lastId: 9, priceRevision: 1, key: 'k' });

/** Pages of one row; the asked cursors are noted. */
function pagesOf(texts: readonly (string | Error)[], asked: unknown[] = []): RequestPages {
  return {
    startRequestExport: async () => start(texts.length),
    requestExportPage: async ({ cursor }): Promise<RequestPage> => {
      asked.push(cursor);
      const text = texts[asked.length - 1];
      if (text === undefined || text instanceof Error) throw text ?? new Error('no page left');
      const next = asked.length < texts.length ? { timestampMs: 9 - asked.length, eventId: 1 } : null;
      return { lines: new TextEncoder().encode(text), rows: 1, next, isForgotten: false };
    },
  };
}

async function read(file: AsyncIterable<Uint8Array>): Promise<{ text: string; error: string }> {
  let text = '';
  try {
    for await (const piece of file) text += new TextDecoder().decode(piece);
    return { text, error: '' };
  } catch (error) {
    return { text, error: String(error) };
  }
}

const open = (pages: RequestPages, rows: number, query = QUERY, signal = new AbortController().signal) =>
  read(requestFile(pages, query, start(rows), signal));

describe('the file of an export', () => {
  test('is its pages, one after the other, each from the end of the one before', async () => {
    const asked: unknown[] = [];
    expect(await open(pagesOf(['a\n', 'b\n', 'c\n'], asked), 3)).toEqual({ text: 'a\nb\nc\n', error: '' });
    expect(asked).toEqual([null, { timestampMs: 8, eventId: 1 }, { timestampMs: 7, eventId: 1 }]);
  });

  test('needs the names to mask once more only where a page has forgotten them', async () => {
    const query = { ...QUERY, maskOrder: [{ accounts: ['a'], files: [], projects: [] }] };
    const sent: unknown[] = [];
    const page = { lines: new TextEncoder().encode('a\n'), rows: 1, next: { timestampMs: 1, eventId: 1 } };
    const pages: RequestPages = {
      startRequestExport: async () => start(3),
      requestExportPage: async (args) => {
        sent.push(args.query.maskOrder);
        const isForgotten = sent.length === 2;
        return isForgotten ? { ...page, lines: new Uint8Array(0), rows: 0, isForgotten } : { ...page, isForgotten };
      },
    };
    expect(await open(pages, 3, query)).toEqual({ text: 'a\na\na\n', error: '' });
    expect(sent).toEqual([null, null, query.maskOrder, null]);
  });

  test('of a table without rows is its head', async () => {
    const { text, error } = await open(pagesOf([]), 0, { ...QUERY, format: 'csv' });
    expect(error).toBe('');
    expect(text.startsWith('time,timestamp_ms,event_hash')).toBe(true);
    expect(text.split('\r\n')).toHaveLength(2);
  });

  test.each([
    ['a page that fails', ['a\n', new Error('disk')], 2, 'disk'],
    ['rows that are missing', ['a\n', 'b\n'], 3, '2 of 3 requests were found'],
  ] as const)('%s shows in its last line, and the answer fails', async (_, texts, rows, reason) => {
    const { text, error } = await open(pagesOf(texts), rows);
    expect(error).toContain(reason);
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      export_failed: true,
      rows: texts.filter((one) => typeof one === 'string').length,
      of: rows,
    });
    const table = await open(pagesOf(texts), rows, { ...QUERY, format: 'csv' });
    expect(table.text).toContain('EXPORT FAILED');
  });

  test('is not written to a client that went away', async () => {
    const controller = new AbortController();
    controller.abort();
    const { text } = await open(pagesOf([new Error('aborted')]), 1, QUERY, controller.signal);
    expect(text).toBe('');
  });
});
