import type { ArchiveRunResponse } from '@manager/core/contract/archives/runs';
import { until } from '@manager/core/testing/until';
import { ImportSessions } from '../../test/support/import-session.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';

const USAGE_PATH = '/v0/management/usage';
const ARCHIVES_PATH = `${USAGE_PATH}/archives`;
const LINES = 150;
const PATIENCE_MS = 60_000;

/** A finished import of existing events with some invalid lines, and an unfinished one. */
export async function importSessions(manager: ManagerProcess): Promise<string> {
  const text = await (await manager.fetch(`${USAGE_PATH}/export`)).text();
  const lines = text.split('\n').filter((line) => line !== '');
  const file = new TextEncoder().encode([...lines.slice(0, LINES), '{"no": "event"}', 'no JSON', ''].join('\n'));
  const sessions = new ImportSessions(manager);
  const done = await sessions.upload(await sessions.create(file.length), file);
  await sessions.import(done.id);
  const left = await sessions.create(file.length, 'b'.repeat(32));
  await sessions.chunk(left.id, file, 0, Math.floor(file.length / 3));
  return done.id;
}

/** A run that deleted what it archived, and a verified one that waits for a decision. */
export async function archiveRuns(manager: ManagerProcess, cutoffsMs: readonly [number, number]): Promise<string> {
  const [deleted, kept] = cutoffsMs;
  await act(manager, await verifiedRun(manager, deleted), 'delete', 'completed');
  return verifiedRun(manager, kept);
}

async function verifiedRun(manager: ManagerProcess, cutoffMs: number): Promise<string> {
  const { run } = await manager.post<ArchiveRunResponse>(ARCHIVES_PATH, { cutoff_timestamp_ms: cutoffMs });
  await act(manager, run.id, 'resume', 'archived');
  await act(manager, run.id, 'verify', 'verified');
  return run.id;
}

async function act(manager: ManagerProcess, id: string, action: string, status: string): Promise<void> {
  await manager.json(`${ARCHIVES_PATH}/${id}/${action}`, { method: 'POST' });
  await reached(manager, id, status);
}

async function reached(manager: ManagerProcess, id: string, status: string): Promise<void> {
  await until(
    async () => {
      const { run } = await manager.json<ArchiveRunResponse>(`${ARCHIVES_PATH}/${id}`);
      if (run.status === 'failed') throw new Error('the archive run failed');
      return run.status === status && run.requested_stage === undefined;
    },
    `an archive run that is ${status}`,
    PATIENCE_MS,
  );
}
