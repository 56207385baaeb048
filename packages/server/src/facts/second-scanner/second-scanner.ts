import { receiveMessageOnPort } from 'node:worker_threads';
import { endHelper, type HelperThread, startHelper } from '../../platform/helper-thread.ts';
import { MEMORY_BYTES, type OfferedTask, PLACE, type Question, type ScannedPart, TaskState } from './protocol.ts';
import type { ScanSharing, ScanTask, SharedScan } from './scan-share.ts';
import { fillRange, MOST_SEGMENTS, sharedRange } from './shared-range.ts';

export interface SecondScannerOptions {
  /** The file that calls `serveSecondScanner`. */
  readonly entry: string | URL;
  /** What it opens the database with. */
  readonly init: unknown;
  /** Processors that the process can keep busy: with one a second thread does not help. */
  readonly cores: number;
  /** See `ScanSharing`. Default 64. */
  readonly least?: number;
  /** It ends after this time without a long scan. Default a minute. */
  readonly restMs?: number;
  /** How long the last segments of the other thread may take before this one computes them. Default 5 s. */
  readonly patienceMs?: number;
}

/**
 * A second thread that takes segments of long scans. It starts with the first one, has a connection and columns of its own, and ends
 * after a while without one. Nothing depends on it: what it does not finish, the thread that asks computes.
 */
export interface SecondScanner extends ScanSharing {
  /** The question that the following scans belong to. */
  asked(question: Question): void;
  close(): void;
}

/**
 * Four million events. With fewer, whose columns fit the cache of one thread, loading them a second time takes longer than it helps, and
 * a second thread is 100 MiB.
 */
const LEAST_SEGMENTS = 64;
const REST_MS = 60_000;
const PATIENCE_MS = 5_000;

export function createSecondScanner(options: SecondScannerOptions): SecondScanner {
  const { entry, init, cores, restMs = REST_MS, patienceMs = PATIENCE_MS } = options;
  let running: HelperThread | null = null;
  let rest: Timer | undefined;
  let question: Question | null = null;
  let lastId = 0;

  const start = () =>
    startHelper({
      entry,
      name: 'second scanner',
      smol: true,
      open: (port) => ({ kind: 'open', init, port }),
      onEnd: stop,
    });

  function stop(stopped: HelperThread | null): void {
    if (stopped === null || stopped !== running) return;
    running = null;
    endHelper(stopped);
  }

  function offer(on: HelperThread, task: ScanTask, asked: Question): SharedScan {
    const id = ++lastId;
    const memory = new SharedArrayBuffer(MEMORY_BYTES);
    const places = new Int32Array(memory);
    fillRange(places, PLACE.range, task.segments.length);
    const range = sharedRange(places, PLACE.range);
    on.worker.postMessage({ kind: 'task', id, question: asked, task, memory } satisfies OfferedTask);

    function received(): ReadonlyMap<string, unknown> | null {
      for (;;) {
        const message = receiveMessageOnPort(on.port) as { readonly message: ScannedPart } | undefined;
        if (message === undefined) return null;
        // Nobody may have waited for an earlier one.
        if (message.message.id === id) return message.message.packed;
      }
    }

    return {
      takeNext: () => range.takeFirst() >= 0,
      finish() {
        if (Atomics.wait(places, PLACE.state, TaskState.running, patienceMs) === 'timed-out') {
          // It hangs, or its thread has ended.
          stop(on);
          return null;
        }
        return Atomics.load(places, PLACE.state) === TaskState.done ? received() : null;
      },
      end: () => Atomics.store(places, PLACE.stopped, 1),
    };
  }

  return {
    least: options.least ?? LEAST_SEGMENTS,
    asked: (next) => {
      question = next;
    },
    begin(task) {
      if (cores < 2 || question === null || task.segments.length > MOST_SEGMENTS) return null;
      clearTimeout(rest);
      rest = setTimeout(() => stop(running), restMs);
      rest.unref();
      try {
        running ??= start();
        return offer(running, task, question);
      } catch {
        // No thread to be had.
        stop(running);
        return null;
      }
    },
    close() {
      clearTimeout(rest);
      stop(running);
    },
  };
}
