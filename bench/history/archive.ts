import { openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchivePreview, ArchiveRun, ArchiveRunResponse } from '@manager/core/contract/archives/runs';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { runOffline } from '../../test/support/offline-command.ts';
import { emptyDataFolder, type WorkingCopy } from '../dataset/database.ts';
import { type Figure, quantile } from '../lib/figures.ts';
import { withManager } from '../panel/site.ts';
import { type RecordedAnswers, requireSameAnswers } from './answers.ts';
import { afterDeletion } from './comparisons.ts';
import {
  type Deletion,
  type Request,
  requireDeletionIsTold,
  requireDetail,
  requireDetailIsDeleted,
} from './coverage.ts';
import { requireEqual } from './difference.ts';
import { fileBytes, phase, requireSound, resourceFigures, seconds } from './phases.ts';
import { CUTOFF_MS } from './questions.ts';
import { exportInto, importAtOnce, requireImported, requireSameFiles } from './transfer.ts';

export interface ArchiveOptions {
  readonly source: WorkingCopy;
  /** What the source says before. */
  readonly answers: RecordedAnswers;
  readonly events: number;
  /** Its export before. */
  readonly exportPath: string;
  readonly folder: string;
  progress(text: string): void;
}

const ARCHIVES_PATH = '/v0/management/usage/archives';
const LINE_BYTES = 64 * 1024;

/** Archives and deletes the older half, compacts the file, asks everything again, and reads the archive back. */
export async function measureArchive(options: ArchiveOptions): Promise<readonly Figure[]> {
  const { source, answers, events, exportPath, folder, progress } = options;
  const oldest = firstRequest(exportPath);
  await withManager(source, {}, (manager) => requireDetail(manager, oldest));
  const before = fileBytes(source);

  progress('archive, verify, delete');
  const archived = await phase(source, archiveOlderHalf);
  const { run, segments, took } = archived.result;
  const deletion: Deletion = {
    events,
    deleted: run.event_count,
    firstMs: Math.min(...segments.map(({ min_timestamp_ms }) => min_timestamp_ms)),
    lastMs: Math.max(...segments.map(({ max_timestamp_ms }) => max_timestamp_ms)),
  };
  const requireUnchanged = async (when: string, manager: ManagerProcess) => {
    await requireDeletionIsTold(manager, deletion);
    await requireDetailIsDeleted(manager, oldest);
    return requireSameAnswers(when, manager, answers, afterDeletion());
  };
  const afterDelete = fileBytes(source);
  progress('answers after the deletion');
  await withManager(source, {}, (manager) => requireUnchanged('after the deletion', manager));

  progress('compact-usage');
  const compacted = await seconds(() => runOffline(['compact-usage'], { dataDir: source.folder }));
  if (compacted.result.code !== 0) throw new Error(`compact-usage failed:\n${compacted.result.err}`);
  const afterCompact = fileBytes(source);
  progress('answers after compacting');
  const compared = await withManager(source, {}, (manager) => requireUnchanged('after compacting', manager));

  progress('import of the segments into the same database');
  const files = segmentFiles(source, run.id);
  const known = await phase(source, async (manager) => {
    const imported = await seconds(() => importSegments(manager, files));
    requireImported('the import of the segments', imported.result, 0, run.event_count);
    return imported;
  });
  await withManager(source, {}, async (manager) => {
    await requireDeletionIsTold(manager, deletion);
    await requireDetailIsDeleted(manager, oldest);
  });
  await requireSound(source);

  progress('import of the segments into a fresh database');
  const restored = await restore(source, files, join(folder, 'restored.jsonl'), run.event_count);
  requireSameFiles('archive and what is left, exported', join(folder, 'restored.jsonl'), exportPath);

  const perSecond = (name: string, value: number): Figure => ({
    name,
    value: run.event_count / value,
    unit: 'events/s',
    note: `${value.toFixed(1)} s`,
  });
  const megabytes = (name: string, bytes: number, note?: string): Figure => ({
    name,
    value: bytes / 1e6,
    unit: 'MB',
    ...(note === undefined ? {} : { note }),
  });
  return [
    { name: 'events to archive', value: run.event_count, unit: '', note: `of ${events.toLocaleString('en')}` },
    { name: 'preview and create', value: took.create * 1000, unit: 'ms' },
    perSecond('archive', took.archive),
    perSecond('verify', took.verify),
    perSecond('delete', took.delete),
    {
      name: 'segments',
      value: run.archived_compressed_bytes / run.event_count,
      unit: 'B/event',
      note: `${segments.length} files; ${(run.archived_uncompressed_bytes / run.event_count).toFixed(0)} B/event unpacked`,
    },
    ...resourceFigures('archive run', archived, run.event_count),
    { name: 'archive run, /health p99', value: quantile(archived.healthMs, 0.99), unit: 'ms', bar: { atMost: 50 } },
    megabytes('file before', before),
    megabytes('file after the deletion', afterDelete, 'free pages stay in it'),
    megabytes('file after compact-usage', afterCompact, `${(afterCompact / events).toFixed(0)} B for each event ever`),
    { name: 'compact-usage', value: compacted.seconds, unit: 's' },
    {
      name: 'answers equal to those before',
      value: compared,
      unit: '',
      note: 'after the deletion, and after compacting',
    },
    perSecond('import of the segments, all skipped', known.result.seconds),
    ...resourceFigures('import of the segments', known, run.event_count),
    perSecond('import of the segments into a fresh database', restored.seconds),
    { name: 'its export and what is left: the same bytes', value: events, unit: 'lines' },
  ];
}

