import * as z from 'zod';
import { AUTO_ACTION_MODES, DEFAULT_INSPECTION_CONFIG, INSPECTION_TARGETS } from '../constants.ts';
import { AppError } from '../errors.ts';

export type InspectionTarget = (typeof INSPECTION_TARGETS)[number];

export type AutoActionMode = (typeof AUTO_ACTION_MODES)[number];

export interface InspectionSchedule {
  readonly mode: 'interval' | 'time_points';
  readonly intervalMinutes: number;
  /** Local `HH:MM`, sorted. */
  readonly timePoints: readonly string[];
  /** IANA name, '' = the zone of the server. */
  readonly timeZone: string;
}

/** How accounts are inspected. Part of the manager configuration, normalized. */
export interface InspectionConfig {
  /** Only the schedule: a manual run is always allowed. */
  readonly enabled: boolean;
  readonly schedule: InspectionSchedule;
  /** Never empty, in the order of `INSPECTION_TARGETS`. */
  readonly targetTypes: readonly InspectionTarget[];
  readonly workers: number;
  /** Concurrency of every action, not only of deletes. */
  readonly deleteWorkers: number;
  /** Limit of one probe, ms. */
  readonly timeout: number;
  readonly retries: number;
  readonly userAgent: string;
  readonly xaiInferenceEnabled: boolean;
  readonly xaiInferenceModel: string;
  readonly xaiInferencePrompt: string;
  readonly xaiInferenceUserAgent: string;
  /** Above 0, at most 100. */
  readonly usedPercentThreshold: number;
  /** Accounts per run, 0 = all. */
  readonly sampleSize: number;
  readonly autoActionMode: AutoActionMode;
  readonly autoRecoverEnabled: boolean;
}

/** `config.codexInspection` of a PUT. Types are checked here, values by `mergeInspectionConfig`. */
export const inspectionRequestSchema = z.object({
  enabled: z.boolean().nullish(),
  schedule: z
    .object({
      mode: z.string().nullish(),
      intervalMinutes: z.int().nullish(),
      timePoints: z.array(z.string()).nullish(),
      timeZone: z.string().nullish(),
    })
    .nullish(),
  targetTypes: z.array(z.string()).nullish(),
  targetType: z.string().nullish(),
  workers: z.int().nullish(),
  deleteWorkers: z.int().nullish(),
  timeout: z.int().nullish(),
  retries: z.int().nullish(),
  userAgent: z.string().nullish(),
  xaiInferenceEnabled: z.boolean().nullish(),
  xaiInferenceModel: z.string().nullish(),
  xaiInferencePrompt: z.string().nullish(),
  xaiInferenceUserAgent: z.string().nullish(),
  usedPercentThreshold: z.number().nullish(),
  sampleSize: z.int().nullish(),
  autoActionMode: z.string().nullish(),
  autoRecoverEnabled: z.boolean().nullish(),
});
export type InspectionRequest = z.infer<typeof inspectionRequestSchema>;

/** `config.codexInspection` of an answer, and its stored form: scalars that are empty, 0 or false are left out. */
export const inspectionResponseSchema = z.strictObject({
  enabled: z.literal(true).optional(),
  schedule: z.strictObject({
    mode: z.enum(['interval', 'time_points']),
    intervalMinutes: z.int().optional(),
    timePoints: z.array(z.string()).optional(),
    timeZone: z.string().optional(),
  }),
  targetTypes: z.array(z.enum(INSPECTION_TARGETS)),
  targetType: z.enum(INSPECTION_TARGETS).optional(),
  workers: z.int(),
  deleteWorkers: z.int(),
  timeout: z.int(),
  retries: z.int().optional(),
  userAgent: z.string(),
  xaiInferenceEnabled: z.literal(true).optional(),
  xaiInferenceModel: z.string(),
  xaiInferencePrompt: z.string(),
  xaiInferenceUserAgent: z.string(),
  usedPercentThreshold: z.number(),
  sampleSize: z.int().optional(),
  autoActionMode: z.enum(AUTO_ACTION_MODES),
  autoRecoverEnabled: z.literal(true).optional(),
});
export type InspectionResponse = z.infer<typeof inspectionResponseSchema>;

