import {
  type AnswerSums,
  addArrived,
  addReceived,
  addSums,
  aheadOf,
  type CountedFile,
  type Counters,
  countersOf,
  growthOf,
  leastOf,
  type Received,
  receivedBeyond,
  type Totals,
  totalsOf,
} from './answer-sums.ts';
import { createSilence, IN_ORDER_SHARE } from './silence.ts';

/** Smallest number of counted answers that makes missing events significant. */
const NONE_RECEIVED_GROWTH = 20;
const PARTLY_RECEIVED_GROWTH = 50;
const FEW_RECEIVED_SHARE = 0.5;
const PARTLY_RECEIVED_SHARE = 0.8;
const PARTLY_RECEIVED_READINGS = 3;
/** In order again: this many answers in one reading, more where readings follow faster, or all of a longer time. */
const CLEARING_GROWTH = 20;
const CLEARING_READING_MS = 45_000;
const CLEARING_FAST_GROWTH = 50;
const CLEARING_MS = 300_000;
/** Missing events that make a gap of a loss that was over before the alarm. */
const SMALLEST_LOSS = 20;
/** Readings that must agree where only earlier completeness speaks for a second consumer. */
const AGREEING_READINGS = 2;
const MAX_READINGS = 40;

export type StarvedReason = 'no_events' | 'partial';

/** A time in which events were taken, from one reading to another. */
export interface TakenEvents {
  readonly fromMs: number;
  readonly toMs: number;
  /** At most; null = unknown. */
  readonly lost: number | null;
}

export interface StarvationReading {
  /** Answers since the previous reading, and how many of their events arrived; null = nothing to compare. */
  readonly compared: Totals | null;
  /** Events were taken, and that is over. */
  readonly over: TakenEvents | null;
}

export interface Starvation {
  /** Compares one list with the previous one. `received`: events since then; `late`: those of them that arrived after it was requested. */
  read(files: readonly CountedFile[], received: Received, late: Received, atMs: number): StarvationReading;
  /** Compares without a conclusion: it is known why events are missing. */
  compare(files: readonly CountedFile[], received: Received, atMs: number): Totals | null;
  /** What follows does not belong to the readings before. Returns a loss among them. */
  settle(): TakenEvents | null;
  /** The next reading only sets the baseline: events were not received for a while. Returns a loss before it. */
  rebase(): TakenEvents | null;
  /** Events are missing, and it is not decided yet why. */
  suspects(): boolean;
  state(): { readonly reason: StarvedReason; readonly sinceMs: number } | null;
}

interface Reading {
  readonly atMs: number;
  readonly sums: AnswerSums;
  /** Events of these sums whose answers this list may not have counted yet, so that they may be of the next reading. */
  readonly late: Received;
}

/**
 * Detects from the gateway's own counters whether its events arrive here. The two counts need not match exactly, so only large
 * differences are significant. Sums begin at the last reading that was in order, or at any later one, so that a loss is not diluted by the
 * time before it.
 */
