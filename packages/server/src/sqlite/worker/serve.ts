import type { Operation, Operations } from '../contexts.ts';
import { toWireError } from './errors.ts';
import { type Reply, type Request, STOP_FLAG } from './protocol.ts';
import { Transfer } from './transfer.ts';

// The global of a worker has the members of `Worker` as seen from inside.
declare const self: Worker;

export interface WorkerControl {
  /** True once the caller of the running operation gave up or its deadline passed. Cheap: one atomic read. */
  readonly stopped: () => boolean;
}

type RunRequest = Extract<Request, { kind: 'run' }>;

export interface ServedWorker<Context> {
  readonly operations: Operations<Context>;
  readonly context: Context;
  /** Wraps every operation, for example in a transaction. */
  readonly around?: (operation: Operation<Context>, invoke: () => unknown, request: RunRequest) => unknown;
  readonly close: () => void;
}

/**
 * Turns the current worker into a server of operations: `open` gets the client's `init` and prepares connection and caches.
 * Operations run one after the other.
 *
 * @example serveOperations<{ path: string }, ReaderContext>((init, control) => ({ operations, context, close }));
 */
export function serveOperations<Init, Context>(
  open: (init: Init, control: WorkerControl) => ServedWorker<Context>,
): void {
  let served: ServedWorker<Context> | null = null;
  self.onmessage = (event: MessageEvent<Request>) => {
    const request = event.data;
    if (request.kind === 'open') {
      const flags = new Int32Array(request.flags);
      try {
        served = open(request.init as Init, { stopped: () => Atomics.load(flags, STOP_FLAG) !== 0 });
        reply({ kind: 'ready' });
      } catch (error) {
        reply({ kind: 'open_failed', error: toWireError(error) });
      }
      return;
    }
    if (request.kind === 'close') {
      served?.close();
      reply({ kind: 'closed' });
      return;
    }
    if (served !== null) run(served, request);
  };
}

function run<Context>(served: ServedWorker<Context>, request: RunRequest): void {
  const { id, name } = request;
  try {
    const operation = served.operations[name];
    if (operation === undefined) throw new Error(`unknown operation: ${name}`);
    const invoke = () => operation(served.context, request.args as never);
    const result = served.around === undefined ? invoke() : served.around(operation, invoke, request);
    if (result instanceof Promise) {
      result.then(
        (value) => reply({ kind: 'done', id, value }),
        (error) => reply({ kind: 'failed', id, error: toWireError(error) }),
      );
    } else if (result instanceof Transfer) {
      reply({ kind: 'done', id, value: result.value, bytes: result.newBytes }, result.buffers);
    } else {
      reply({ kind: 'done', id, value: result });
    }
  } catch (error) {
    reply({ kind: 'failed', id, error: toWireError(error) });
  }
}

function reply(message: Reply, buffers: readonly ArrayBuffer[] = []): void {
  self.postMessage(message, [...buffers]);
}
