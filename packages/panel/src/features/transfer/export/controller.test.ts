import { describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { ApiError } from '../../../platform/api/errors.ts';
import {
  createMemorySink,
  type ExportSink,
  openDiskSink,
  type SaveHandle,
} from '../../../platform/browser/file-sink.ts';
import { createExportController, type ExportController, type ExportState, isExporting } from './controller.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const encoder = new TextEncoder();

/** A body of these pieces; an error aborts it, `never` waits until it is canceled. */
function bodyOf(pieces: readonly (string | Error | 'never')[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(body) {
      const piece = left.shift();
      if (piece === undefined) body.close();
      else if (piece instanceof Error) body.error(piece);
      else if (piece === 'never') return new Promise<void>(() => {});
      else body.enqueue(encoder.encode(piece));
      return undefined;
    },
  });
}

interface Saved {
  readonly name: string;
  readonly text: string;
}

interface Rig {
  readonly controller: ExportController;
  readonly saved: Saved[];
  readonly phases: ExportState['phase'][];
  readonly ended: () => Promise<ExportState>;
}

function rig(open: (signal: AbortSignal) => Promise<Response>, chooseSink?: () => Promise<ExportSink | null>): Rig {
  const saved: Saved[] = [];
  const phases: ExportState['phase'][] = [];
  const texts: Promise<void>[] = [];
  const save = (file: Blob, name: string) => {
    texts.push(file.text().then((text) => void saved.push({ name, text })));
  };
  const controller = createExportController({
    open,
    chooseSink: chooseSink ?? (async () => createMemorySink(save)),
    clock: () => 1_000,
    publish: ({ phase }) => phases.push(phase),
  });
  const ended = async () => {
    while (['choosing', 'starting', 'running'].includes(controller.state().phase)) await Bun.sleep(1);
    await Promise.all(texts);
    return controller.state();
  };
  return { controller, saved, phases, ended };
}

const answering = (pieces: readonly (string | Error | 'never')[], headers: Record<string, string> = NDJSON) =>
  rig(async (signal) => {
    const body = bodyOf(pieces);
    const reader = body.getReader();
    // Like fetch: the signal aborts the body too.
    const stream = new ReadableStream<Uint8Array>({
      async pull(out) {
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
        );
        const next = await Promise.race([reader.read(), aborted]);
        if (next.done) out.close();
        else out.enqueue(next.value);
      },
    });
    return new Response(stream, { headers });
  });

/** A file on disk that is invisible until it is complete. */
function fileHandle(content: string): { readonly handle: SaveHandle; readonly file: { text: string | null } } {
  const file: { text: string | null } = { text: content };
  return {
    file,
    handle: {
      name: 'mine.jsonl',
      getFile: async () => ({ size: file.text?.length ?? 0 }),
      remove: async () => {
        file.text = null;
      },
      createWritable: async () => {
        let written = '';
        return {
          write: async (bytes) => {
            written += new TextDecoder().decode(bytes);
          },
          close: async () => {
            file.text = written;
          },
          abort: async () => {},
        };
      },
    },
  };
}

