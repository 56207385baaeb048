import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { randomUUIDv7 } from 'bun';
import { createOnlineCompaction } from '../features/archives/compact/online/online-compaction.ts';
import { openArchivesDirectory } from '../features/archives/files/directory.ts';
import { createArchiveHome } from '../features/archives/home.ts';
import type { MaintenanceServiceDeps } from '../features/archives/maintenance/service.ts';
import { createRetention } from '../features/archives/retention.ts';
import { createRetentionSettings, type RetentionSettings } from '../features/archives/retention-settings.ts';
import { createArchiveRoutes } from '../features/archives/routes.ts';
import { createArchiveRunner } from '../features/archives/runner.ts';
import { createArchiveService } from '../features/archives/service.ts';
import { createArchiveStages } from '../features/archives/stages/create-stages.ts';
import type { ExportGate } from '../features/transfer/export/export-gate.ts';
import type { FeatureRoutes } from '../http/environment.ts';
import type { ManagerConfig } from '../platform/config/config.ts';
import { accessProblem } from '../platform/files/access-problem.ts';
import type { Store } from '../workers/store.ts';

export interface ArchivesDeps {
  readonly config: Pick<ManagerConfig, 'archivesDir' | 'archiveRetention' | 'hourlyRollupEnabled'>;
  readonly databasePath: string;
  readonly store: Store;
  readonly exportGate: ExportGate;
  readonly now: () => number;
  /** ms of a clock that nobody sets. */
  readonly elapsed: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

export interface Archives {
  readonly routes: FeatureRoutes;
  readonly retention: RetentionSettings;
  /** What the maintenance answer shows of them. */
  readonly state: Pick<
    MaintenanceServiceDeps,
    'activeRun' | 'compactingRun' | 'waitingRun' | 'retention' | 'compaction'
  >;
  /** Continues unfinished stages. Retention itself waits for the data migrations. */
  start(): void;
  /** Ends stages at their next safe point. */
  stop(): Promise<void>;
}

/** Archive runs with their dependencies; part of the composition root. */
export function createArchives({ config, databasePath, store, exportGate, now, elapsed, log }: ArchivesDeps): Archives {
  const { reader, writer } = store;
  const deleteEnabled = config.hourlyRollupEnabled;
  const home = createArchiveHome({
    open: () => openArchivesDirectory(dirname(config.archivesDir), basename(config.archivesDir)),
    createStages: (directory) =>
      createArchiveStages({
        databasePath,
        directory,
        reads: reader,
        writes: writer,
        migrations: {
          accountingCompleted: async () => (await reader.run('dataMigration', null)).status === 'completed',
          step: (name) => writer.run('stepDataMigration', name, { priority: 'background' }),
          sealOldest: store.sealOldest,
        },
        withoutExports: exportGate.alone,
        now,
      }),
  });
  const compaction = createOnlineCompaction({ reader, writer, elapsed, log });
  const runner = createArchiveRunner({
    reader,
    writer,
    stages: home.stages,
    elapsed,
    log,
    deleteEnabled,
    onDeleted: compaction.wake,
  });
  const service = createArchiveService({
    reader,
    writer,
    runner,
    home,
    newId: () => randomUUIDv7().replaceAll('-', ''),
    deleteEnabled,
  });
  const retentionSettings = createRetentionSettings({
    startup: config.archiveRetention,
    read: (keys) => reader.run('getSettings', keys),
    write: (changes) => writer.run('putSettings', changes),
    onChange: () => retention.changed(),
    now,
  });
  const retention = createRetention({
    settings: retentionSettings.get,
    deleteEnabled,
    migrated: () => reader.run('dataMigrationsCompleted', null),
    activeRun: () => reader.run('activeRetentionRun', null),
    service,
    handOver: (runId) => writer.run('handOverArchiveRun', runId),
    now,
    log,
  });

  return {
    routes: createArchiveRoutes(service),
    retention: retentionSettings,
    state: {
      activeRun: () => reader.run('activeArchiveRun', null),
      compactingRun: () => reader.run('compactingArchiveRun', null),
      waitingRun: () => reader.run('waitingArchiveRun', null),
      retention: retentionSettings.readable,
      compaction: compaction.state,
    },
    start() {
      // They are opened by the first run, which may be a month away.
      const problem = existsSync(config.archivesDir) ? accessProblem(config.archivesDir, 'write') : null;
      if (problem !== null) log.warn(`archives cannot be used: ${problem}`);
      runner.start();
      retention.start();
      compaction.start();
    },
    async stop() {
      // The runner wakes a retention that waits for a stage.
      await Promise.all([runner.stop(), retention.stop(), compaction.stop()]);
      await home.close();
    },
  };
}
