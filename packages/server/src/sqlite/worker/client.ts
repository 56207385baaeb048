import { AppError } from '@manager/core/contract/errors';
import { createGarbageCollector } from '../../platform/garbage.ts';
import type { OperationClient, Operations, RunOptions } from '../contexts.ts';
import { fromWireError, OperationError } from './errors.ts';
import { FLAG_BYTES, type Reply, type Request, STOP_FLAG } from './protocol.ts';

export interface WorkerClientOptions {
  /** For messages and debuggers. */
  readonly name: string;
  readonly entry: string | URL;
  /** Passed to the worker's `open`; structured-cloneable. */
  readonly init: unknown;
  /** Workers of the pool; the first starts with the first operation, another one when an operation waits. Default 1. */
  readonly size?: number;
  /**
   * How long an operation waits for a worker that is busy before another one starts: a start costs 30 ms of processor and several
   * megabytes. Default 15; 0 = none waits, not even for the start of the first one.
   */
  readonly growAfterMs?: number;
  /** Permanent workers; any other ends after `restMs` without work. Default: all of them. */
  readonly lasting?: number;
  /** Default 30,000. */
  readonly restMs?: number;
  /** Default deadline of an operation, 0 = none. */
  readonly deadlineMs?: number;
  /**
   * Whether a running operation may be stopped by its signal or deadline. A writer's may not: the caller must learn its result,
   * so a signal only removes it from the queue.
   */
  readonly stoppable?: boolean;
  /**
   * A background operation that waited this long runs before an interactive one: a busy collector must not starve sealing or
   * upkeep. Default 2,000.
   */
  readonly backgroundPatienceMs?: number;
}

export interface WorkerClient<T extends Operations<never>> extends OperationClient<T> {
  /**
   * Runs work while no background operation runs: none starts, and running ones have ended. A very long one is not waited for.
   */
  withoutBackground<R>(work: () => Promise<R>): Promise<R>;
  /** Workers that were started and have not ended. */
  workers(): number;
}

interface Job {
  readonly id: number;
  readonly name: string;
  readonly isBackground: boolean;
  readonly isBrief: boolean;
  readonly args: unknown;
  readonly transfer: readonly ArrayBuffer[];
  readonly deadlineMs: number;
  readonly queuedAt: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  onAbort: (() => void) | null;
}

interface Slot {
  readonly worker: Worker;
  readonly flags: Int32Array;
  /** It has started. */
  ready: boolean;
  job: Job | null;
  timer: Timer | null;
  /** Ends the worker unless it is used before. */
  rest: Timer | null;
  /** When it may rest, had no brief operation run. */
  restAtMs: number;
  /** Why the running operation was stopped, null = it was not. */
  stopReason: unknown;
  closed: (() => void) | null;
}

const BACKGROUND_PATIENCE_MS = 2_000;
const REST_MS = 30_000;
const GROW_AFTER_MS = 15;
/** How long such work waits for running background operations. */
const QUIET_WAIT_MS = 1_000;

/**
 * Client of one worker or of a pool of equal workers. Each worker runs one operation at a time, so that an interactive
 * operation runs before everything that has not started. A worker that dies fails its operation with `WORKER_FAILED` and is
 * restarted by the next one.
 */
