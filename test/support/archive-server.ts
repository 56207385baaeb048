import { expect } from 'bun:test';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import type { ArchiveListResponse, ArchiveRun, ArchiveRunResponse } from '@manager/core/contract/archives/runs';
import { until } from '@manager/core/testing/until';
import { createTestIngester, records, recordText } from '@manager/server/events/testing/test-ingester';
import { openDatabase } from '@manager/server/sqlite/open';
import { checkStored } from './after-crash.ts';
import { ManagerProcess, temporaryFolder } from './manager-process.ts';

const USAGE = '/v0/management/usage';
const ARCHIVES = `${USAGE}/archives`;

/** Data directories and servers of an archive test; `remove` deletes all of them. */
export function archiveServers() {
  const folders: string[] = [];
  const managers: ManagerProcess[] = [];

  function folder(): string {
    const path = temporaryFolder();
    folders.push(path);
    return path;
  }

  async function start(dataDir: string, stopAt?: string, env: Record<string, string> = {}): Promise<ManagerProcess> {
    const manager = await ManagerProcess.start({ dataDir, env, ...(stopAt === undefined ? {} : { stopAt }) });
    managers.push(manager);
    return manager;
  }

  return {
    folder,
    start,
    copyOf(source: string): string {
      const target = folder();
      cpSync(source, target, { recursive: true, preserveTimestamps: true });
      return target;
    },
    /** Runs until the server kills itself at the stop point. The open request gets no answer. */
    async killed(dataDir: string, stopAt: string, run: (manager: ManagerProcess) => Promise<unknown>): Promise<void> {
      const manager = await start(dataDir, stopAt);
      const lastCall = run(manager).catch(() => null);
      await manager.killed();
      await lastCall;
    },
    /** The same where a stage starts automatically. */
    killedByItself(dataDir: string, stopAt: string, env: Record<string, string> = {}): Promise<void> {
      return ManagerProcess.runUntilKilled({ dataDir, stopAt, env });
    },
    async remove(): Promise<void> {
      for (const manager of managers) await manager.remove();
      for (const path of folders) rmSync(path, { recursive: true, force: true });
    },
  };
}

export function act(manager: ManagerProcess, id: string, action: string): Promise<Response> {
  return manager.fetch(`${ARCHIVES}/${id}/${action}`, { method: 'POST' });
}

export async function createRun(manager: ManagerProcess, cutoffMs: number): Promise<string> {
  return (await manager.post<ArchiveRunResponse>(ARCHIVES, { cutoff_timestamp_ms: cutoffMs })).run.id;
}

export async function archiveRuns(manager: ManagerProcess): Promise<readonly ArchiveRun[]> {
  return (await manager.json<ArchiveListResponse>(ARCHIVES)).runs;
}

export async function onlyRun(manager: ManagerProcess): Promise<ArchiveRun> {
  const [run, ...others] = await archiveRuns(manager);
  if (run === undefined || others.length > 0) throw new Error(`${others.length + (run === undefined ? 0 : 1)} runs`);
  return run;
}

/** Waits until the only run has this status and no pending action. */
export function settledRun(manager: ManagerProcess, status: string): Promise<ArchiveRun> {
  return until(async () => {
    const run = await onlyRun(manager);
    return run.status === status && run.requested_stage === undefined ? run : null;
  }, `a run that is ${status}`);
}

export async function requireFreeLock(manager: ManagerProcess): Promise<void> {
  expect(await manager.json<UsageMaintenanceResponse>(`${USAGE}/maintenance`)).not.toHaveProperty('active_lock');
}

/** Stops the server; its data must be consistent and contain this many raw events. */
export async function stopWith(manager: ManagerProcess, events: number): Promise<void> {
  expect(await manager.stop()).toBe(0);
  expect(checkStored(manager.dataDir)).toBe(events);
}

/** The directory of a run's files; without an id, of the only run. */
export function runDirectory(dataDir: string, id?: string): string {
  const archives = join(dataDir, 'usage-archives');
  return join(archives, id ?? readdirSync(archives)[0] ?? 'none');
}

export function segmentPaths(dataDir: string, id?: string): string[] {
  const directory = runDirectory(dataDir, id);
  return readdirSync(directory)
    .filter((name) => name.startsWith('segment-'))
    .toSorted()
    .map((name) => join(directory, name));
}

/** Every file is present, complete and known: rows and files have the same checksums, and no temporary file is left. */
export function checkFiles(dataDir: string): void {
  const sha256 = (path: string) => new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex');
  const archives = join(dataDir, 'usage-archives');
  const database = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  const segments = database
    .query<{ name: string; hash: string }, []>(
      'SELECT file_name AS name, content_sha256 AS hash FROM usage_archive_segments ORDER BY file_name',
    )
    .all();
  const manifests = database
    .query<{ name: string; hash: string }, []>(
      `SELECT manifest_file AS name, manifest_sha256 AS hash
       FROM usage_archive_runs
       WHERE manifest_file IS NOT NULL
       ORDER BY id`,
    )
    .all();
  database.close();
  const known = [...segments, ...manifests];
  expect(known.map(({ name }) => ({ name, hash: sha256(join(archives, name)) }))).toEqual(known);
  const files = readdirSync(archives).flatMap((run) =>
    readdirSync(join(archives, run)).map((file) => `${run}/${file}`),
  );
  expect(files.toSorted()).toEqual(known.map(({ name }) => name).toSorted());
}

/** One small event every five milliseconds. */
export function fillEvents(dataDir: string, fromMs: number, from: number, to: number): void {
  const ingester = createTestIngester(join(dataDir, 'usage.sqlite'));
  for (let start = from; start < to; start += 1_000) {
    const texts = Array.from({ length: Math.min(1_000, to - start) }, (_, index) =>
      recordText({
        request_id: `request-${start + index}`,
        timestamp: new Date(fromMs + (start + index) * 5).toISOString(),
      }),
    );
    ingester.ingest({ records: records(...texts) });
  }
  ingester.db.close();
}

/** Only while the server is down. */
export function inDatabase<T>(dataDir: string, sql: string): T[] {
  const database = openDatabase(join(dataDir, 'usage.sqlite'));
  const rows = database.query<T, []>(sql).all();
  database.close();
  return rows;
}

interface RunRow {
  readonly status: string;
  readonly archived: number;
  readonly deleted: number;
  readonly segments: number;
  readonly lockedBy: string | null;
}

/** Only while the server is down. */
export function runRow(dataDir: string): RunRow | undefined {
  return inDatabase<RunRow>(
    dataDir,
    `SELECT
       status,
       archived_event_count AS archived,
       deleted_event_count AS deleted,
       (SELECT count(*) FROM usage_archive_segments) AS segments,
       (SELECT operation FROM usage_maintenance_locks) AS lockedBy
     FROM usage_archive_runs`,
  )[0];
}
