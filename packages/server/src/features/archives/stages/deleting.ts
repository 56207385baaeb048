import { stopPoint } from '../../../platform/stop-point.ts';
import { inspectArchive, proveReferences } from './inspection.ts';
import { BACKGROUND, type StageWork } from './stage-work.ts';

export interface DeletingWork extends StageWork {
  /** Runs the work while no export does, and delays exports meanwhile. */
  readonly withoutExports: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
}

/**
 * Deletes the raw rows of a run, after its files were read once more: days may lie between verification and deletion. Rows that
 * are already missing are found before the first one is deleted.
 */
export async function deleteArchived(work: DeletingWork): Promise<void> {
  const { writes, runId, signal } = work;
  stopPoint('archive_revalidating');
  const run = await inspectArchive(work, 'cleanup_revalidating');
  await proveReferences(work, run, { rawRows: true });
  stopPoint('archive_revalidated');
  await work.progress({
    phase: 'deleting_records',
    current: run.deletedEventCount,
    total: run.eventCount,
    unit: 'events',
  });
  for (let completed = false; !completed; ) {
    signal.throwIfAborted();
    const batch = await work.withoutExports(() => writes.run('deleteArchivedBatch', { runId }, BACKGROUND), signal);
    completed = batch.completed;
    stopPoint(completed ? 'archive_completed' : 'delete_batch_committed');
  }
}
