import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { records } from '../../../events/testing/test-ingester.ts';
import { ADMIN_KEY } from '../../../http/testing.ts';
import { ImportInterrupted } from './importer.ts';
import { answerOf, IMPORT_PATH, importRigs, lineOf, linesOf, RESULT } from './testing.ts';

const start = importRigs();

describe('an import that is interrupted', () => {
  test('by a client that disconnects stops at the next batch', async () => {
    const rig = start();
    const part = linesOf(700);
    const socket = connect(rig.server.address.port, '127.0.0.1', () => {
      socket.write(
        `POST ${IMPORT_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    });
    while (rig.count('usage_events') < 512) await Bun.sleep(10);
    socket.destroy();
    // The next one is done after the first has ended.
    expect(await rig.import(linesOf(700))).toMatchObject({ added: 188, skipped: 512 });
  });

  test('by its signal reports the reason and the stored counts', async () => {
    const rig = start();
    const stop = new AbortController();
    const reason = new Error('not wanted any more');
    const body = new Blob([linesOf(5_000)]).stream();
    const run = rig.importer.run({ kind: 'stream', body }, { signal: stop.signal, onCounts: () => stop.abort(reason) });
    const error = await run.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ImportInterrupted);
    if (!(error instanceof ImportInterrupted)) return;
    expect(error).toMatchObject({ aborted: true, cause: reason });
    expect(error.counts.added % 256).toBe(0);
    expect(rig.count('usage_events')).toBe(error.counts.added);
  });

  test('while it waits for bytes ends at once', async () => {
    const rig = start();
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(lineOf('a'))),
    });
    const signal = AbortSignal.timeout(100);
    await expect(rig.importer.run({ kind: 'stream', body: silent }, { signal })).rejects.toThrow(
      'the import was stopped',
    );
    expect(rig.count('usage_events')).toBe(0);
  });

  test.each([
    ['SQLITE_FULL', 'the disk is full; free space on the volume of the database, then import the same file again'],
    ['SQLITE_IOERR_WRITE', 'the import was interrupted; import the same file again'],
  ])('by the database (%s): 500 with what was stored, and the same file again adds the rest', async (code, error) => {
    let batches = 0;
    const rig = start({
      around: (insert) => async (batch) => {
        batches += 1;
        if (batches === 3) throw Object.assign(new Error('/var/lib/x: cannot be written'), { code });
        return insert(batch);
      },
    });
    const { status, body } = await answerOf(await rig.send(linesOf(1_000)));
    expect(status).toBe(500);
    expect(body).toEqual({
      ...RESULT,
      added: 512,
      total: 512,
      code: 'request_failed',
      error,
    });
    expect(await rig.import(linesOf(1_000))).toMatchObject({ added: 488, skipped: 512 });
  });

  test('by a missing file is no error of the payload', async () => {
    const rig = start();
    const error = await rig.importer
      .run({ kind: 'file', path: rig.folder.path('missing') })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'ImportInterrupted', aborted: false, counts: { format: null, added: 0 } });
  });
});

test('the collector is not delayed by an import', async () => {
  const rig = start();
  const next = sampleRecords({ seed: 5 });
  const file = Array.from({ length: 2_500 }, () => `${next()}\n`).join('');
  let ended = false;
  const running = rig.import(file).then(() => {
    ended = true;
  });
  while (rig.count('usage_events') === 0) await Bun.sleep(5);
  const collected = sampleRecords({ seed: 6 });
  for (let batch = 0; batch < 5; batch++) {
    await rig.store.writer.run('ingest', { records: records(...Array.from({ length: 20 }, collected)) });
  }
  expect(ended).toBe(false);
  await running;
  expect(rig.count('usage_events')).toBe(2_600);
  expect(rig.faults()).toEqual([]);
});

test('several imports at once share the slots', async () => {
  const rig = start();
  const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => rig.import(linesOf(400, `file ${index}`))));
  expect(answers.map((answer) => answer.added)).toEqual([400, 400, 400, 400, 400]);
});

test('an import that waits for its turn can be aborted', async () => {
  const rig = start();
  const silent = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  const running = new AbortController();
  const first = [1, 2].map(() => rig.importer.run({ kind: 'stream', body: silent() }, { signal: running.signal }));
  const waiting = rig.importer.run({ kind: 'stream', body: silent() }, { signal: AbortSignal.timeout(50) });
  await expect(waiting).rejects.toThrow('the import was stopped');
  running.abort(new Error('enough'));
  const ended = await Promise.allSettled(first);
  expect(ended.map((run) => (run.status === 'rejected' ? String(run.reason) : ''))).toEqual([
    expect.stringContaining('the import was stopped'),
    expect.stringContaining('the import was stopped'),
  ]);
  expect(await rig.import(lineOf('a'))).toMatchObject({ added: 1 });
});
