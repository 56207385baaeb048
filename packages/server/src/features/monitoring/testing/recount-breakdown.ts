import type { BreakdownKind, BreakdownMeasure } from '@manager/core/contract/monitoring/breakdown';
import { analyticsModel } from '@manager/core/usage/models';
import type { StoredEvent } from '../../../facts/testing/test-database.ts';
import { providerOf } from './random-events.ts';
import { accountFields, count, listedOf } from './recount-rows.ts';

// A breakdown, computed from one event after the other. For clarity, not for speed.

const IDS: Readonly<Record<BreakdownKind, (event: StoredEvent) => string>> = {
  client_key: (event) => event.api_key_hash.trim().toLowerCase(),
  model: analyticsModel,
  account: listedOf,
  provider: (event) => providerOf(event).trim().toLowerCase(),
};

interface Question {
  readonly by: BreakdownKind;
  readonly parts: BreakdownKind | null;
  readonly order: BreakdownMeasure;
  readonly limit: number;
  readonly partsLimit: number;
  /** The zone of the days of each row; null = no days. */
  readonly days: string | null;
}

interface Both {
  readonly now: readonly StoredEvent[];
  readonly before: readonly StoredEvent[];
}

export function breakdown(both: Both, asked: Question): object {
  const { by, parts: partKind, order, limit, partsLimit, days } = asked;
  const { kept, others } = entriesOf(both, both, by, order, limit);
  return {
    total: compared(both),
    rows: kept.map(({ members, entry: own }) => {
      const entry = days === null ? own : { ...own, days: daysOf(members.now, days) };
      if (partKind === null) return entry;
      const parts = entriesOf(members, both, partKind, order, partsLimit);
      return { ...entry, parts: parts.kept.map((part) => part.entry), parts_others: parts.others };
    }),
    others,
  };
}

/** @param all an account has the same names in every row */
function entriesOf({ now, before }: Both, all: Both, kind: BreakdownKind, order: BreakdownMeasure, limit: number) {
  const idOf = IDS[kind];
  const ids = [...new Set([...now, ...before].map(idOf))];
  const entries = ids.map((id) => {
    const members = { now: now.filter((event) => idOf(event) === id), before: before.filter((e) => idOf(e) === id) };
    const named = (events: readonly StoredEvent[]) =>
      defined(accountFields(events.filter((event) => idOf(event) === id)));
    const names = kind === 'account' ? { ...named(all.before), ...named(all.now) } : {};
    return { id, members, entry: { id, ...names, ...compared(members) } };
  });
  const size = ({ members }: { readonly members: Both }, measure: BreakdownMeasure) =>
    Math.max(sums(members.now)[measure], sums(members.before)[measure]);
  entries.sort(
    (left, right) =>
      size(right, order) - size(left, order) ||
      size(right, 'calls') - size(left, 'calls') ||
      Buffer.compare(Buffer.from(left.id), Buffer.from(right.id)),
  );
  const rest = entries.slice(limit).map(({ members }) => members);
  const whole = { now: rest.flatMap((part) => part.now), before: rest.flatMap((part) => part.before) };
  return {
    kept: entries.slice(0, limit),
    others: rest.length === 0 ? undefined : { count: rest.length, ...compared(whole) },
  };
}

function daysOf(events: readonly StoredEvent[], zone: string) {
  // Sweden writes dates as ISO 8601 does.
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const byDate = Map.groupBy(events, (event) => date.format(event.timestamp_ms));
  return [...byDate.keys()].sort().map((day) => {
    const { calls, total_tokens, cost, unpriced_calls } = sums(byDate.get(day) ?? []);
    return { date: day, calls, total_tokens, cost, unpriced_calls };
  });
}

function compared({ now, before }: Both) {
  return { ...sums(now), before: before.length === 0 ? undefined : sums(before) };
}

function sums(events: readonly StoredEvent[]) {
  const { calls, failure, tokens, reasoning, total, cost, unpriced } = count(events);
  return {
    calls,
    failure_calls: failure,
    ...tokens,
    reasoning_tokens: reasoning,
    total_tokens: total,
    cost,
    unpriced_calls: unpriced,
  };
}

function defined(members: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
