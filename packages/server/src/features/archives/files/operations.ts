import type { Database } from 'bun:sqlite';
import type { PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { readEligibleEvents } from '../stages/store-events.ts';
import { createEventDigest, type EventDigest } from './event-digest.ts';
import { MANIFEST_BYTES, MANIFEST_FILE, requireManifest } from './manifest.ts';
import { isSegmentFileName } from './segment-name.ts';
import { inspectSegment, type SegmentExpectation } from './segment-reader.ts';
import { type SegmentLimits, type WrittenSegment, writeSegment } from './segment-writer.ts';

export interface ArchiveFilesContext {
  /** Read-only. */
  readonly db: Database;
  /** The directory of a run; with `create` it is created if missing. */
  readonly directoryOf: (runId: string, options: { readonly create: boolean }) => Promise<PrivateDirectory>;
  /** Digest of the current inspection; a worker serves one stage. */
  running: EventDigest;
}

interface SegmentRequest {
  readonly runId: string;
  readonly sequence: number;
  readonly afterEventId: number;
  readonly targetEventId: number;
  readonly cutoffMs: number;
  readonly limits: SegmentLimits;
}

/** Removes leftovers of a killed process: temporary files, and segments without a row. */
async function cleanDirectory(
  context: ArchiveFilesContext,
  { runId, known }: { readonly runId: string; readonly known: readonly string[] },
): Promise<void> {
  const directory = await context.directoryOf(runId, { create: true });
  await directory.removeTemporary();
  const names = new Set(known);
  for (const { name } of await directory.list()) {
    if (isSegmentFileName(name) && !names.has(`${runId}/${name}`)) await directory.remove(name);
  }
}

/** Null when there are no more events. */
async function writeNextSegment(context: ArchiveFilesContext, request: SegmentRequest): Promise<WrittenSegment | null> {
  const directory = await context.directoryOf(request.runId, { create: true });
  return writeSegment(directory, { ...request, eventsAfter: readEligibleEvents(context.db, request) }, request.limits);
}

function beginInspection(context: ArchiveFilesContext, _args: null): void {
  context.running = createEventDigest();
}

async function inspectNextSegment(
  context: ArchiveFilesContext,
  { runId, ...expected }: SegmentExpectation & { readonly runId: string },
): Promise<void> {
  const directory = await context.directoryOf(runId, { create: false });
  await inspectSegment(directory, expected, context.running);
  // The content of a segment is large, and a worker without other allocations would keep it.
  Bun.gc(true);
}

/** Digest of the events of all inspected segments. */
function endInspection(context: ArchiveFilesContext, _args: null): string {
  return context.running.hex();
}

interface ManifestRequest {
  readonly runId: string;
  readonly text: string;
}

/** Returns its checksum. */
async function publishManifest(context: ArchiveFilesContext, { runId, text }: ManifestRequest): Promise<string> {
  const directory = await context.directoryOf(runId, { create: true });
  await directory.publish(MANIFEST_FILE, text, { beforeRename: () => stopPoint('archive_manifest_written') });
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

async function inspectManifest(
  context: ArchiveFilesContext,
  { runId, ...expected }: ManifestRequest & { readonly sha256: string },
): Promise<void> {
  const directory = await context.directoryOf(runId, { create: false });
  requireManifest(await directory.read(MANIFEST_FILE, { limitBytes: MANIFEST_BYTES, requirePrivate: true }), expected);
}

export const ARCHIVE_FILE_OPERATIONS = {
  cleanDirectory,
  writeNextSegment,
  beginInspection,
  inspectNextSegment,
  endInspection,
  publishManifest,
  inspectManifest,
} as const;
