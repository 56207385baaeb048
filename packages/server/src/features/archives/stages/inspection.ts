import { basename } from 'node:path';
import { ARCHIVE_MODES } from '@manager/core/contract/archives/runs';
import { stopPoint } from '../../../platform/stop-point.ts';
import { ArchiveDamaged } from '../files/damaged.ts';
import { manifestText } from '../files/manifest.ts';
import { coverageIncomplete } from './gates.ts';
import type { ArchivePhase } from './stage.ts';
import type { StageWork } from './stage-work.ts';
import type { ReferenceProof } from './store-proof.ts';
import type { StageRun, StageSegment } from './store-run.ts';

/**
 * Reads every segment and compares it with its row; returns the digest of all events.
 *
 * @throws an error of a damaged file
 */
export async function inspectSegments(
  { files, runId, progress, signal }: StageWork,
  run: StageRun,
  segments: readonly StageSegment[],
  phase: ArchivePhase,
): Promise<string> {
  await files.run('beginInspection', null);
  let afterEventId = 0;
  for (const [index, { fileName, facts }] of segments.entries()) {
    await progress({ phase, current: index, total: segments.length, unit: 'segments' });
    signal.throwIfAborted();
    if (facts.sequence !== index + 1) throw new ArchiveDamaged(`archive segment ${index + 1} has no row`);
    await files.run('inspectNextSegment', {
      runId,
      fileName: basename(fileName),
      facts,
      afterEventId,
      cutoffMs: run.cutoffMs,
    });
    stopPoint(`${phase}_segment`);
    afterEventId = facts.lastEventId;
  }
  if (afterEventId !== run.targetEventId) throw new ArchiveDamaged('the files end before the last event of the run');
  return files.run('endInspection', null);
}

/**
 * The complete check of a run's files: manifest, every segment, and both against the rows of the database.
 *
 * @throws an error of a damaged file
 */
export async function inspectArchive(work: StageWork, phase: ArchivePhase): Promise<StageRun> {
  const { reads, files, runId } = work;
  const run = await reads.run('archiveStageRun', runId);
  const segments = await reads.run('archiveStageSegments', run.number);
  const { archiveDigest, manifestSha256, archivedAtMs } = run;
  if (archiveDigest === null || manifestSha256 === null || archivedAtMs === null) {
    throw new ArchiveDamaged('the run has no manifest');
  }
  const written = (mode: string) =>
    manifestText({ ...run, mode, eventHashDigest: archiveDigest, generatedAtMs: archivedAtMs }, segments);
  // A run of the retention that was handed over is a manual one now; the stored checksum tells which of both was written.
  const text = ARCHIVE_MODES.map(written).find((known) => sha256(known) === manifestSha256) ?? written(run.mode);
  await files.run('inspectManifest', { runId, text, sha256: manifestSha256 });
  requireTotals(run, segments);
  const digest = await inspectSegments(work, run, segments, phase);
  if (digest !== archiveDigest) throw new ArchiveDamaged('the digest of all events differs');
  return run;
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

function requireTotals(run: StageRun, segments: readonly StageSegment[]): void {
  const sum = (name: 'eventCount' | 'uncompressedBytes' | 'compressedBytes') =>
    segments.reduce((total, { facts }) => total + facts[name], 0);
  const isSame =
    sum('eventCount') === run.eventCount &&
    run.archivedEventCount === run.eventCount &&
    run.lastArchivedEventId === run.targetEventId &&
    sum('uncompressedBytes') === run.archivedUncompressedBytes &&
    sum('compressedBytes') === run.archivedCompressedBytes;
  if (!isSame) throw new ArchiveDamaged('the archive segments do not add up to the run');
}

/**
 * Every event of the run has its reference, and those that are not deleted match the ledger.
 *
 * @param rawRows whether their raw rows must exist too
 * @throws usage_archive_coverage_incomplete
 */
export async function proveReferences(
  { reads, signal }: Pick<StageWork, 'reads' | 'signal'>,
  run: StageRun,
  { rawRows }: { readonly rawRows: boolean },
): Promise<void> {
  let known = run.deletedEventCount;
  for (let afterId: number | null = 0; afterId !== null; ) {
    signal.throwIfAborted();
    const page: ReferenceProof = await reads.run(
      'proveArchiveReferences',
      { runNumber: run.number, afterId },
      { priority: 'background' },
    );
    if (page.unclaimedId !== null) throw coverageIncomplete(`event ${page.unclaimedId} differs from the ledger`);
    if (rawRows && page.missingId !== null)
      throw coverageIncomplete(`the raw row of event ${page.missingId} is missing`);
    known += page.references;
    afterId = page.lastId;
  }
  if (known !== run.eventCount) throw coverageIncomplete(`${known} of ${run.eventCount} events of the run are known`);
}
