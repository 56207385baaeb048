import type { NotificationEvent } from '@manager/core/contract/notifications/kinds';
import { type Condition, ENDS_NEED_PROOF, OCCURRENCES, type SubjectState } from './condition.ts';

export interface TransitionRules {
  /** The first observation of this event for the target: what holds already is not told. */
  readonly first: boolean;
  readonly sendRecovered: boolean;
  readonly nowMs: number;
}

export interface StateChanges {
  readonly put: readonly SubjectState[];
  /** Subjects. */
  readonly remove: readonly string[];
}

/**
 * How the states of one event at one target change when exactly these conditions hold. Whatever happens between two messages leaves one
 * state: nothing is told twice, and what began and ended meanwhile is told as both.
 */
export function transitions(
  event: NotificationEvent,
  known: readonly SubjectState[],
  conditions: readonly Condition[],
  rules: TransitionRules,
): StateChanges {
  const states = new Map(known.map((state) => [state.condition.subject, state]));
  const put: SubjectState[] = [];
  const remove: string[] = [];
  const provenMs = new Map<string, number>();
  for (const condition of conditions) {
    if (condition.over) {
      provenMs.set(condition.subject, condition.sinceMs);
      continue;
    }
    const state = states.get(condition.subject);
    if (condition.lapsed && (state === undefined || !isKept(state, condition))) continue;
    states.delete(condition.subject);
    if (condition.lapsed) continue;
    const next = state === undefined ? begun(event, condition, rules.first) : stillHolds(state, condition);
    if (state === undefined || !isSame(state, next)) put.push(next);
  }
  for (const state of states.values()) {
    const next = isProven(state, provenMs) ? ended(state, rules) : null;
    if (next === null) remove.push(state.condition.subject);
    else if (!isSame(state, next)) put.push(next);
  }
  return { put, remove };
}

const isKept = (state: SubjectState, { facts }: Condition): boolean =>
  state.condition.facts.limitUsd === facts.limitUsd;

function begun(event: NotificationEvent, condition: Condition, first: boolean): SubjectState {
  return first
    ? { event, condition, told: 'silent', pending: null, untilMs: null }
    : { event, condition, told: 'no', pending: 'raised', untilMs: null };
}

function stillHolds(state: SubjectState, condition: Condition): SubjectState {
  const since = { ...condition, sinceMs: state.condition.sinceMs };
  return { ...state, condition: since, pending: state.told === 'no' ? 'raised' : null, untilMs: null };
}

/** A proof counts once: what was seen to be over stays so when its proof is removed. */
function isProven({ event, condition, untilMs }: SubjectState, provenMs: ReadonlyMap<string, number>): boolean {
  if (untilMs !== null || !ENDS_NEED_PROOF.has(event)) return true;
  return (provenMs.get(condition.subject) ?? Number.NEGATIVE_INFINITY) >= condition.sinceMs;
}

/** null: nothing is left to tell. */
function ended(state: SubjectState, { sendRecovered, nowMs }: TransitionRules): SubjectState | null {
  const untilMs = state.untilMs ?? nowMs;
  if (state.told === 'no') {
    // An occurrence that was not told yet stays what it was.
    return OCCURRENCES.has(state.event) ? state : { ...state, pending: 'passed', untilMs };
  }
  const isTold = state.told === 'yes' && sendRecovered && !OCCURRENCES.has(state.event);
  return isTold ? { ...state, pending: 'recovered', untilMs } : null;
}

function isSame(left: SubjectState, right: SubjectState): boolean {
  return (
    left.pending === right.pending &&
    left.untilMs === right.untilMs &&
    // What texts mention has to be current only while it is not told.
    (right.pending === null || JSON.stringify(left.condition) === JSON.stringify(right.condition))
  );
}
