import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveRunResponse } from '@manager/core/contract/archives/runs';
import { checkStored } from '../support/after-crash.ts';
import { act, archiveServers, createRun, segmentPaths } from '../support/archive-server.ts';
import { writeHistory } from '../support/history-database.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { runOffline } from '../support/offline-command.ts';
import { savePrices } from '../support/panel-calls/prices.ts';
import { trafficSubjects } from '../support/panel-calls/subjects.ts';
import { exportInto, type ImportResult, importAtOnce, importBySession } from '../support/transfer.ts';
import { type Comparison, differentAnswers, type RecordedAnswers, recordAnswers } from './answers.ts';
import { afterDeletion, afterImport } from './comparisons.ts';
import { askForDetail, checkDeletionIsReported, type Deletion, type Request } from './coverage.ts';
import { differentLine } from './files.ts';
import { CUTOFF_MS, historyQuestions } from './questions.ts';

// Moving and compacting a database keeps every answer and every byte of the export. Steps build on each other. The full size has
// product-size segments in both databases: MANAGER_FULL_FAULTS=1.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const EVENTS = FULL ? 300_000 : 2_500;
const SEGMENT_ROWS = FULL ? 65_536 : 560;
const ACCOUNTS = FULL ? 500 : 40;
const LINE_BYTES = 64 * 1024;
setDefaultTimeout(FULL ? 3_600_000 : 180_000);

const servers = archiveServers();
const source = servers.folder();
const work = servers.folder();
const firstExport = join(work, 'first.jsonl');
let answers: RecordedAnswers;
let deletion: Deletion;

beforeAll(async () => {
  await writeHistory(join(source, 'usage.sqlite'), { events: EVENTS, segmentRows: SEGMENT_ROWS, accounts: ACCOUNTS });
  await withManager(source, async (manager) => {
    await savePrices(manager);
    const questions = await historyQuestions(manager, trafficSubjects(ACCOUNTS));
    answers = await recordAnswers(manager, questions, join(work, 'answers'));
    expect((await exportInto(manager, firstExport)).lines).toBe(EVENTS);
  });
});
afterAll(servers.remove);

async function withManager<T>(dataDir: string, run: (manager: ManagerProcess) => Promise<T>): Promise<T> {
  const manager = await servers.start(dataDir);
  try {
    return await run(manager);
  } finally {
    expect(await manager.stop()).toBe(0);
  }
}

async function checkAnswers(manager: ManagerProcess, comparison: Comparison): Promise<void> {
  expect(answers.questions.filter(comparison.applies).length).toBeGreaterThan(50);
  expect(await differentAnswers(manager, answers, comparison)).toEqual([]);
}

function checkImported(result: ImportResult, added: number): void {
  expect(result).toMatchObject({ added, skipped: 0, failed: 0, unsupported: 0 });
}

/** Time of the oldest event. */
function firstRequest(): Request {
  const buffer = Buffer.alloc(LINE_BYTES);
  readSync(openSync(firstExport, 'r'), buffer);
  return JSON.parse(buffer.toString('utf8', 0, buffer.indexOf('\n'))) as Request;
}

test('an export, imported into an empty database, gives the same export and the same answers', async () => {
  const target = servers.folder();
  const secondExport = join(work, 'second.jsonl');
  await withManager(target, async (manager) => {
    checkImported((await importBySession(manager, firstExport)).result, EVENTS);
  });
  await withManager(target, async (manager) => {
    await exportInto(manager, secondExport);
    expect(differentLine(secondExport, firstExport)).toBeNull();
    await savePrices(manager);
    await checkAnswers(manager, afterImport());
  });
  expect(checkStored(target)).toBe(EVENTS);
});

describe('the older half, archived and deleted', () => {
  test('is reported as deleted', async () => {
    deletion = await withManager(source, archiveOlderHalf);
    expect(deletion.deleted).toBeGreaterThan(0.49 * EVENTS);
    await withManager(source, (manager) => checkDeletionIsReported(manager, deletion));
  });

  test('and the file compacted: no total, rank or percentile changes, lists hold what remains', async () => {
    expect(await runOffline(['compact-usage'], { dataDir: source })).toMatchObject({ code: 0 });
    await withManager(source, async (manager) => {
      await checkDeletionIsReported(manager, deletion);
      await checkAnswers(manager, afterDeletion());
    });
    expect(checkStored(source)).toBe(EVENTS - deletion.deleted);
  });

  test('comes back from its segments: with what remains it is the first export, byte by byte', async () => {
    const restored = join(work, 'restored.jsonl');
    const target = servers.folder();
    await withManager(target, async (manager) => {
      let added = 0;
      for (const segment of segmentPaths(source)) {
        const result = await importAtOnce(manager, Bun.gunzipSync(readFileSync(segment)));
        checkImported(result, result.total);
        added += result.added;
      }
      expect(added).toBe(deletion.deleted);
      await exportInto(manager, restored);
    });
    await withManager(source, (manager) => exportInto(manager, restored, true));
    expect(differentLine(restored, firstExport)).toBeNull();
  });
});

async function archiveOlderHalf(manager: ManagerProcess): Promise<Deletion> {
  const request = firstRequest();
  const { events, coverage } = await askForDetail(manager, request);
  expect(events?.items).toMatchObject([{ event_hash: request.event_hash }]);
  expect(coverage).toBeUndefined();

  const id = await createRun(manager, CUTOFF_MS);
  for (const action of ['resume', 'verify']) expect((await act(manager, id, action)).status).toBe(200);
  const { run, segments } = (await (await act(manager, id, 'delete')).json()) as ArchiveRunResponse;
  expect(run).toMatchObject({ status: 'completed', deleted_event_count: run.event_count });
  return {
    events: EVENTS,
    deleted: run.event_count,
    firstMs: Math.min(...segments.map(({ min_timestamp_ms }) => min_timestamp_ms)),
    lastMs: Math.max(...segments.map(({ max_timestamp_ms }) => max_timestamp_ms)),
    request,
  };
}
