import type { SealedTail } from '../facts/seal.ts';
import type { OperationClient } from '../sqlite/contexts.ts';
import { createUpkeep, type Upkeep, type UpkeepLog } from '../sqlite/upkeep.ts';
import type { CheckpointerOperations } from './checkpointer.ts';
import type { Writes } from './operations/writes.ts';

export interface SealerDeps {
  readonly writer: OperationClient<Writes>;
  readonly checkpointWorker: OperationClient<CheckpointerOperations>;
  readonly segmentRows: number;
  readonly now: () => number;
  readonly log: UpkeepLog;
}

export interface Sealer extends Upkeep {
  /** Seals the oldest facts of the tail, however few they are. False when others were sealed meanwhile. */
  sealOldest(rowCount: number): Promise<boolean>;
}

/**
 * Seals while the tail is long enough, one segment after the other. Its writes are short, so they wait in the queue like every
 * other operation; as background work a busy collector would delay them for longer than a segment takes to fill.
 */
export function createSealer({ writer, checkpointWorker, segmentRows, now, log }: SealerDeps): Sealer {
  const upkeep = createUpkeep({ title: 'sealing facts', work: seal, now, log });

  async function seal(): Promise<void> {
    do {
      // First, because a killed process or a full disk may have left rows that are in a segment.
      await trim();
    } while (await sealNext(segmentRows));
  }

  async function trim(): Promise<void> {
    while (await writer.run('trimTail', null)) {
      // The next slice.
    }
  }

  async function sealNext(rowCount: number): Promise<boolean> {
    const sealed = await checkpointWorker.run('encodeTail', rowCount);
    if (sealed === null) return false;
    return await writer.run('replaceTail', sealed, { transfer: buffersOf(sealed) });
  }

  return {
    ...upkeep,
    async sealOldest(rowCount) {
      await upkeep.idle();
      const sealed = await sealNext(rowCount);
      // Deletes the rows that are in the segment now.
      await upkeep.request();
      return sealed;
    },
  };
}

function buffersOf({ columns }: SealedTail): ArrayBuffer[] {
  return columns.map(({ data }) => data.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
}
