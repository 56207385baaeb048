import { scheduleVerdict } from '@manager/core/accounts/inspection/schedule';
import { AppError, type ErrorCode } from '@manager/core/contract/errors';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import { zoneNamed } from '@manager/core/time/zone-named';
import type { Zone } from '@manager/core/time/zones';
import { createLoop, type Loop, type Pause } from '../../platform/loop.ts';
import type { InspectionLogger, InspectionRunner } from './runner.ts';
import type { InspectionReads } from './store.ts';

export interface InspectionScheduleDeps {
  readonly runner: Pick<InspectionRunner, 'busy' | 'recover' | 'startScheduled'>;
  readonly reader: InspectionReads;
  readonly settings: () => InspectionConfig;
  /** Whether a gateway is configured. */
  readonly configured: () => boolean;
  /** IANA name, for schedules without a zone. */
  readonly serverZone: () => string;
  readonly now: () => number;
  readonly log: InspectionLogger;
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

/** Another run has started, or the manager stops: this time is skipped. */
const SKIPS: readonly ErrorCode[] = ['inspection_active', 'manager_stopping'];

/** Twice a minute, so that no minute is missed. */
const TICK_MS = 30_000;

/** Starts scheduled runs, and ends runs of a killed process even without a schedule. */
export function createInspectionSchedule(deps: InspectionScheduleDeps): Loop {
  const { runner, log } = deps;
  let zone: Zone | null = null;
  const loop = createLoop({
    async round() {
      await runner.recover();
      await startIfDue();
      return TICK_MS;
    },
    failed(error, count) {
      if (count === 1) log.error({ err: error }, 'inspections: skipped the due run');
      return TICK_MS;
    },
    wait: deps.wait,
  });

  async function startIfDue(): Promise<void> {
    if (!deps.configured() || !deps.settings().enabled || runner.busy()) return;
    const lastScheduledMs = await deps.reader.run('lastScheduledInspection', null);
    const { schedule } = deps.settings();
    const moment = { nowMs: deps.now(), lastScheduledMs, zone: zoneOf(schedule.timeZone || deps.serverZone()) };
    const { due, triggerKey } = scheduleVerdict(schedule, moment);
    if (!due || loop.stopping.aborted) return;
    try {
      await runner.startScheduled(triggerKey);
    } catch (error) {
      if (!(error instanceof AppError && SKIPS.includes(error.code))) throw error;
    }
  }

  function zoneOf(name: string): Zone {
    if (zone?.name !== name) zone = zoneNamed(name);
    return zone;
  }

  return loop;
}