/**
 * Merges a PUT into the previous settings: an invalid value keeps the previous one. Absent `retries`, `sampleSize`,
 * `xaiInferenceEnabled` and `autoRecoverEnabled` mean 0 or false, because answers leave those out.
 *
 * @throws AppError `invalid_time_zone` (400) for an unknown zone, `inspection_targets_invalid` for an unknown or empty
 * target.
 * @example mergeInspectionConfig(DEFAULT_INSPECTION_CONFIG, { usedPercentThreshold: 0.9 }).usedPercentThreshold // 90
 */
export function mergeInspectionConfig(previous: InspectionConfig, submitted: InspectionRequest): InspectionConfig {
  const givenWorkers = positive(submitted.workers, 0);
  return {
    enabled: submitted.enabled ?? previous.enabled,
    schedule: mergeSchedule(previous.schedule, submitted.schedule ?? {}),
    targetTypes: mergeTargets(previous.targetTypes, submitted),
    workers: givenWorkers || previous.workers,
    deleteWorkers: positive(submitted.deleteWorkers, givenWorkers || previous.deleteWorkers),
    timeout: positive(submitted.timeout, previous.timeout),
    retries: notNegative(submitted.retries, previous.retries),
    userAgent: notBlank(submitted.userAgent, previous.userAgent),
    xaiInferenceEnabled: submitted.xaiInferenceEnabled ?? false,
    xaiInferenceModel: notBlank(submitted.xaiInferenceModel, previous.xaiInferenceModel),
    xaiInferencePrompt: notBlank(submitted.xaiInferencePrompt, previous.xaiInferencePrompt),
    xaiInferenceUserAgent: notBlank(submitted.xaiInferenceUserAgent, previous.xaiInferenceUserAgent),
    usedPercentThreshold: mergeThreshold(previous.usedPercentThreshold, submitted.usedPercentThreshold),
    sampleSize: notNegative(submitted.sampleSize, previous.sampleSize),
    autoActionMode: oneOf(AUTO_ACTION_MODES, submitted.autoActionMode) ?? previous.autoActionMode,
    autoRecoverEnabled: submitted.autoRecoverEnabled ?? false,
  };
}

/** Reads the stored form; unreadable members become defaults, so that a bad row never stops the schedule. */
export function readInspectionConfig(stored: unknown): InspectionConfig {
  const parsed = inspectionRequestSchema.safeParse(stored ?? {});
  if (!parsed.success) return DEFAULT_INSPECTION_CONFIG;
  const { data } = parsed;
  const zone = data.schedule?.timeZone ?? '';
  const known = (data.targetTypes ?? [data.targetType ?? '']).flatMap((name) => target(name) ?? []);
  return mergeInspectionConfig(DEFAULT_INSPECTION_CONFIG, {
    ...data,
    ...(data.schedule && !isTimeZone(zone.trim()) ? { schedule: { ...data.schedule, timeZone: '' } } : {}),
    targetTypes: known.length > 0 ? known : null,
    targetType: null,
  });
}

export function inspectionToWire(config: InspectionConfig): InspectionResponse {
  const { mode, intervalMinutes, timePoints, timeZone } = config.schedule;
  const [targetType] = config.targetTypes;
  return {
    ...(config.enabled ? { enabled: true } : {}),
    schedule: {
      mode,
      ...(intervalMinutes > 0 ? { intervalMinutes } : {}),
      ...(timePoints.length > 0 ? { timePoints: [...timePoints] } : {}),
      ...(timeZone === '' ? {} : { timeZone }),
    },
    targetTypes: [...config.targetTypes],
    ...(targetType === undefined ? {} : { targetType }),
    workers: config.workers,
    deleteWorkers: config.deleteWorkers,
    timeout: config.timeout,
    ...(config.retries === 0 ? {} : { retries: config.retries }),
    userAgent: config.userAgent,
    ...(config.xaiInferenceEnabled ? { xaiInferenceEnabled: true } : {}),
    xaiInferenceModel: config.xaiInferenceModel,
    xaiInferencePrompt: config.xaiInferencePrompt,
    xaiInferenceUserAgent: config.xaiInferenceUserAgent,
    usedPercentThreshold: config.usedPercentThreshold,
    ...(config.sampleSize === 0 ? {} : { sampleSize: config.sampleSize }),
    autoActionMode: config.autoActionMode,
    ...(config.autoRecoverEnabled ? { autoRecoverEnabled: true } : {}),
  };
}

