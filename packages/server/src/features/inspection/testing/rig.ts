import type { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import type { NewInspectionResult } from '@manager/core/accounts/inspection/result';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/constants';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import {
  type InspectionResult,
  type InspectionRunDetail,
  inspectionRunDetailSchema,
} from '@manager/core/contract/inspection/runs';
import { randomUUIDv7 } from 'bun';
import { ADMIN, recordingLog, startTestServer } from '../../../http/testing.ts';
import { createTestFolder } from '../../../platform/testing/test-folder.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { openStore, prepareStore } from '../../../workers/store.ts';
import { createInspection, type Inspection } from '../create-inspection.ts';
import type { ActionOutcome, ActionsRequest, WorkReport, WorkRequest } from '../ports.ts';

export const INSPECTION = '/v0/management/account-inspection';
export const START_MS = Date.UTC(2026, 5, 1, 10);

/** Inspections with a real database and a real listener; the test controls the timing of the work. */
export interface InspectionRig {
  readonly db: Database;
  readonly log: ReturnType<typeof recordingLog>;
  readonly inspection: Inspection;
  readonly store: ReturnType<typeof openStore>;
  clock: number;
  configured: boolean;
  settings: InspectionConfig;
  serverZone: string;
  work(request: WorkRequest): Promise<WorkReport>;
  execute(request: ActionsRequest): Promise<readonly ActionOutcome[]>;
  /** Ends pauses of the schedule; resolves when due work is done. */
  tick(): Promise<void>;
  /** Keys that runs were given, also of those that are not stored yet. */
  readonly runKeys: string[];
  /** Called at the start of every other pause. */
  onPause(): void;
  /** While true, all other pauses (tries of a write, the limit of stopping) end at once. */
  impatient: boolean;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Starts a manual run and returns its id. */
  started(): Promise<number>;
  detail(id: number): Promise<InspectionRunDetail>;
  /** Resolves once it is not active. */
  ended(id: number): Promise<InspectionRunDetail>;
  /** Another process on the same database; a `killed` first one ends without cleanup. */
  restart(options?: { readonly killed: boolean }): Promise<void>;
  /** As new, without the time to open a database. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // Tests read different members.
  readonly body: { readonly [member: string]: unknown };
  readonly code: unknown;
}

export const NOTHING_DONE: WorkReport = {
  actions: { success: 0, failed: 0, skipped: 0, needs_review: 0 },
  resultWriteFailedCount: 0,
};

export async function createInspectionRig(): Promise<InspectionRig> {
  const folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  mkdirSync(folder.path('temp'));
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('temp') });
  const open = () =>
    openStore({
      path,
      hourlyRollup: true,
      now: Date.now,
      log: { info: () => {}, error: (text) => console.error(text) },
    });
  const log = recordingLog();
  let store = open();
  const db = openDatabase(path);
  let parts = start();
  let sleeping: PromiseWithResolvers<void> | null = null;
  let asleep = Promise.withResolvers<void>();

  function start() {
    const inspection = createInspection({
      reader: store.reader,
      writer: store.writer,
      work: { run: (request) => rig.work(request) },
      actions: { execute: (request) => rig.execute(request) },
      configured: () => rig.configured,
      settings: () => rig.settings,
      serverZone: () => rig.serverZone,
      newId() {
        const key = randomUUIDv7().replaceAll('-', '');
        rig.runKeys.push(key);
        return key;
      },
      now: () => rig.clock,
      log,
      wait(ms) {
        rig.onPause();
        return rig.impatient ? Promise.resolve() : Bun.sleep(ms);
      },
      waitForTick: async (_ms, signal) => {
        const own = Promise.withResolvers<void>();
        sleeping = own;
        signal.addEventListener('abort', () => own.reject(signal.reason));
        asleep.resolve();
        await own.promise;
      },
    });
    return { inspection, server: startTestServer({ handlers: { inspection: inspection.routes } }) };
  }

  async function stopServer(): Promise<void> {
    await parts.server.stop();
  }

  const fresh = () => ({
    clock: START_MS,
    configured: true,
    settings: { ...DEFAULT_INSPECTION_CONFIG },
    serverZone: 'UTC',
    runKeys: [],
    onPause: () => {},
    impatient: false,
    work: async () => NOTHING_DONE,
    execute: async () => [],
  });

  const rig: InspectionRig = {
    db,
    log,
    ...fresh(),
    get store() {
      return store;
    },
    get inspection() {
      return parts.inspection;
    },
    async tick() {
      if (sleeping === null) parts.inspection.start();
      else {
        asleep = Promise.withResolvers();
        sleeping.resolve();
      }
      await asleep.promise;
    },
    async call(method, path, body, headers = {}) {
      const answer = await fetch(parts.server.url + path, {
        method,
        headers: { ...ADMIN, ...headers },
        keepalive: false,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const read: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {};
      return { status: answer.status, text, body: read, code: read.code };
    },
    async started() {
      const { body, status } = await rig.call('POST', `${INSPECTION}/run`);
      if (status !== 200) throw new Error(`no run was started: ${JSON.stringify(body)}`);
      return inspectionRunDetailSchema.parse(body).run.id;
    },
    async detail(id) {
      return inspectionRunDetailSchema.parse((await rig.call('GET', `${INSPECTION}/runs/${id}`)).body);
    },
    async ended(id) {
      for (;;) {
        const detail = await rig.detail(id);
        if (!detail.run.active) return detail;
      }
    },
    async restart({ killed } = { killed: false }) {
      await stopServer();
      if (!killed) await parts.inspection.stop();
      await store.close();
      sleeping = null;
      asleep = Promise.withResolvers();
      store = open();
      parts = start();
    },
    async reset() {
      await stopServer();
      await parts.inspection.stop();
      for (const table of ['runs', 'account_turns']) db.run(`DELETE FROM inspection_${table}`);
      db.run("DELETE FROM sqlite_sequence WHERE name LIKE 'inspection_%'");
      Object.assign(rig, fresh());
      log.lines.length = 0;
      sleeping = null;
      asleep = Promise.withResolvers();
      parts = start();
    },
    async close() {
      rig.impatient = true;
      await parts.inspection.stop();
      await stopServer();
      await store.close();
      db.close();
      folder.dispose();
    },
  };
  return rig;
}

/** A healthy account with the given changes. */
export function resultOf(runId: number, changes: Partial<NewInspectionResult> = {}): NewInspectionResult {
  const name = changes.fileName ?? 'a.json';
  return {
    runId,
    accountKey: `${name}::${changes.authIndex ?? 'x1'}`,
    fileName: name,
    displayAccount: `someone of ${name}`,
    authIndex: 'x1',
    provider: 'codex',
    disabled: false,
    action: 'keep',
    actionReason: 'monitoring.codex_inspection_reason_healthy',
    actionStatus: 'none',
    isQuota: false,
    autoRecoverEligible: false,
    quotaInventoryObserved: false,
    createdAtMs: START_MS,
    ...changes,
  };
}

export function outcomeOf(result: InspectionResult, changes: Partial<ActionOutcome> = {}): ActionOutcome {
  return { result, action: result.action, status: 'success', error: '', ...changes };
}

/** Work that waits until the test lets it continue or it is aborted. */
export function heldWork() {
  const begun = Promise.withResolvers<WorkRequest>();
  const released = Promise.withResolvers<WorkReport>();
  return {
    begun: begun.promise,
    release: (report: WorkReport = NOTHING_DONE) => released.resolve(report),
    fail: (error: Error) => released.reject(error),
    run(request: WorkRequest): Promise<WorkReport> {
      begun.resolve(request);
      return new Promise((resolve, reject) => {
        released.promise.then(resolve, reject);
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    },
  };
}

/** A completed run with the given results; returns its id and theirs. */
export async function completedRun(rig: InspectionRig, ...changes: Partial<NewInspectionResult>[]) {
  rig.work = async ({ run, store }) => {
    await store.writeProgress(run.key, {
      totalFiles: changes.length + 1,
      probeSetCount: changes.length,
      sampledCount: changes.length,
      disabledCount: 0,
      enabledCount: changes.length,
    });
    await store.saveResults(
      run.key,
      changes.map((change) => resultOf(run.id, change)),
    );
    return NOTHING_DONE;
  };
  const id = await rig.started();
  const { results } = await rig.ended(id);
  return { id, results, ids: results.map((result) => result.id) };
}
