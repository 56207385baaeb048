import { stopPoint } from '../../../platform/stop-point.ts';
import { MANIFEST_FILE, manifestText } from '../files/manifest.ts';
import { coverageIncomplete } from './gates.ts';
import { inspectSegments } from './inspection.ts';
import { BACKGROUND, type StageWork } from './stage-work.ts';
import type { StageRun } from './store-run.ts';

/**
 * Writes the events of a run into files, one after the other, and then the manifest. A file is complete and durable before a
 * row refers to it, so a killed process leaves at most files without rows: they are removed and written again.
 */
export async function archive(work: StageWork): Promise<void> {
  const { reads, writes, files, runId, signal } = work;
  let run = await reads.run('archiveStageRun', runId);
  const known = await reads.run('archiveStageSegments', run.number);
  await files.run('cleanDirectory', { runId, known: known.map(({ fileName }) => fileName) });

  for (let sequence = known.length + 1; run.archivedEventCount < run.eventCount; sequence += 1) {
    await work.progress({
      phase: 'archiving_records',
      current: run.archivedEventCount,
      total: run.eventCount,
      unit: 'events',
    });
    signal.throwIfAborted();
    const segment = await files.run('writeNextSegment', {
      runId,
      sequence,
      afterEventId: run.lastArchivedEventId,
      targetEventId: run.targetEventId,
      cutoffMs: run.cutoffMs,
      limits: work.segmentLimits,
    });
    if (segment === null) throw coverageIncomplete('events of this run are missing');
    stopPoint('segment_published');
    await writes.run('recordArchiveSegment', { runId, ...segment }, BACKGROUND);
    stopPoint('segment_recorded');
    run = await reads.run('archiveStageRun', runId);
  }
  stopPoint('archive_finalizing');
  await finalize(work, run);
}

/** Reads every file again, as a restore would, before the manifest declares them complete. */
async function finalize(work: StageWork, run: StageRun): Promise<void> {
  const { reads, writes, files, runId, signal } = work;
  const segments = await reads.run('archiveStageSegments', run.number);
  const archiveDigest = await inspectSegments(work, run, segments, 'archive_finalizing');
  await work.progress({ phase: 'archive_publishing', current: 0, total: 1 });
  signal.throwIfAborted();
  const archivedAtMs = work.now();
  const text = manifestText({ ...run, eventHashDigest: archiveDigest, generatedAtMs: archivedAtMs }, segments);
  const manifestSha256 = await files.run('publishManifest', { runId, text });
  stopPoint('manifest_published');
  const manifestFile = `${runId}/${MANIFEST_FILE}`;
  await writes.run('markArchived', { runId, archiveDigest, manifestFile, manifestSha256, archivedAtMs }, BACKGROUND);
  stopPoint('archived_committed');
}
