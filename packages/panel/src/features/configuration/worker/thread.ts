import type { Answer, Operations, Question } from './operations.ts';

/** The operations, each in the worker. */
export type Thread = {
  readonly [K in keyof Operations]: (...args: Parameters<Operations[K]>) => Promise<ReturnType<Operations[K]>>;
} & { readonly close: () => void };

/** The used part of a `Worker`. */
export interface ThreadWorker {
  postMessage(message: Question): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Starts its worker with the first question. */
export function createThread(open: () => ThreadWorker): Thread {
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let worker: ThreadWorker | null = null;
  let last = 0;

  function start(): ThreadWorker {
    const started = open();
    started.onmessage = ({ data }: MessageEvent<Answer>) => {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if ('result' in data) asked?.resolve(data.result as never);
      else asked?.reject(new Error(data.failure));
    };
    started.onerror = () => {
      // The next question starts another one.
      worker = null;
      for (const { reject } of waiting.values())
        reject(new Error('the worker that reads the configuration has failed'));
      waiting.clear();
    };
    return started;
  }

  const ask =
    <K extends keyof Operations>(name: K) =>
    (...args: Parameters<Operations[K]>): Promise<ReturnType<Operations[K]>> =>
      new Promise((resolve, reject) => {
        worker ??= start();
        last += 1;
        waiting.set(last, { resolve, reject });
        worker.postMessage({ id: last, name, args });
      });

  return {
    differenceOf: ask('differenceOf'),
    editText: ask('editText'),
    mergeDraft: ask('mergeDraft'),
    readFragment: ask('readFragment'),
    reviewChange: ask('reviewChange'),
    sameConfiguration: ask('sameConfiguration'),
    summarize: ask('summarize'),
    close() {
      worker?.terminate();
      worker = null;
    },
  };
}