function mergeSchedule(
  previous: InspectionSchedule,
  submitted: NonNullable<InspectionRequest['schedule']>,
): InspectionSchedule {
  const timeZone = submitted.timeZone?.trim() ?? previous.timeZone;
  if (!isTimeZone(timeZone)) throw new AppError('invalid_time_zone');
  const givenPoints = [...new Set((submitted.timePoints ?? []).flatMap((point) => timePoint(point) ?? []))].sort();
  const givenMinutes = positive(submitted.intervalMinutes, 0);
  const timePoints = givenPoints.length > 0 ? givenPoints : previous.timePoints;
  let mode = oneOf(['interval', 'time_points'] as const, submitted.mode) ?? previous.mode;
  if ((submitted.mode ?? '').trim() === '') {
    if (givenPoints.length > 0) mode = 'time_points';
    else if (givenMinutes > 0) mode = 'interval';
  }
  if (mode === 'time_points' && timePoints.length === 0) mode = 'interval';
  const intervalMinutes =
    givenMinutes || previous.intervalMinutes || DEFAULT_INSPECTION_CONFIG.schedule.intervalMinutes;
  return { mode, intervalMinutes, timePoints, timeZone };
}

function mergeTargets(
  previous: readonly InspectionTarget[],
  submitted: InspectionRequest,
): readonly InspectionTarget[] {
  const legacy = (submitted.targetType ?? '').trim();
  const names = submitted.targetTypes ?? (legacy === '' ? null : [legacy]);
  if (names === null) return previous;
  const known = names.map(target);
  if (known.length === 0 || known.includes(null)) {
    throw new AppError('inspection_targets_invalid', {
      message: `codexInspection.targetTypes: one or more of ${INSPECTION_TARGETS.join(', ')} expected`,
    });
  }
  return INSPECTION_TARGETS.filter((name) => known.includes(name));
}

function target(name: string): InspectionTarget | null {
  return oneOf(INSPECTION_TARGETS, name.toLowerCase());
}

/** `9:5` → `09:05`, null when it is no time of day. */
function timePoint(text: string): string | null {
  const match = /^\s*(\d{1,2}):(\d{1,2})\s*$/.exec(text);
  const hour = Number(match?.[1]);
  const minute = Number(match?.[2]);
  if (match === null || hour > 23 || minute > 59) return null;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** A value up to 1 is a fraction, so 1 is 100 %. */
function mergeThreshold(previous: number, submitted: number | null | undefined): number {
  if (submitted == null || !(submitted > 0 && submitted <= 100)) return previous;
  // Rounded, because 0.07 × 100 is not 7 in binary fractions.
  return submitted <= 1 ? Math.round(submitted * 1e8) / 1e6 : submitted;
}

/** Names only: the runtime accepts offsets such as `+02:00` too. '' is the zone of the server. */
function isTimeZone(name: string): boolean {
  if (name === '') return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function oneOf<T extends string>(allowed: readonly T[], text: string | null | undefined): T | null {
  const value = (text ?? '').trim();
  return allowed.find((candidate) => candidate === value) ?? null;
}

function positive(value: number | null | undefined, otherwise: number): number {
  return value != null && value > 0 ? value : otherwise;
}

/** Absent means 0; a negative value keeps the previous one. */
function notNegative(value: number | null | undefined, previous: number): number {
  const given = value ?? 0;
  return given >= 0 ? given : previous;
}

function notBlank(value: string | null | undefined, previous: string): string {
  return (value ?? '').trim() || previous;
}
