import { AppError } from '@manager/core/contract/errors';
import { serveOperations } from './serve.ts';
import { Transfer } from './transfer.ts';

/** A worker with an operation for each way an operation can end; started by the tests of the client. */
export const testOperations = {
  order: (context: TestContext, label: string) => {
    context.seen.push(label);
    return [...context.seen];
  },
  spin: (context: TestContext, limitMs: number) => {
    const start = performance.now();
    while (performance.now() - start < limitMs) if (context.stopped()) throw new Error('stopped inside');
    return 'finished';
  },
  later: async (_context: TestContext, value: number) => {
    await Promise.resolve();
    return value + 1;
  },
  bytes: (_context: TestContext, length: number) => {
    const bytes = new Uint8Array(length).fill(7);
    return new Transfer(bytes, [bytes.buffer]);
  },
  sum: (_context: TestContext, bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + byte, 0),
  coded: (_context: TestContext, code: string) => {
    throw Object.assign(new Error('with a code'), { code });
  },
  answer: (_context: TestContext, status: number) => {
    throw new AppError('websocket_refused', { status, message: 'for the caller', headers: { 'Retry-After': '7' } });
  },
  crash: (_context: TestContext, _args: null) => {
    setTimeout(() => {
      throw new Error('outside of any operation');
    }, 0);
    return new Promise<never>(() => {});
  },
};

interface TestContext {
  readonly seen: string[];
  readonly stopped: () => boolean;
}

if (!Bun.isMainThread) {
  serveOperations<{ refuse: boolean }, TestContext>((init, control) => {
    if (init.refuse) throw Object.assign(new Error('cannot open'), { code: 'SQLITE_CANTOPEN' });
    return { operations: testOperations, context: { seen: [], stopped: control.stopped }, close: () => {} };
  });
}