export function createStarvation(restored: { reason: StarvedReason; sinceMs: number } | null): Starvation {
  const silence = createSilence();
  let baseline: Counters | null = null;
  let previousAtMs = 0;
  let ahead: Received = new Map();
  /** Of the last reading before these; not those that are known to be ahead. */
  let lateBefore: Received = new Map();
  let mayBeAhead: Received = new Map();
  /** The last reading in order, or the baseline. */
  let orderedAtMs = restored?.sinceMs ?? 0;
  let state = restored === null ? null : { ...restored, isWhole: false };
  /** Since the last one in order. */
  let readings: Reading[] = [];
  let partialReadings = 0;
  let agreeing = 0;
  let proof: 'none' | 'earlier' | 'certain' = 'none';

  function growthSince(files: readonly CountedFile[], received: Received, atMs: number): AnswerSums | null {
    const before = baseline;
    baseline = countersOf(files);
    previousAtMs = atMs;
    if (before === null) {
      if (state === null) orderedAtMs = atMs;
      return null;
    }
    const sums = growthOf(before, baseline, addReceived(ahead, received));
    ahead = new Map();
    // Not of earlier readings: events that the gateway never counts must not hide missing ones for ever.
    mayBeAhead = aheadOf(growthOf(before, baseline, received));
    return sums;
  }

  /** The sums from each reading to the last one, shortest first. `late`: what may belong to them and was added to earlier sums. */
  function* suffixes(): Generator<{ readonly sums: AnswerSums; readonly late: Received; readonly fromMs: number }> {
    let sums: AnswerSums = new Map();
    for (let at = readings.length - 1; at >= 0; at -= 1) {
      const reading = readings[at];
      if (reading === undefined) return;
      sums = addSums(reading.sums, sums);
      const before = readings[at - 1];
      yield { sums, late: before?.late ?? lateBefore, fromMs: before?.atMs ?? orderedAtMs };
    }
  }

  /** The last readings that are in order: by events, or because the missing ones do not exist. */
  function inOrder(atMs: number): { readonly sums: AnswerSums; readonly isComplete: boolean } | null {
    for (const { sums, fromMs } of suffixes()) {
      const { growth, received } = totalsOf(sums);
      const spanMs = atMs - fromMs;
      const enough = spanMs >= CLEARING_MS ? 1 : spanMs >= CLEARING_READING_MS ? CLEARING_GROWTH : CLEARING_FAST_GROWTH;
      if (growth < enough) continue;
      const isComplete = received >= growth * IN_ORDER_SHARE;
      if (isComplete || silence.explain(sums) === 'silent') return { sums, isComplete };
      if (spanMs >= CLEARING_MS) break;
    }
    return null;
  }

  function judge(): void {
    let reason: StarvedReason | null = null;
    let isPartial = false;
    let isTaken = false;
    for (const { sums: least, late } of suffixes()) {
      // Events near the border of two readings must not look missing in the later one.
      const sums = addArrived(least, late);
      const { growth, received } = totalsOf(sums);
      if (growth < NONE_RECEIVED_GROWTH || received >= growth * IN_ORDER_SHARE) continue;
      const explanation = silence.explain(sums);
      if (explanation !== 'taken' && explanation !== 'taken-certainly') continue;
      isTaken = true;
      if (explanation === 'taken-certainly') proof = 'certain';
      if (received === 0) reason = 'no_events';
      if (growth < PARTLY_RECEIVED_GROWTH) continue;
      if (received < growth * FEW_RECEIVED_SHARE) reason ??= 'partial';
      if (received < growth * PARTLY_RECEIVED_SHARE) isPartial = true;
    }
    agreeing = isTaken ? agreeing + 1 : 0;
    if (agreeing >= AGREEING_READINGS && proof === 'none') proof = 'earlier';
    partialReadings = isPartial ? partialReadings + 1 : 0;
    if (partialReadings >= PARTLY_RECEIVED_READINGS) reason ??= 'partial';
    if (reason !== null && proof !== 'none') state = { isWhole: true, sinceMs: orderedAtMs, ...state, reason };
  }

  function all(): AnswerSums {
    let sums: AnswerSums = new Map();
    for (const reading of readings) sums = addSums(sums, reading.sums);
    return sums;
  }

  function lossUntil(atMs: number): TakenEvents | null {
    const { growth, received } = totalsOf(all());
    const lost = growth - received;
    // What was lost before this process is unknown.
    if (state !== null) return { fromMs: state.sinceMs, toMs: atMs, lost: state.isWhole ? lost : null };
    const isLoss = proof !== 'none' && lost >= SMALLEST_LOSS && received < growth * IN_ORDER_SHARE;
    return isLoss ? { fromMs: orderedAtMs, toMs: atMs, lost } : null;
  }

  /** Ends what is not an alarm yet. */
  function settle(): TakenEvents | null {
    if (state !== null) return null;
    const over = lossUntil(previousAtMs);
    beginAnew(previousAtMs);
    return over;
  }

  function beginAnew(atMs: number): void {
    const last = readings.at(-1);
    ahead = leastOf(aheadOf(all()), mayBeAhead);
    if (last !== undefined) lateBefore = receivedBeyond(last.late, ahead);
    orderedAtMs = atMs;
    readings = [];
    partialReadings = 0;
    agreeing = 0;
    proof = 'none';
    state = null;
  }

  /** A loss that does not end must not make the list grow; one that nothing proves is given up. */
  function shorten(): void {
    const [first, second] = readings;
    if (readings.length <= MAX_READINGS || first === undefined || second === undefined) return;
    if (proof !== 'none' || state !== null) {
      readings.splice(0, 2, { ...second, sums: addSums(first.sums, second.sums) });
    } else {
      readings.shift();
      lateBefore = first.late;
      orderedAtMs = first.atMs;
    }
  }

  return {
    read(files, received, late, atMs) {
      const sums = growthSince(files, received, atMs);
      if (sums === null) {
        lateBefore = late;
        return { compared: null, over: null };
      }
      readings.push({ atMs, sums, late });
      const compared = totalsOf(sums);
      const ordered = inOrder(atMs);
      if (ordered === null) {
        if (state === null && totalsOf(all()).growth === 0) {
          beginAnew(atMs);
        } else {
          judge();
          shorten();
        }
        return { compared, over: null };
      }
      // Earlier completeness proves nothing against silence.
      const counts = ordered.isComplete || state !== null || proof === 'certain';
      const over = counts ? lossUntil(atMs) : null;
      if (ordered.isComplete) silence.learn(ordered.sums);
      else silence.forget(ordered.sums);
      beginAnew(atMs);
      return { compared, over };
    },
    compare(files, received, atMs) {
      const sums = growthSince(files, received, atMs);
      return sums === null ? null : totalsOf(sums);
    },
    settle,
    rebase() {
      const over = baseline === null ? null : settle();
      baseline = null;
      ahead = new Map();
      lateBefore = new Map();
      return over;
    },
    suspects() {
      if (state !== null) return false;
      const { growth, received } = totalsOf(all());
      return growth >= NONE_RECEIVED_GROWTH && received < growth * IN_ORDER_SHARE;
    },
    state: () => state,
  };
}
