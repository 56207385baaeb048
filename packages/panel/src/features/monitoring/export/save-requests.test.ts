import { expect, test } from 'bun:test';
import {
  EXPORT_DELETED_HEADER,
  EXPORT_FORMATS,
  EXPORT_ROWS_HEADER,
  REQUEST_EXPORT_PATH,
} from '@manager/core/contract/constants';
import type { ExportFormat } from '@manager/core/contract/monitoring/request-export';
import { type SaveProgress, saveRequests } from './save-requests.ts';

const RANGE = { from_ms: 1, to_ms: 2, time_zone: 'UTC' };
const encoder = new TextEncoder();

interface Answer {
  readonly pieces: readonly (string | Error)[];
  readonly format?: ExportFormat;
  /** null = the answer has no such header. */
  readonly rows?: number | null;
  readonly deleted?: number;
  readonly write?: () => Promise<void>;
  readonly build?: () => Promise<typeof RANGE>;
}

/** Saves an answer of these pieces; what came of the file, and whether the rest of the answer was canceled. */
async function save({ pieces, format = 'jsonl', rows = 2, deleted = 0, write, build = async () => RANGE }: Answer) {
  const left = [...pieces];
  const state = { text: '', file: 'open', canceled: false, asked: [] as string[], progress: [] as SaveProgress[] };
  const body = new ReadableStream<Uint8Array>({
    pull(out) {
      const piece = left.shift();
      if (piece === undefined) out.close();
      else if (piece instanceof Error) out.error(piece);
      else out.enqueue(encoder.encode(piece));
    },
    cancel() {
      state.canceled = true;
    },
  });
  const headers = {
    ...(rows === null ? {} : { [EXPORT_ROWS_HEADER]: String(rows) }),
    [EXPORT_DELETED_HEADER]: String(deleted),
  };
  const result = await saveRequests({
    client: {
      open: async (path) => {
        state.asked.push(path);
        return new Response(body, { headers });
      },
    },
    buildRequest: async () => ({ ...(await build()), format }),
    sink: {
      kind: 'memory',
      write:
        write ??
        (async (bytes) => {
          state.text += new TextDecoder().decode(bytes);
        }),
      close: async (name) => {
        state.file = name;
        return name;
      },
      discard: async () => {
        state.file = 'discarded';
      },
    },
    name: 'requests.file',
    signal: new AbortController().signal,
    onProgress: (progress) => state.progress.push(progress),
  }).catch((error: unknown) => error);
  return { ...state, result };
}

test('a complete answer becomes the file, and its progress is shown', async () => {
  const saved = await save({ pieces: ['{"a":1}\n{"b"', ':2}\n'], deleted: 3 });
  expect(saved).toMatchObject({ file: 'requests.file', text: '{"a":1}\n{"b":2}\n', result: { rows: 2, deleted: 3 } });
  expect(saved.asked).toEqual([REQUEST_EXPORT_PATH]);
  expect(saved.progress.map(({ rows }) => rows)).toEqual([1, 2]);
});

test('a table may have texts of several lines, and no request at all', async () => {
  const table = await save({ format: 'csv', pieces: ['time,text\r\n1,"a\nb"\r\n', '2,c\r\n'] });
  expect(table).toMatchObject({ file: 'requests.file', result: { rows: 2 } });
  for (const format of EXPORT_FORMATS) {
    const empty = await save({ format, rows: 0, pieces: format === 'csv' ? ['time,text\r\n'] : [] });
    expect(empty).toMatchObject({ file: 'requests.file', result: { rows: 0 } });
  }
});

test.each([
  ['that breaks off', { pieces: ['{"a":1}\n', new Error('reset')] }],
  ['that was cut within its last line', { pieces: ['{"a":1}\n', '{"b":'] }],
  ['that was cut between two lines', { pieces: ['{"a":1}\n'] }],
  ['with a line too many', { pieces: ['{"a":1}\n', '{"b":2}\n', '{"export_failed":true}\n'] }],
  ['of a table that was cut between two rows', { format: 'csv', pieces: ['time,text\r\n', '1,a\r\n'] }],
] as const)('an answer %s is no file', async (_, answer) => {
  expect(await save(answer)).toMatchObject({ file: 'discarded', result: { kind: 'cut' } });
});

test('what cannot be written is not read to its end', async () => {
  const write = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  const saved = await save({ pieces: ['{"a":1}\n', '{"b":2}\n', '{"c":3}\n'], write });
  expect(saved).toMatchObject({ file: 'discarded', canceled: true, result: { kind: 'disk' } });
});

test('an answer that is no export is not read', async () => {
  const saved = await save({ pieces: ['<html>\n', '</html>\n'], rows: null });
  expect(saved).toMatchObject({
    file: 'discarded',
    canceled: true,
    text: '',
    result: { message: 'the answer is no export' },
  });
});

test('a request that cannot be built leaves no file', async () => {
  const saved = await save({ pieces: [], build: () => Promise.reject(new Error('no names')) });
  expect(saved).toMatchObject({ file: 'discarded', asked: [], result: { message: 'no names' } });
});
