import type { ArchiveReads, ArchiveWrites } from './store.ts';

/** References removed in one transaction: about 20 ms of the writer, 100 ms on a busy machine. */
const BATCH_REFERENCES = 4_000;

/**
 * Removes the references of canceled runs, so that their events are free for another run. Everyone who counts free events
 * awaits it first; the next call completes what a crash or a full disk interrupted.
 */
export async function releaseCancelled(
  reader: ArchiveReads,
  writer: ArchiveWrites,
  signal?: AbortSignal,
): Promise<void> {
  // Nearly always there is nothing to do, and then the writer is not called.
  if (!(await reader.run('unreleasedArchiveReferences', null))) return;
  const batch = () => writer.run('releaseArchiveReferences', { atMost: BATCH_REFERENCES }, { priority: 'background' });
  while (signal?.aborted !== true && (await batch()));
}
