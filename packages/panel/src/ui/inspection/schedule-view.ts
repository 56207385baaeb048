import { nextScheduledRun } from '@manager/core/accounts/inspection/next-run';
import type { AutoActionMode, InspectionResponse } from '@manager/core/contract/inspection/config';
import type { InspectionRun } from '@manager/core/contract/inspection/runs';
import { zoneOffset } from '../../platform/format/time.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';

export const AUTO_MODE_LABELS: Readonly<Record<AutoActionMode, TextKey>> = {
  none: 'inspectionSettings.autoNone',
  enable: 'inspectionSettings.autoEnable',
  disable: 'inspectionSettings.autoDisable',
  delete: 'inspectionSettings.autoDelete',
};

/** Whether every inspected account that was disabled can be enabled again: of an xai account, only an answered test request shows that it works. */
export function canRecoverAll({
  targets,
  xaiInferenceEnabled,
}: {
  readonly targets: readonly string[];
  readonly xaiInferenceEnabled: boolean;
}): boolean {
  return xaiInferenceEnabled || !targets.includes('xai');
}

type ScheduleConfig = Pick<InspectionResponse, 'enabled' | 'schedule'>;

/** `every 60 min`, `at 06:00, 18:30 in Europe/Berlin`, or that there is none. */
export function scheduleText({ enabled, schedule }: ScheduleConfig, t: Translate): string {
  if (enabled !== true) return t('inspectionSettings.noSchedule');
  if (schedule.mode === 'interval') return t('inspectionSettings.every', { minutes: schedule.intervalMinutes ?? 60 });
  const times = (schedule.timePoints ?? []).join(', ');
  return schedule.timeZone === undefined
    ? t('inspectionSettings.atServer', { times })
    : t('inspectionSettings.at', { times, zone: schedule.timeZone });
}

/** null = no schedule, or the panel cannot know. */
export type NextRun = { readonly kind: 'off' | 'unknown' | 'soon' } | { readonly kind: 'at'; readonly ms: number };

/** Runs per request: when there are that many, an older scheduled one may be missing. */
export const FEW_RUNS = 20;

/** When the schedule starts the next run, as far as the panel can know. */
export function nextRun(
  { enabled, schedule }: ScheduleConfig,
  runs: readonly InspectionRun[] | undefined,
  nowMs: number,
): NextRun {
  if (enabled !== true) return { kind: 'off' };
  const zoneName = schedule.timeZone;
  // The server's time zone is not known here.
  if (schedule.mode === 'time_points' && zoneName === undefined) return { kind: 'unknown' };
  const last = runs === undefined ? undefined : lastScheduledMs(runs);
  const mayBeOlder = runs === undefined || runs.length >= FEW_RUNS;
  if (schedule.mode === 'interval' && last === undefined && mayBeOlder) return { kind: 'unknown' };
  const ms = nextScheduledRun(
    {
      mode: schedule.mode,
      intervalMinutes: schedule.intervalMinutes ?? 60,
      timePoints: schedule.timePoints ?? [],
    },
    {
      nowMs,
      lastScheduledMs: last ?? null,
      zone: { offsetAt: (at) => (zoneName === undefined ? 0 : zoneOffset(at, zoneName)) },
    },
  );
  if (ms === null) return { kind: 'unknown' };
  return ms <= nowMs ? { kind: 'soon' } : { kind: 'at', ms };
}

/** End, else start, of the newest scheduled run among these. */
function lastScheduledMs(runs: readonly InspectionRun[]): number | undefined {
  const run = runs.find(({ triggerType }) => triggerType === 'scheduled');
  return run === undefined ? undefined : (run.finishedAtMs ?? run.startedAtMs);
}
