import { setTimeout as waitFor } from 'node:timers/promises';
import { scheduleVerdict } from '@manager/core/accounts/inspection/schedule';
import { AppError } from '@manager/core/contract/errors';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type { Zone } from '@manager/core/time/zones';
import { codeOf } from '../../sqlite/worker/errors.ts';
import type { InspectionLogger, InspectionRunner } from './runner.ts';
import type { InspectionReads } from './store.ts';
import { zoneNamed } from './zone-named.ts';

export interface InspectionScheduleDeps {
  readonly runner: Pick<InspectionRunner, 'busy' | 'recover' | 'startScheduled'>;
  readonly reader: InspectionReads;
  readonly settings: () => InspectionConfig;
  /** Settles changes whose end is not known. */
  readonly recoverOwnership: (signal: AbortSignal) => Promise<unknown>;
  /** Whether there is an upstream. */
  readonly configured: () => boolean;
  /** IANA name, for schedules that name no zone. */
  readonly serverZone: () => string;
  readonly now: () => number;
  readonly log: InspectionLogger;
  /** Pauses; replaced in tests. Rejects once the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Starts scheduled runs, and ends what a killed process left, whether there is a schedule or not. */
export interface InspectionScheduleLoop {
  start(): void;
  stop(): Promise<void>;
}

/** Twice a minute, so that no minute of the clock is missed. */
const TICK_MS = 30_000;
/** Somebody may hold an auth file for long, and a run may be due. */
const SETTLE_MS = 20_000;

export function createInspectionSchedule(deps: InspectionScheduleDeps): InspectionScheduleLoop {
  const { runner, log } = deps;
  const pause = deps.wait ?? ((ms, signal) => waitFor(ms, undefined, { signal, ref: false }));
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let lastFailure = '';
  let zone: Zone | null = null;

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tick();
      try {
        await pause(TICK_MS, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) throw error;
      }
    }
  }

  async function tick(): Promise<void> {
    try {
      await runner.recover();
      await settleOwnership();
      await startIfDue();
      lastFailure = '';
    } catch (error) {
      tellOnce(error);
    }
  }

  /** Soon, whenever that is: what a person disables while it is open whose it is would be taken for the inspection's. */
  async function settleOwnership(): Promise<void> {
    if (!deps.configured() || runner.busy()) return;
    try {
      await deps.recoverOwnership(AbortSignal.any([stopping.signal, AbortSignal.timeout(SETTLE_MS)]));
    } catch (error) {
      if (!stopping.signal.aborted) tellOnce(error);
    }
  }

  async function startIfDue(): Promise<void> {
    if (!deps.configured() || !deps.settings().enabled || runner.busy()) return;
    const lastScheduledMs = await deps.reader.run('lastScheduledInspection', null);
    const { schedule } = deps.settings();
    const moment = { nowMs: deps.now(), lastScheduledMs, zone: zoneOf(schedule.timeZone || deps.serverZone()) };
    const { due, triggerKey } = scheduleVerdict(schedule, moment);
    if (!due || stopping.signal.aborted) return;
    try {
      await runner.startScheduled(triggerKey);
    } catch (error) {
      // Somebody was faster, or the manager stops: this time is left out.
      if (!(error instanceof AppError && error.status === 409)) throw error;
    }
  }

  function zoneOf(name: string): Zone {
    if (zone?.name !== name) zone = zoneNamed(name);
    return zone;
  }

  /** The same failure every 30 seconds is one failure. */
  function tellOnce(error: unknown): void {
    const failure = `${codeOf(error)}: ${error instanceof Error ? error.message : 'unknown error'}`;
    if (codeOf(error) === 'WORKER_CLOSED' || failure === lastFailure) return;
    lastFailure = failure;
    log.error({ err: error }, 'inspections: what was due now is left out');
  }

  return {
    start() {
      running ??= loop();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