export function createWorkerClient<T extends Operations<never>>(options: WorkerClientOptions): WorkerClient<T> {
  const size = options.size ?? 1;
  const stoppable = options.stoppable ?? false;
  const patienceMs = options.backgroundPatienceMs ?? BACKGROUND_PATIENCE_MS;
  const lasting = options.lasting ?? size;
  const growAfterMs = options.growAfterMs ?? GROW_AFTER_MS;
  const collectGarbageOf = createGarbageCollector();
  const interactive: Job[] = [];
  const background: Job[] = [];
  const slots = new Set<Slot>();
  /** Idle workers that are being closed. */
  const ending = new Set<Promise<unknown>>();
  let readyAtMs = 0;
  /** Runs while an operation may be waiting for another worker to start. */
  let growing: Timer | null = null;
  let nextId = 1;
  let closing = false;
  /** The last started operation was a background one that ran before interactive ones. */
  let wentAhead = false;
  let onDrained: (() => void) | null = null;
  /** Number of works that exclude background operations. */
  let holds = 0;
  const onQuiet: (() => void)[] = [];

  function run(name: string, args: unknown, runOptions: RunOptions = {}): Promise<unknown> {
    const { signal } = runOptions;
    if (closing) return Promise.reject(new OperationError('WORKER_CLOSED', `${options.name}: shutting down`));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const job: Job = {
        id: nextId++,
        name,
        isBackground: runOptions.priority === 'background',
        isBrief: runOptions.brief === true,
        args,
        transfer: runOptions.transfer ?? [],
        deadlineMs: runOptions.deadlineMs ?? options.deadlineMs ?? 0,
        queuedAt: performance.now(),
        signal,
        resolve,
        reject,
        onAbort: null,
      };
      if (signal !== undefined) {
        job.onAbort = () => abort(job);
        signal.addEventListener('abort', job.onAbort, { once: true });
      }
      (job.isBackground ? background : interactive).push(job);
      dispatch();
    });
  }

  function abort(job: Job): void {
    for (const queue of [interactive, background]) {
      const index = queue.indexOf(job);
      if (index < 0) continue;
      queue.splice(index, 1);
      release(job);
      job.reject(job.signal?.reason);
      checkDrained();
      return;
    }
    for (const slot of slots) if (slot.job === job) stop(slot, job.signal?.reason);
  }

  function stop(slot: Slot, reason: unknown): void {
    if (!stoppable || slot.stopReason !== null) return;
    slot.stopReason = reason;
    Atomics.store(slot.flags, STOP_FLAG, 1);
  }

  function release(job: Job): void {
    if (job.onAbort !== null) job.signal?.removeEventListener('abort', job.onAbort);
  }

  function nextJob(): Job | undefined {
    if (holds > 0) return interactive.shift();
    const oldest = background[0];
    const isImpatient = oldest !== undefined && performance.now() - oldest.queuedAt >= patienceMs;
    // In turns: when many are that old, an interactive operation waits for one of them, not for all.
    wentAhead = isImpatient && interactive.length > 0 && !wentAhead;
    return wentAhead ? background.shift() : (interactive.shift() ?? background.shift());
  }

  function dispatch(): void {
    while (interactive.length > 0 || (background.length > 0 && holds === 0)) {
      const slot = idleSlot();
      if (slot === null) return;
      const job = nextJob();
      if (job !== undefined) begin(slot, job);
    }
  }

  function idleSlot(): Slot | null {
    for (const slot of slots) if (slot.job === null) return slot;
    if (slots.size >= size) return null;
    return slots.size === 0 || isOverdue() ? spawn() : null;
  }

  /** Whether an operation waits for too long, not counting the start of a worker. If not, `dispatch` looks again later. */
  function isOverdue(): boolean {
    if (growAfterMs === 0) return true;
    for (const slot of slots) if (!slot.ready) return false;
    const oldest = Math.min(interactive[0]?.queuedAt ?? Infinity, background[0]?.queuedAt ?? Infinity);
    const waitMs = Math.max(oldest, readyAtMs) + growAfterMs - performance.now();
    if (waitMs <= 0) return true;
    if (growing === null) growing = setTimeout(lookAgain, waitMs);
    return false;
  }

  function lookAgain(): void {
    growing = null;
    dispatch();
  }

  function begin(slot: Slot, job: Job): void {
    if (slot.rest !== null) clearTimeout(slot.rest);
    slot.rest = null;
    slot.job = job;
    slot.stopReason = null;
    Atomics.store(slot.flags, STOP_FLAG, 0);
    if (stoppable && job.deadlineMs > 0) {
      slot.timer = setTimeout(() => stop(slot, deadlineError()), job.deadlineMs);
    }
    try {
      post(slot, { kind: 'run', id: job.id, name: job.name, args: job.args }, job.transfer);
    } catch (error) {
      // Arguments that cannot be cloned are an error of the caller, not of the worker.
      finish(slot, () => job.reject(error));
    }
  }

  function finish(slot: Slot, settle: (job: Job) => void): void {
    const { job } = slot;
    if (slot.timer !== null) clearTimeout(slot.timer);
    slot.timer = null;
    slot.job = null;
    if (job !== null) {
      release(job);
      settle(job);
    }
    if (lasting < size) {
      const nowMs = performance.now();
      if (job?.isBrief !== true) slot.restAtMs = nowMs + (options.restMs ?? REST_MS);
      slot.rest = setTimeout(() => endResting(slot), Math.max(0, slot.restAtMs - nowMs)).unref();
    }
    if (isQuiet()) for (const resolve of onQuiet.splice(0)) resolve();
    // One turn later, so that a caller that handles this result can queue its next operation before background work.
    queueMicrotask(() => {
      dispatch();
      checkDrained();
    });
  }

  /** Frees the memory of an idle worker. */
  function endResting(slot: Slot): void {
    if (closing || slot.job !== null || slots.size <= lasting || !slots.delete(slot)) return;
    const ended = end(slot);
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
  }

  function spawn(): Slot {
    const shared = new SharedArrayBuffer(FLAG_BYTES);
    const worker = new Worker(options.entry, { name: options.name });
    const slot: Slot = {
      worker,
      flags: new Int32Array(shared),
      ready: false,
      job: null,
      timer: null,
      rest: null,
      restAtMs: 0,
      stopReason: null,
      closed: null,
    };
    slots.add(slot);
    worker.onmessage = (event: MessageEvent<Reply>) => receive(slot, event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(slot, new OperationError('WORKER_FAILED', `${options.name}: ${event.message}`));
    };
    worker.addEventListener('close', () => fail(slot, new OperationError('WORKER_FAILED', `${options.name}: ended`)));
    post(slot, { kind: 'open', init: options.init, flags: shared });
    return slot;
  }

  function receive(slot: Slot, message: Reply): void {
    switch (message.kind) {
      case 'ready':
        slot.ready = true;
        readyAtMs = performance.now();
        dispatch();
        return;
      case 'open_failed':
        fail(slot, fromWireError(message.error));
        return;
      case 'closed':
        slot.closed?.();
        return;
      case 'done':
        finish(slot, (job) => (slot.stopReason === null ? job.resolve(message.value) : job.reject(slot.stopReason)));
        // After this result was passed on.
        if (message.bytes !== undefined) setTimeout(collectGarbageOf, 0, message.bytes);
        return;
      case 'failed':
        finish(slot, (job) => job.reject(slot.stopReason ?? fromWireError(message.error)));
    }
  }

  function fail(slot: Slot, error: Error): void {
    slot.closed?.();
    if (!slots.delete(slot)) return;
    slot.worker.terminate();
    finish(slot, (job) => job.reject(error));
  }

  function checkDrained(): void {
    if (onDrained === null || interactive.length + background.length > 0) return;
    for (const slot of slots) if (slot.job !== null) return;
    onDrained();
  }

  function isQuiet(): boolean {
    for (const slot of slots) if (slot.job?.isBackground === true) return false;
    return true;
  }

  async function withoutBackground<R>(work: () => Promise<R>): Promise<R> {
    holds += 1;
    try {
      if (!isQuiet()) {
        const quiet = new Promise<void>((resolve) => onQuiet.push(resolve));
        await Promise.race([quiet, Bun.sleep(QUIET_WAIT_MS)]);
      }
      return await work();
    } finally {
      holds -= 1;
      dispatch();
    }
  }

  async function close(): Promise<void> {
    if (closing) return;
    closing = true;
    await new Promise<void>((resolve) => {
      onDrained = resolve;
      checkDrained();
    });
    await Promise.all([...[...slots].map(end), ...ending]);
  }

  async function end(slot: Slot): Promise<void> {
    if (slot.rest !== null) clearTimeout(slot.rest);
    await new Promise<void>((resolve) => {
      slot.closed = resolve;
      post(slot, { kind: 'close' });
    });
    slots.delete(slot);
    slot.worker.terminate();
  }

  // The table of operations types `run`; the messages themselves are untyped.
  return { run, withoutBackground, workers: () => slots.size, close } as unknown as WorkerClient<T>;
}

function post(slot: Slot, message: Request, transfer: readonly ArrayBuffer[] = []): void {
  slot.worker.postMessage(message, [...transfer]);
}

function deadlineError(): AppError {
  return new AppError('query_too_slow');
}
