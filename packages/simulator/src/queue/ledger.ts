import type { Deliveries, EventFate, LossReason, LostEvent } from '../types.ts';

/** Accounting of one published event. Shared by its copies in queue and buffers. */
export interface EventRecord {
  readonly number: number | null;
  readonly publishedAtMs: number;
  /** Copies that wait in the queue or in buffers. */
  copies: number;
  place: 'none' | 'queued' | 'buffered';
  state: 'waiting' | 'delivered' | 'popped' | LossReason;
  settledAtMs: number;
}

/** Counts the outcome of every event exactly once. */
export interface Ledger {
  publish(number: number | null): EventRecord;
  wait(record: EventRecord, place: 'queued' | 'buffered', copies: number): void;
  handedOver(record: EventRecord, how: 'delivered' | 'popped'): void;
  /** One copy is gone; the event is lost when it was the last and none was delivered. */
  discarded(record: EventRecord, reason: LossReason): void;
  deliveries(withLostEvents: boolean): Deliveries;
  fate(number: number): EventFate | undefined;
}

export function createLedger(now: () => number): Ledger {
  const numbered = new Map<number, EventRecord>();
  const lostRecords: EventRecord[] = [];
  const lost: Record<LossReason, number> = {
    expired: 0,
    overflow: 0,
    disconnected: 0,
    cleared: 0,
    'not-published': 0,
    fault: 0,
  };
  const waiting = { queued: 0, buffered: 0 };
  const handed = { delivered: 0, popped: 0 };
  let published = 0;

  function settle(record: EventRecord, state: EventRecord['state']): void {
    if (record.place !== 'none') waiting[record.place] -= 1;
    record.state = state;
    record.settledAtMs = now();
  }

  return {
    publish(number) {
      published += 1;
      const record: EventRecord = {
        number,
        publishedAtMs: now(),
        copies: 0,
        place: 'none',
        state: 'waiting',
        settledAtMs: 0,
      };
      if (number !== null) numbered.set(number, record);
      return record;
    },
    wait(record, place, copies) {
      record.place = place;
      record.copies = copies;
      waiting[place] += 1;
    },
    handedOver(record, how) {
      record.copies -= 1;
      if (record.state !== 'waiting') return;
      handed[how] += 1;
      settle(record, how);
    },
    discarded(record, reason) {
      record.copies -= 1;
      if (record.state !== 'waiting' || record.copies > 0) return;
      lost[reason] += 1;
      settle(record, reason);
      if (record.number !== null) lostRecords.push(record);
    },
    deliveries(withLostEvents) {
      const dropped = Object.values(lost).reduce((sum, count) => sum + count, 0);
      const totals: Deliveries = { published, ...handed, lost: { ...lost }, dropped, ...waiting };
      return withLostEvents ? { ...totals, lostEvents: lostRecords.map(lostEvent) } : totals;
    },
    fate(number) {
      const record = numbered.get(number);
      if (record === undefined) return undefined;
      const atMs = record.settledAtMs;
      if (record.state === 'waiting') return { state: record.place === 'buffered' ? 'buffered' : 'queued' };
      if (record.state === 'delivered' || record.state === 'popped') return { state: record.state, atMs };
      return { state: 'lost', reason: record.state, atMs };
    },
  };
}

function lostEvent(record: EventRecord): LostEvent {
  const reason = record.state as LossReason;
  return { number: record.number ?? 0, publishedAtMs: record.publishedAtMs, atMs: record.settledAtMs, reason };
}
