import { AppError } from '@manager/core/contract/errors';
import { randomUUIDv7 } from 'bun';
import { ADMIN, startTestServer, type TestServer } from '../../../http/testing.ts';
import { createArchiveHome } from '../home.ts';
import { createArchiveRoutes } from '../routes.ts';
import { type ArchiveRunner, createArchiveRunner } from '../runner.ts';
import { type ArchiveService, createArchiveService } from '../service.ts';
import type { ArchiveStage, ArchiveStages, StageContext } from '../stages/stage.ts';
import { type ArchiveSite, createArchiveSite } from '../stages/testing/site.ts';

/** Called before the real work of a stage; an exception becomes the error of the stage. */
export interface Hooks {
  prepare?: (stage: ArchiveStage) => Promise<void> | void;
  run?: (stage: ArchiveStage, context: StageContext) => Promise<void> | void;
  removeTemporary?: () => void;
}

/** Runs with a real database and real files, with hooks for a test. */
export interface ArchiveRig {
  readonly site: ArchiveSite;
  readonly runner: ArchiveRunner;
  readonly service: ArchiveService;
  readonly server: TestServer;
  readonly hooks: Hooks;
  /** How often the compaction was woken. */
  readonly deletions: () => number;
  /** What the runner logged. */
  readonly log: readonly string[];
  /** Ends pauses of the runner at once. */
  tick(): void;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a run over everything and returns its id. */
  created(): Promise<string>;
  status(id: string): string;
  /** A second process on the same database and files. */
  restart(options?: { readonly deleteEnabled?: boolean }): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests read different members.
  readonly body: { readonly [member: string]: unknown };
  readonly code: unknown;
}

export interface RigOptions {
  readonly events?: number;
  readonly deleteEnabled?: boolean;
  /** False: the archive directory cannot be opened. */
  readonly directory?: () => boolean;
}

export const ARCHIVES = '/v0/management/usage/archives';
/** After all sample events. */
export const CUTOFF = { cutoff_timestamp_ms: Date.UTC(2026, 10, 1) };

export async function createArchiveRig(options: RigOptions = {}): Promise<ArchiveRig> {
  const site = await createArchiveSite({ events: options.events ?? 60 });
  const hooks: Hooks = {};
  const log: string[] = [];
  let deletions = 0;
  let parts = start(options.deleteEnabled ?? true);
  let paused: (() => void)[] = [];

  function start(deleteEnabled: boolean) {
    const { reader, writer } = site.store;
    const home = createArchiveHome({
      open: async () => {
        if (options.directory?.() === false) throw new Error('not there');
        return site.directory;
      },
      createStages: () => hooked(site.stages, hooks),
    });
    const runner = createArchiveRunner({
      reader,
      writer,
      stages: home.stages,
      deleteEnabled,
      elapsed: () => elapsedMs,
      onDeleted: () => {
        deletions += 1;
      },
      log: { info: (text) => log.push(text), warn: (text) => log.push(text) },
      wait: (_ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) reject(signal.reason);
          signal.addEventListener('abort', () => reject(signal.reason));
          paused.push(resolve);
        }),
    });
    const newId = () => randomUUIDv7().replaceAll('-', '');
    const service = createArchiveService({ reader, writer, runner, home, newId, deleteEnabled });
    const server = startTestServer({ handlers: { archives: createArchiveRoutes(service) } });
    runner.start();
    return { runner, service, server };
  }
  let elapsedMs = 0;

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(parts.server.url + path, {
      method,
      headers: { ...ADMIN, ...headers },
      keepalive: false,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const read: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : { text };
    return { status: answer.status, headers: answer.headers, body: read, code: read.code };
  }

  return {
    site,
    hooks,
    deletions: () => deletions,
    log,
    call,
    get runner() {
      return parts.runner;
    },
    get service() {
      return parts.service;
    },
    get server() {
      return parts.server;
    },
    tick() {
      elapsedMs += 3_600_000;
      const ended = paused;
      paused = [];
      for (const end of ended) end();
    },
    async created() {
      const { body, status } = await call('POST', ARCHIVES, CUTOFF);
      if (status !== 201) throw new Error(`no run was created: ${JSON.stringify(body)}`);
      return idOf(body);
    },
    status: (id) => String(site.runRow(id).status),
    async restart({ deleteEnabled = true } = {}) {
      await Promise.all([parts.runner.stop(), parts.server.stop()]);
      parts = start(deleteEnabled);
    },
    async close() {
      await parts.runner.stop();
      await parts.server.stop();
      await site.close();
    },
  };
}

export function idOf(body: Answer['body']): string {
  const { run } = body;
  if (typeof run !== 'object' || run === null || !('id' in run)) throw new Error('an answer without a run');
  return String(run.id);
}

export function coverage(): AppError {
  return new AppError('usage_archive_coverage_incomplete');
}

function hooked(stages: ArchiveStages, hooks: Hooks): ArchiveStages {
  return {
    async prepare(stage, context) {
      await hooks.prepare?.(stage);
      await stages.prepare(stage, context);
    },
    async run(stage, context) {
      await hooks.run?.(stage, context);
      await stages.run(stage, context);
    },
    async removeTemporary(runId) {
      hooks.removeTemporary?.();
      await stages.removeTemporary(runId);
    },
    close: () => stages.close(),
  };
}