interface Archived extends ArchiveRunResponse {
  /** Seconds. */
  readonly took: Readonly<Record<'create' | 'archive' | 'verify' | 'delete', number>>;
}

async function archiveOlderHalf(manager: ManagerProcess): Promise<Archived> {
  const cutoff = { cutoff_timestamp_ms: CUTOFF_MS };
  const created = await seconds(async () => {
    const preview = await manager.post<ArchivePreview>(`${ARCHIVES_PATH}/preview`, cutoff);
    const { run } = await manager.post<ArchiveRunResponse>(ARCHIVES_PATH, cutoff);
    requireEqual('events of the run', run.event_count, preview.event_count);
    return run;
  });
  const { id } = created.result;
  const archive = await seconds(() => act(manager, id, 'resume', 'archived'));
  const verify = await seconds(() => act(manager, id, 'verify', 'verified'));
  const deletion = await seconds(() => act(manager, id, 'delete', 'completed'));
  requireEqual('deleted events', deletion.result.run.deleted_event_count, created.result.event_count);
  return {
    ...deletion.result,
    took: {
      create: created.seconds,
      archive: archive.seconds,
      verify: verify.seconds,
      delete: deletion.seconds,
    },
  };
}

/** Waits for the end of the stage, however long it takes. */
async function act(
  manager: ManagerProcess,
  id: string,
  action: string,
  status: ArchiveRun['status'],
): Promise<ArchiveRunResponse> {
  const init = { method: 'POST', timeout: false };
  const answer = await manager.json<ArchiveRunResponse>(`${ARCHIVES_PATH}/${id}/${action}`, init);
  requireEqual(`status after ${action}`, answer.run.status, status);
  return answer;
}

function segmentFiles(source: WorkingCopy, id: string): readonly string[] {
  const folder = join(source.folder, 'usage-archives', id);
  const names = readdirSync(folder).filter((name) => name.startsWith('segment-'));
  return names.sort().map((name) => join(folder, name));
}

/** Each file as one request; the sums of the results. */
async function importSegments(manager: ManagerProcess, files: readonly string[]) {
  const sums = { added: 0, skipped: 0, failed: 0, unsupported: 0 };
  for (const file of files) {
    const result = await importAtOnce(manager, Bun.gunzipSync(readFileSync(file)));
    for (const name of ['added', 'skipped', 'failed', 'unsupported'] as const) sums[name] += result[name];
  }
  return sums;
}

/** The export of a fresh database that was filled from the archive, followed by that of the source. */
async function restore(source: WorkingCopy, files: readonly string[], path: string, events: number) {
  const target = emptyDataFolder();
  try {
    return await withManager(target, {}, async (manager) => {
      const imported = await seconds(() => importSegments(manager, files));
      requireImported('the import of the segments into a fresh database', imported.result, events, 0);
      await exportInto(manager, path);
      await withManager(source, {}, (rest) => exportInto(rest, path, true));
      return imported;
    });
  } finally {
    target.remove();
  }
}

function firstRequest(exportPath: string): Request {
  const buffer = Buffer.alloc(LINE_BYTES);
  readSync(openSync(exportPath, 'r'), buffer);
  return JSON.parse(buffer.toString('utf8', 0, buffer.indexOf('\n'))) as Request;
}
