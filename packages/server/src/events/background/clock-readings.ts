import type { Database } from 'bun:sqlite';
import * as z from 'zod';
import type { WriterContext } from '../../sqlite/contexts.ts';
import { readSetting, writeSettings } from '../../sqlite/settings.ts';
import { newestEvent } from './newest-event.ts';
import { requestCorrection } from './state.ts';

/** Both clocks at one moment. */
export interface ClockReading {
  readonly ownMs: number;
  readonly gatewayMs: number;
  /** Start of this process, by the manager's clock. */
  readonly startedAtMs: number;
}

/** Received times that a clock wrote while it was behind. */
export interface WrongTimes {
  /** The events that were stored meanwhile have an id above this one. */
  readonly afterEventId: number;
  /** What the clock showed. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly behindMs: number;
}

export interface ClockNote {
  /** How far the manager's clock was behind until now; 0 = it was not, or nobody knows. */
  readonly wasBehindMs: number;
}

/** Answers take a while, and their date has no fraction. */
export const CLOCK_TOLERANCE_MS = 180_000;
/** A clock that is behind by less makes no right time impossible. */
const DAY_MS = 86_400_000;
/** Part of a step that may be a pause or the rest of a difference. */
const DOUBTFUL_PART = 1 / 10;

const MARK = 'clock_reading';
const WRONG_TIMES = 'wrong_received_times';

const markSchema = z.object({
  ownMs: z.number(),
  gatewayMs: z.number(),
  /** The newest event then. */
  eventId: z.number(),
  /** Where the clocks began to differ by as much as they do: events after this id, received from this time on. */
  sinceEventId: z.number(),
  sinceMs: z.number(),
});
type Mark = z.infer<typeof markSchema>;

const wrongTimesSchema = z.object({
  afterEventId: z.number(),
  fromMs: z.number(),
  toMs: z.number(),
  behindMs: z.number(),
}) satisfies z.ZodType<WrongTimes>;

/**
 * Write operation: keeps the newest reading of both clocks. When it shows that the manager's clock was behind until now, the
 * received times of that time are to be corrected by the data migration `received_times`.
 */
export function noteClocks({ db, now }: WriterContext, reading: ClockReading): ClockNote {
  const before = readJson(db, MARK, markSchema);
  const newest = newestEvent(db);
  const wrong = before === null ? null : wrongTimesUntil(before, reading);
  // Until the previous correction is over, the reading before the step stays.
  if (wrong !== null && !requestCorrection(db, { after: wrong.afterEventId, target: newest, nowMs: now() }))
    return { wasBehindMs: 0 };
  const values = { [MARK]: markOf(before, reading, newest), ...(wrong === null ? {} : { [WRONG_TIMES]: wrong }) };
  const updatedAtMs = now();
  writeSettings(
    db,
    Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), updatedAtMs })),
  );
  return { wasBehindMs: wrong?.behindMs ?? 0 };
}

/** The received times of the last correction. */
export function readWrongTimes(db: Database): WrongTimes | null {
  return readJson(db, WRONG_TIMES, wrongTimesSchema);
}

/**
 * Whether the manager's clock was behind and has been set right between two readings: by the gateway's clock little time has
 * passed, by the manager's a day or more, and now they agree. If the gateway's clock was set back instead, it shows less time than
 * has passed; only a manager that was stopped for as long as that clock was ahead, give or take a tenth, cannot tell.
 */
export function wrongTimesUntil(before: Mark, { ownMs, gatewayMs }: ClockReading): WrongTimes | null {
  const passedMs = gatewayMs - before.gatewayMs;
  const behindMs = ownMs - before.ownMs - passedMs;
  const doubtfulMs = behindMs * DOUBTFUL_PART;
  const isSetRight =
    behindMs >= DAY_MS &&
    passedMs >= -CLOCK_TOLERANCE_MS &&
    passedMs <= doubtfulMs &&
    Math.abs(gatewayMs - ownMs) <= doubtfulMs;
  if (!isSetRight) return null;
  return {
    afterEventId: before.sinceEventId,
    fromMs: before.sinceMs,
    toMs: before.ownMs + Math.max(passedMs, 0) + CLOCK_TOLERANCE_MS,
    behindMs,
  };
}

function markOf(before: Mark | null, { ownMs, gatewayMs, startedAtMs }: ClockReading, eventId: number): Mark {
  const now = { ownMs, gatewayMs, eventId };
  if (before === null) return { ...now, sinceEventId: 0, sinceMs: startedAtMs - CLOCK_TOLERANCE_MS };
  const passedMs = gatewayMs - before.gatewayMs;
  const isSame = Math.abs(ownMs - before.ownMs - passedMs) <= CLOCK_TOLERANCE_MS;
  return isSame
    ? { ...now, sinceEventId: before.sinceEventId, sinceMs: before.sinceMs }
    : { ...now, sinceEventId: before.eventId, sinceMs: ownMs - passedMs - CLOCK_TOLERANCE_MS };
}

function readJson<T>(db: Database, key: string, schema: z.ZodType<T>): T | null {
  const setting = readSetting(db, key);
  return setting === null ? null : schema.parse(JSON.parse(setting.value));
}
