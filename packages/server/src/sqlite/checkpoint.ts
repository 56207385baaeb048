import type { Database } from 'bun:sqlite';

export type CheckpointMode = 'noop' | 'passive' | 'truncate';

export interface CheckpointOutcome {
  /** 1 = somebody kept it from reaching the end of the log. */
  readonly busy: 0 | 1;
  /** Frames in the log, and how many of them are in the database. */
  readonly logFrames: number;
  readonly checkpointedFrames: number;
}

/** Runs one checkpoint; must be outside a transaction. `noop` only reads the state. */
export function checkpoint({ db }: { readonly db: Database }, mode: CheckpointMode): CheckpointOutcome {
  const row = db.query<{ busy: number; log: number; checkpointed: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get();
  return {
    busy: row?.busy === 1 ? 1 : 0,
    logFrames: Math.max(row?.log ?? 0, 0),
    checkpointedFrames: Math.max(row?.checkpointed ?? 0, 0),
  };
}
