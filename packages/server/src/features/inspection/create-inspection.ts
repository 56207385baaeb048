import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type { FeatureRoutes } from '../../http/environment.ts';
import { createInspectionStore } from './inspection-store.ts';
import type { InspectionActions, InspectionStore, InspectionWork } from './ports.ts';
import { createInspectionRoutes } from './routes.ts';
import { createInspectionRunner, type InspectionLogger } from './runner.ts';
import { createInspectionSchedule } from './schedule.ts';
import { createInspectionService } from './service.ts';
import type { InspectionReads, InspectionWrites } from './store.ts';

export interface InspectionDeps {
  readonly reader: InspectionReads;
  readonly writer: InspectionWrites;
  readonly work: InspectionWork;
  readonly actions: InspectionActions;
  /** Whether a gateway is configured. */
  readonly configured: () => boolean;
  /** The settings in effect. */
  readonly settings: () => InspectionConfig;
  /** IANA name of the zone of this machine. */
  readonly serverZone: () => string;
  /** 32 lower-case hex digits that ascend with time. */
  readonly newId: () => string;
  readonly now: () => number;
  readonly log: InspectionLogger;
  /** Pauses; replaced in tests. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Pause between two checks of the schedule; replaced in tests. */
  readonly waitForTick?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Inspection {
  readonly routes: FeatureRoutes;
  readonly store: InspectionStore;
  /** Ends unfinished runs of an earlier process, then checks the schedule regularly. */
  start(): void;
  /** Starts nothing more, aborts running work and waits for it, at most 20 seconds. */
  stop(): Promise<void>;
}

export function createInspection(deps: InspectionDeps): Inspection {
  const { reader, writer, configured, settings, now, log } = deps;
  const pauses = deps.wait === undefined ? {} : { wait: deps.wait };
  const store = createInspectionStore({ reader, writer, now });
  const runner = createInspectionRunner({
    writer,
    store,
    work: deps.work,
    settings,
    newId: deps.newId,
    now,
    log,
    ...pauses,
  });
  const schedule = createInspectionSchedule({
    runner,
    reader,
    settings,
    configured,
    serverZone: deps.serverZone,
    now,
    log,
    ...(deps.waitForTick === undefined ? {} : { wait: deps.waitForTick }),
  });
  const service = createInspectionService({
    reader,
    writer,
    store,
    runner,
    actions: deps.actions,
    configured,
    now,
    log,
    ...pauses,
  });
  return {
    routes: createInspectionRoutes(service),
    store,
    start: schedule.start,
    async stop() {
      runner.close();
      await Promise.all([schedule.stop(), runner.stop()]);
    },
  };
}
