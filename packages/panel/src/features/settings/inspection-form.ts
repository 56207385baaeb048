import type {
  AutoActionMode,
  InspectionRequest,
  InspectionResponse,
  InspectionTarget,
} from '@manager/core/contract/inspection/config';
import type { TextKey } from '../../platform/i18n/index.ts';
import { fitsRange, type NumberRange } from '../../platform/wording/number-range.ts';

/** Fields of the inspection settings. */
export interface InspectionForm {
  readonly enabled: boolean;
  readonly mode: 'interval' | 'time_points';
  readonly intervalMinutes: number;
  /** As typed: `06:00, 18:30`. */
  readonly timePoints: string;
  /** '' = the server's. */
  readonly timeZone: string;
  readonly targets: readonly InspectionTarget[];
  /** 0 = all. */
  readonly sampleSize: number;
  readonly usedPercentThreshold: number;
  readonly workers: number;
  readonly deleteWorkers: number;
  /** ms. */
  readonly timeout: number;
  readonly retries: number;
  readonly userAgent: string;
  readonly xaiInferenceEnabled: boolean;
  readonly xaiInferenceModel: string;
  readonly xaiInferencePrompt: string;
  readonly xaiInferenceUserAgent: string;
  readonly autoActionMode: AutoActionMode;
  readonly autoRecoverEnabled: boolean;
}

export interface InspectionFieldsProps {
  readonly form: InspectionForm;
  readonly onChange: (change: Partial<InspectionForm>) => void;
}

export function inspectionFormOf(config: InspectionResponse): InspectionForm {
  const { schedule } = config;
  return {
    enabled: config.enabled === true,
    mode: schedule.mode,
    intervalMinutes: schedule.intervalMinutes ?? 60,
    timePoints: (schedule.timePoints ?? []).join(', '),
    timeZone: schedule.timeZone ?? '',
    targets: config.targetTypes,
    sampleSize: config.sampleSize ?? 0,
    usedPercentThreshold: config.usedPercentThreshold,
    workers: config.workers,
    deleteWorkers: config.deleteWorkers,
    timeout: config.timeout,
    retries: config.retries ?? 0,
    userAgent: config.userAgent,
    xaiInferenceEnabled: config.xaiInferenceEnabled === true,
    xaiInferenceModel: config.xaiInferenceModel,
    xaiInferencePrompt: config.xaiInferencePrompt,
    xaiInferenceUserAgent: config.xaiInferenceUserAgent,
    autoActionMode: config.autoActionMode,
    autoRecoverEnabled: config.autoRecoverEnabled === true,
  };
}

/** The form with what it would save, for the schedule typed so far. */
export function inspectionConfigOf(form: InspectionForm): Pick<InspectionResponse, 'enabled' | 'schedule'> {
  return {
    ...(form.enabled ? { enabled: true } : {}),
    schedule: {
      mode: form.mode,
      intervalMinutes: form.intervalMinutes,
      timePoints: [...readTimePoints(form.timePoints).points],
      ...(form.timeZone === '' ? {} : { timeZone: form.timeZone }),
    },
  };
}

/** Times of day in a text, sorted and without duplicates; `wrong` = an invalid part. */
export function readTimePoints(text: string): { readonly points: readonly string[]; readonly wrong: string | null } {
  const points = new Set<string>();
  for (const part of text.split(/[\s,，;；、]+/).filter(Boolean)) {
    const match = /^(\d{1,2})[:：](\d{1,2})$/.exec(part);
    const [hour, minute] = [Number(match?.[1]), Number(match?.[2])];
    if (match === null || hour > 23 || minute > 59) return { points: [...points].sort(), wrong: part };
    points.add(`${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  }
  return { points: [...points].sort(), wrong: null };
}

export const INSPECTION_RANGES = {
  intervalMinutes: { least: 1 },
  sampleSize: { least: 0 },
  usedPercentThreshold: { least: 0.1, most: 100, decimals: 1 },
  workers: { least: 1 },
  deleteWorkers: { least: 1 },
  timeout: { least: 1 },
  retries: { least: 0 },
} as const satisfies Record<string, NumberRange>;

type NumberName = keyof typeof INSPECTION_RANGES;
const NUMBERS = Object.keys(INSPECTION_RANGES) as readonly NumberName[];

/** Why the form cannot be saved. */
export function inspectionProblem(form: InspectionForm): TextKey | null {
  const { targets, mode, timePoints } = form;
  if (targets.length === 0) return 'inspectionSettings.needTarget';
  const used = NUMBERS.filter((name) => name !== 'intervalMinutes' || mode === 'interval');
  if (!used.every((name) => fitsRange(form[name], INSPECTION_RANGES[name]))) return 'common.numberWrong';
  if (mode === 'interval') return null;
  const { points, wrong } = readTimePoints(timePoints);
  if (wrong !== null) return 'inspectionSettings.wrongTime';
  // The server keeps the old times when it gets none.
  return points.length === 0 ? 'inspectionSettings.needTime' : null;
}

/** Enables automatic deletion, which is confirmed. */
export function beginsDeleting(form: InspectionForm, saved: InspectionForm): boolean {
  return form.autoActionMode === 'delete' && saved.autoActionMode !== 'delete';
}

/** The whole object, as the server requires: unchanged fields have its present values. */
export function toInspectionRequest(
  form: InspectionForm,
  saved: InspectionForm,
  current: InspectionResponse,
): InspectionRequest {
  const now = inspectionFormOf(current);
  const changed = <K extends keyof InspectionForm>(name: K): InspectionForm[K] =>
    JSON.stringify(form[name]) === JSON.stringify(saved[name]) ? now[name] : form[name];
  return {
    enabled: changed('enabled'),
    schedule: {
      mode: changed('mode'),
      intervalMinutes: changed('intervalMinutes'),
      timePoints: [...readTimePoints(changed('timePoints')).points],
      timeZone: changed('timeZone'),
    },
    targetTypes: [...changed('targets')],
    sampleSize: changed('sampleSize'),
    usedPercentThreshold: percentOnWire(changed('usedPercentThreshold')),
    workers: changed('workers'),
    deleteWorkers: changed('deleteWorkers'),
    timeout: changed('timeout'),
    retries: changed('retries'),
    userAgent: changed('userAgent'),
    xaiInferenceEnabled: changed('xaiInferenceEnabled'),
    xaiInferenceModel: changed('xaiInferenceModel'),
    xaiInferencePrompt: changed('xaiInferencePrompt'),
    xaiInferenceUserAgent: changed('xaiInferenceUserAgent'),
    autoActionMode: changed('autoActionMode'),
    autoRecoverEnabled: changed('autoRecoverEnabled'),
  };
}

/** The server reads a number up to 1 as a share, so 1 % has to be sent as one. */
function percentOnWire(percent: number): number {
  return percent <= 1 ? percent / 100 : percent;
}
