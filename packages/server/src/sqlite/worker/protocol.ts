import type { WireError } from './errors.ts';

/** Messages from the main thread to a worker. */
export type Request =
  | { readonly kind: 'open'; readonly init: unknown; readonly flags: SharedArrayBuffer }
  | { readonly kind: 'run'; readonly id: number; readonly name: string; readonly args: unknown }
  | { readonly kind: 'close' };

/** Messages from a worker to the main thread. */
export type Reply =
  | { readonly kind: 'ready' }
  /** `bytes`: of buffers that were moved, except those that came with the request. */
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown; readonly bytes?: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: WireError }
  | { readonly kind: 'open_failed'; readonly error: WireError }
  | { readonly kind: 'closed' };

/** Position of the flag that stops the running operation: 0 = continue, 1 = stop. */
export const STOP_FLAG = 0;
export const FLAG_BYTES = 4;
