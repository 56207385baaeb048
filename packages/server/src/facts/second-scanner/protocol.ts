import type { ScanTask } from './scan-share.ts';

/** A question of the analytics worker: what the second scanner has to plan to know the sections of a task. */
export interface Question {
  readonly operation: string;
  readonly args: unknown;
}

/** Messages to the second scanner. */
export type ToScanner<Init> = { readonly kind: 'open'; readonly init: Init; readonly port: MessagePort } | OfferedTask;

export interface OfferedTask {
  readonly kind: 'task';
  readonly id: number;
  readonly question: Question;
  readonly task: ScanTask;
  /** See `PLACE`. */
  readonly memory: SharedArrayBuffer;
}

/** Put on the port before the state says `done`. */
export interface ScannedPart {
  readonly id: number;
  readonly packed: ReadonlyMap<string, unknown>;
}

/** Numbers that both threads share for one task. */
export const PLACE = { range: 0, state: 1, stopped: 2 } as const;
export const MEMORY_BYTES = 3 * 4;
export const TaskState = { running: 0, done: 1, failed: 2 } as const;