describe('an export', () => {
  test('becomes a file with the name from the server, and counts its events', async () => {
    const { controller, saved, phases, ended } = answering(['{"a":1}\n{"b"', ':2}\n'], {
      ...NDJSON,
      'content-disposition': 'attachment; filename="all.jsonl"',
    });
    expect(controller.start()).toBe(true);
    expect(controller.start()).toBe(false);
    expect(await ended()).toMatchObject({ phase: 'completed', filename: 'all.jsonl', target: 'memory' });
    expect(saved).toEqual([{ name: 'all.jsonl', text: '{"a":1}\n{"b":2}\n' }]);
    expect(controller.progress()).toMatchObject({ bytes: 16, lines: 2 });
    expect(phases).toEqual(['choosing', 'starting', 'running', 'completed']);
    controller.dismiss();
    expect(controller.state().phase).toBe('idle');
  });

  test('of an empty database is an empty file', async () => {
    const { controller, saved, ended } = answering([]);
    controller.start();
    expect(await ended()).toMatchObject({ phase: 'completed', filename: 'usage-events.jsonl' });
    expect(saved).toEqual([{ name: 'usage-events.jsonl', text: '' }]);
  });

  test.each([
    ['that breaks off', ['{"a":1}\n', new Error('reset')]],
    ['whose last line has no end', ['{"a":1}\n', '{"b":']],
  ])('%s is no file', async (_, pieces) => {
    const { controller, saved, ended } = answering(pieces);
    controller.start();
    expect(await ended()).toMatchObject({ phase: 'failed', failure: { kind: 'cut' } });
    expect(saved).toEqual([]);
  });

  test('is no page of something in between', async () => {
    const { controller, ended } = answering(['<html></html>\n'], { 'content-type': 'text/html' });
    controller.start();
    expect(await ended()).toMatchObject({ phase: 'failed', failure: { kind: 'answer', error: { kind: 'shape' } } });
  });

  test('reports why there was no answer, and can be retried', async () => {
    const answers = [
      () => Promise.reject(new ApiError('status', 'busy', { path: 'x', atMs: 0, status: 503 })),
      () => Promise.resolve(new Response('', { headers: NDJSON })),
    ];
    const { controller, ended } = rig(() => answers.shift()?.() ?? Promise.reject(new Error('no more')));
    controller.start();
    expect(await ended()).toMatchObject({ phase: 'failed', failure: { kind: 'answer', error: { status: 503 } } });
    controller.start();
    expect(await ended()).toMatchObject({ phase: 'completed', failure: null });
  });

  test('can be cancelled, and leaves nothing', async () => {
    const { controller, saved, ended } = answering(['{"a":1}\n', 'never']);
    controller.start();
    while (controller.progress().bytes === 0) await Bun.sleep(1);
    expect(isExporting(controller.state())).toBe(true);
    controller.cancel();
    expect((await ended()).phase).toBe('cancelled');
    expect(saved).toEqual([]);
  });

  test('that was stopped reports nothing afterwards', async () => {
    const { controller } = answering(['{"a":1}\n', 'never']);
    controller.start();
    while (controller.progress().bytes === 0) await Bun.sleep(1);
    controller.stop();
    await Bun.sleep(5);
    expect(controller.state().phase).toBe('idle');
  });

  test('is forgotten when no file was chosen, and fails when none can be', async () => {
    const none = rig(
      () => Promise.reject(new Error('not asked')),
      async () => null,
    );
    none.controller.start();
    expect((await none.ended()).phase).toBe('idle');
    const refused = rig(
      () => Promise.reject(new Error('not asked')),
      () => Promise.reject(new Error('no permission')),
    );
    refused.controller.start();
    expect(await refused.ended()).toMatchObject({ phase: 'failed', failure: { kind: 'disk' } });
  });
});

describe('a file on disk', () => {
  const toDisk = (content: string, pieces: readonly (string | Error)[]) => {
    const { handle, file } = fileHandle(content);
    const one = rig(
      async () => new Response(bodyOf(pieces), { headers: NDJSON }),
      () => openDiskSink(handle),
    );
    return { ...one, handle, file };
  };

  test('holds the export under the name that was chosen', async () => {
    const { controller, ended, file } = toDisk('', ['{"a":1}\n']);
    controller.start();
    expect(await ended()).toMatchObject({ phase: 'completed', filename: 'mine.jsonl', target: 'disk' });
    expect(file.text).toBe('{"a":1}\n');
  });

  test.each([
    ['keeps what it held when the export breaks off', 'before', 'before'],
    ['is gone when it was made for this export', '', null],
  ])('%s', async (_, content, after) => {
    const { controller, ended, file } = toDisk(content, ['{"a":1}\n', new Error('reset')]);
    controller.start();
    expect((await ended()).phase).toBe('failed');
    expect(file.text).toBe(after);
  });

  test('that cannot be written is another failure than a broken answer', async () => {
    const sink: ExportSink = {
      kind: 'disk',
      write: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
      close: async () => '',
      discard: async () => {},
    };
    let asked: AbortSignal | null = null;
    const { controller, ended } = rig(
      async (signal) => {
        asked = signal;
        return new Response(bodyOf(['{"a":1}\n', 'never']), { headers: NDJSON });
      },
      async () => sink,
    );
    controller.start();
    expect(await ended()).toMatchObject({ phase: 'failed', failure: { kind: 'disk' } });
    // The rest is not sent in vain.
    expect(asked).toMatchObject({ aborted: true });
  });
});

test('much is kept in few pieces, in order', async () => {
  let text = '';
  const sink = createMemorySink((file) => void file.text().then((all) => (text = all)));
  const piece = (letter: string) => encoder.encode(letter.repeat(5 * 2 ** 20));
  for (const letter of ['a', 'b', 'c', 'd']) await sink.write(piece(letter));
  await sink.close('x');
  await until(() => text);
  expect([text.length, text[0], text.at(5 * 2 ** 20), text.at(-1)]).toEqual([20 * 2 ** 20, 'a', 'b', 'd']);
});
