import { afterEach, describe, expect, test } from 'bun:test';
import { AppError } from '@manager/core/contract/errors';
import { createWorkerClient, type WorkerClient, type WorkerClientOptions } from './client.ts';
import { codeOf, OperationError } from './errors.ts';
import type { testOperations } from './test-worker.ts';

const clients: WorkerClient<typeof testOperations>[] = [];

function client(options: Partial<WorkerClientOptions> = {}): WorkerClient<typeof testOperations> {
  const created = createWorkerClient<typeof testOperations>({
    name: 'test',
    entry: new URL('./test-worker.ts', import.meta.url),
    init: { refuse: false },
    ...options,
  });
  clients.push(created);
  return created;
}

afterEach(async () => {
  for (const created of clients.splice(0)) await created.close();
});

describe('a client of workers', () => {
  test('interactive operations run before waiting background ones', async () => {
    const one = client();
    const results = await Promise.all([
      one.run('order', 'first'),
      one.run('order', 'background', { priority: 'background' }),
      one.run('order', 'interactive'),
    ]);
    expect(results[1]).toEqual(['first', 'interactive', 'background']);
  });

  test('of background operations that waited long, one at a time runs before interactive ones', async () => {
    const one = client({ backgroundPatienceMs: 0 });
    const runs = [
      one.run('order', 'first'),
      ...['old 1', 'old 2', 'old 3'].map((label) => one.run('order', label, { priority: 'background' })),
      ...['new 1', 'new 2'].map((label) => one.run('order', label)),
    ];
    await Promise.all(runs);
    expect(await one.run('order', 'last')).toEqual(['first', 'old 1', 'new 1', 'old 2', 'new 2', 'old 3', 'last']);
  });

  test('work without background operations runs between running and waiting ones', async () => {
    const one = client({ size: 2, growAfterMs: 0 });
    const order: string[] = [];
    const background = (label: string, ms: number) =>
      one.run('spin', ms, { priority: 'background' }).then(() => order.push(label));
    const runs = [background('runs', 150), background('runs as well', 50), background('waits', 1)];
    const quiet = one.withoutBackground(async () => {
      order.push('work begins');
      await one.run('spin', 20);
      order.push('work ends');
    });
    await Promise.all([...runs, quiet]);
    expect(order).toEqual(['runs as well', 'runs', 'work begins', 'work ends', 'waits']);
    const failing = one.withoutBackground(() => Promise.reject(new Error('no'))).catch((error: Error) => error.message);
    expect(await failing).toBe('no');
    await background('goes on', 1);
    expect(order.at(-1)).toBe('goes on');
  });

  test('another worker starts only for an operation that waits', async () => {
    const pool = client({ size: 3, growAfterMs: 60_000 });
    await pool.run('order', 'started');
    expect(await Promise.all([pool.run('order', 'a'), pool.run('order', 'b')])).toEqual([
      ['started', 'a'],
      ['started', 'a', 'b'],
    ]);
    const eager = client({ size: 2, growAfterMs: 1, stoppable: true });
    const leaving = new AbortController();
    const long = eager.run('spin', 600_000, { signal: leaving.signal }).catch(() => 'stopped');
    expect(await eager.run('order', 'meanwhile')).toEqual(['meanwhile']);
    leaving.abort();
    expect(await long).toBe('stopped');
  });

  test('an idle worker ends, unless it is permanent, and another one starts when needed', async () => {
    const resting = client({ lasting: 0, restMs: 20 });
    const lasting = client({ restMs: 20 });
    expect(await resting.run('order', 'first')).toEqual(['first']);
    await lasting.run('order', 'first');
    let seen: string[] = [];
    // Each query restarts its idle time.
    for (let waitMs = 50; seen.length !== 1 && waitMs < 15_000; waitMs *= 2) {
      await Bun.sleep(waitMs);
      seen = await resting.run('order', 'later');
    }
    expect(seen).toEqual(['later']);
    expect(await lasting.run('order', 'later')).toEqual(['first', 'later']);
  }, 180_000);

  test('a brief operation starts no rest anew, and ends a worker that started for it', async () => {
    const pool = client({ lasting: 0, restMs: 600_000 });
    expect(await pool.run('order', 'brief', { brief: true })).toEqual(['brief']);
    while (pool.workers() > 0) await Bun.sleep(5);
    expect(await pool.run('order', 'longer')).toEqual(['longer']);
    expect(await pool.run('order', 'brief', { brief: true })).toEqual(['longer', 'brief']);
    await Bun.sleep(50);
    expect(pool.workers()).toBe(1);
  });

  test('of several workers the permanent ones stay, and none ends before its operation', async () => {
    const pool = client({ size: 3, lasting: 1, restMs: 1 });
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all([pool.run('later', 1), pool.run('spin', 5), pool.run('later', 2)]);
      expect(answers).toEqual([2, 'finished', 3]);
      await Bun.sleep(round % 4);
    }
    await Bun.sleep(50);
    await pool.run('order', 'before a rest');
    await Bun.sleep(50);
    expect(await pool.run('order', 'after it')).toContain('before a rest');
  }, 180_000);

  test('awaits asynchronous operations', async () => {
    expect(await client().run('later', 41)).toBe(42);
  });

  test('moves bytes instead of copying them', async () => {
    const bytes = await client().run('bytes', 1_000_000);
    expect(bytes.byteLength).toBe(1_000_000);
    expect(bytes[999_999]).toBe(7);
  });

  test('moves the bytes of arguments on request', async () => {
    const one = client();
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await one.run('sum', bytes, { transfer: [bytes.buffer] })).toBe(6);
    expect(bytes.byteLength).toBe(0);
  });

  test('keeps the code of an error', async () => {
    const error = await client()
      .run('coded', 'SQLITE_FULL')
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OperationError);
    expect(codeOf(error)).toBe('SQLITE_FULL');
  });

  test('keeps status, text and headers of an answer to the caller', async () => {
    const error = await client()
      .run('answer', 418)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ status: 418, message: 'for the caller', headers: { 'Retry-After': '7' } });
  });

  test('stops a running operation at its deadline', async () => {
    const one = client({ stoppable: true });
    const error = await one.run('spin', 20_000, { deadlineMs: 20 }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ status: 503 });
    expect(await one.run('spin', 1)).toBe('finished');
  });

  test('stops a running operation when its caller gives up', async () => {
    const one = client({ stoppable: true });
    const controller = new AbortController();
    const running = one.run('spin', 20_000, { signal: controller.signal });
    const waiting = one.run('order', 'next');
    controller.abort(new Error('client is gone'));
    await expect(running).rejects.toThrow('client is gone');
    expect(await waiting).toEqual(['next']);
  });

  test('a running write is never stopped, only a queued one', async () => {
    const one = client();
    const controller = new AbortController();
    const running = one.run('spin', 50, { signal: controller.signal });
    const waiting = one.run('order', 'never', { signal: controller.signal });
    controller.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    expect(await running).toBe('finished');
    expect(await one.run('order', 'later')).toEqual(['later']);
  });

  test('a worker that dies fails its operation and is started again', async () => {
    const one = client();
    const error = await one.run('crash', null).catch((caught: unknown) => caught);
    expect(codeOf(error)).toBe('WORKER_FAILED');
    expect(await one.run('later', 1)).toBe(2);
  });

  test('a worker that cannot open fails every operation with the reason', async () => {
    const one = client({ init: { refuse: true } });
    const error = await one.run('later', 1).catch((caught: unknown) => caught);
    expect(codeOf(error)).toBe('SQLITE_CANTOPEN');
  });

  test('arguments that cannot be cloned fail only their operation', async () => {
    const one = client();
    await expect(one.run('order', (() => 'x') as unknown as string)).rejects.toThrow();
    expect(await one.run('later', 1)).toBe(2);
  });

  test('a pool runs as many operations at once as it has workers', async () => {
    const pool = client({ size: 2, stoppable: true });
    const controller = new AbortController();
    const long = pool.run('spin', 20_000, { signal: controller.signal });
    expect(await pool.run('later', 1)).toBe(2);
    controller.abort(new Error('enough'));
    await expect(long).rejects.toThrow('enough');
  });

  test('closing finishes accepted operations and refuses later ones', async () => {
    const one = client();
    const accepted = one.run('later', 1);
    const closed = one.close();
    const late = await one.run('later', 2).catch((caught: unknown) => caught);
    await closed;
    expect(await accepted).toBe(2);
    expect(codeOf(late)).toBe('WORKER_CLOSED');
  });
});
