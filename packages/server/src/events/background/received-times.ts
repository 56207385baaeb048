import type { UsageEvent } from '@manager/core/usage/event';
import { isImplausibleTime } from '@manager/core/usage/timestamp';
import { FactFlag } from '../../facts/columns.ts';
import { addToCounter, readCounter } from '../ingest/counters.ts';
import { HeaderSnapshots } from '../ingest/header-snapshots.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { readWrongTimes, type WrongTimes } from './clock-readings.ts';
import { stepSinglePass } from './single-pass.ts';
import type { DataMigrationState } from './state.ts';
import type { StepResult } from './step-result.ts';

/**
 * Events that arrived while the manager's clock was behind get the time when they did arrive, and their own time is judged by it:
 * raw row, flag, counter and newest headers together. A time that is impossible by the right clock stays impossible.
 */
export function stepReceivedTimes(context: IngestContext, state: DataMigrationState): StepResult {
  const { db, now } = context;
  const wrong = readWrongTimes(db);
  if (wrong === null) throw new Error('nobody knows which received times are wrong');
  const headers = new HeaderSnapshots();
  // Older events are not in that table yet.
  const pending = readCounter(db, 'header_snapshots_pending_id');
  let implausible = 0;
  const result = stepSinglePass(context, state, {
    correct: (event) =>
      isWrong(event, wrong) ? { ...event, created_at_ms: event.created_at_ms + wrong.behindMs } : event,
    factOf: (event) => ({
      values: {},
      flags: { mask: FactFlag.implausibleTime, bits: judged(event, 0) * FactFlag.implausibleTime },
    }),
    corrected(event, id) {
      implausible += judged(event, 0) - judged(event, wrong.behindMs);
      if (id > pending) headers.add(event, id, now());
    },
  });
  headers.writeTo(db);
  addToCounter(db, 'implausible_timestamps', implausible);
  return result;
}

/** An imported event has the received time of another clock, which was no earlier than its own time. */
function isWrong({ timestamp_ms, created_at_ms }: UsageEvent, { fromMs, toMs }: WrongTimes): boolean {
  return created_at_ms >= fromMs && created_at_ms <= toMs && timestamp_ms > created_at_ms;
}

/** 1 = the time is implausible, by a clock that is behind. */
function judged({ timestamp_ms, created_at_ms }: UsageEvent, behindMs: number): 0 | 1 {
  return isImplausibleTime(timestamp_ms, created_at_ms - behindMs) ? 1 : 0;
}
