import type { ManagerProcess } from './manager-process.ts';

/** Durations of one path's answers in ms, ascending. */
export interface AnswerTimes {
  readonly path: string;
  readonly times: number[];
  readonly failed: number;
}

export interface WatchedPaths {
  readonly url: string;
  readonly adminKey: string;
  readonly paths: readonly string[];
}

/** Requests some paths repeatedly, from its own thread: the test's thread is busy reading long answers. */
export function watchAnswers(manager: ManagerProcess, paths: readonly string[]): { stop(): Promise<AnswerTimes[]> } {
  const worker = new Worker(new URL('./answer-times-worker.ts', import.meta.url));
  const result = new Promise<AnswerTimes[]>((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<AnswerTimes[]>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
  worker.postMessage({ url: manager.url, adminKey: manager.adminKey, paths } satisfies WatchedPaths);
  return {
    async stop() {
      worker.postMessage(null);
      const answers = await result;
      worker.terminate();
      return answers;
    },
  };
}

/** The time within which this share of the answers came; 0 without answers. */
export function withinMs({ times }: AnswerTimes, share: number): number {
  return times[Math.max(Math.ceil(times.length * share), 1) - 1] ?? 0;
}
