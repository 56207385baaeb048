import type { Clock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { Payload } from '../payload.ts';
import type { LossReason } from '../types.ts';
import type { EventRecord, Ledger } from './ledger.ts';

const SUBSCRIBER_BUFFER = 256;

interface QueuedEvent extends Pick<Payload, 'bytes' | 'isKnownJson'> {
  readonly record: EventRecord;
  readonly enqueuedAtMs: number;
}

/** The receiving end of one subscription. */
export interface Subscriber {
  readonly connectionId: number;
  /** As the client spelled it. */
  readonly channel: string;
  readonly topic: 'usage' | 'errors';
  /** Messages the socket has not taken. */
  unwritten(): number;
  /** Writes what the socket takes now. */
  flush(): void;
  /** Writes nothing until released. */
  hold(held: boolean): void;
  message(bytes: Uint8Array, record: EventRecord | null): void;
  /** An unsolicited frame. */
  extra(frame: 'pong' | 'subscribe' | 'unknown'): void;
  /** Ends the connection; unwritten messages are lost for `reason`. */
  drop(reason: LossReason): void;
}

export interface UsageQueue {
  publish(payload: Payload): void;
  /** Accounts for an event that is not published. */
  suppress(payload: Payload): void;
  /** Oldest first; events older than the retention are dropped. */
  pop(count: number): QueuedEvent[];
  broadcast(topic: Subscriber['topic'], bytes: Uint8Array): void;
  subscribe(subscriber: Subscriber): void;
  unsubscribe(subscriber: Subscriber): void;
  subscribers(): readonly Subscriber[];
  length(): number;
  /** Empties the queue and closes the subscribers. */
  clear(): void;
}

interface UsageQueueDependencies {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly retentionMs: () => number;
}

/** Delivery as in the gateway: to every subscriber, or into the queue without one. */
export function createUsageQueue({ clock, ledger, faults, retentionMs }: UsageQueueDependencies): UsageQueue {
  const subscribers = new Set<Subscriber>();
  let entries: QueuedEvent[] = [];
  let head = 0;

  function expire(): void {
    const oldestMs = clock.now() - retentionMs();
    for (let entry = entries[head]; entry !== undefined && entry.enqueuedAtMs < oldestMs; entry = entries[head]) {
      ledger.discarded(entry.record, 'expired');
      head += 1;
    }
    compact();
  }

  /** Taking from the front only moves an index; the array is cut when half is used up. */
  function compact(): void {
    if (head < 1024 || head * 2 < entries.length) return;
    entries = entries.slice(head);
    head = 0;
  }

  function offer(subscriber: Subscriber, bytes: Uint8Array, record: EventRecord | null): void {
    if (subscriber.unwritten() >= SUBSCRIBER_BUFFER) subscriber.flush();
    if (subscriber.unwritten() < SUBSCRIBER_BUFFER) {
      subscriber.message(bytes, record);
      return;
    }
    if (record !== null) ledger.discarded(record, 'overflow');
    subscriber.drop('overflow');
  }

  function receivers(topic: Subscriber['topic']): Subscriber[] {
    return [...subscribers].filter((subscriber) => subscriber.topic === topic);
  }

  return {
    publish({ bytes, isKnownJson, number }) {
      const record = ledger.publish(number);
      const copies = faults.take('duplicate') === null ? 1 : 2;
      const targets = receivers('usage');
      if (targets.length > 0) {
        ledger.wait(record, 'buffered', copies * targets.length);
        for (const target of targets) {
          for (let copy = 0; copy < copies; copy += 1) offer(target, bytes, record);
        }
        return;
      }
      expire();
      ledger.wait(record, 'queued', copies);
      for (let copy = 0; copy < copies; copy += 1)
        entries.push({ bytes, isKnownJson, record, enqueuedAtMs: clock.now() });
    },
    suppress(payload) {
      ledger.discarded(ledger.publish(payload.number), 'not-published');
    },
    pop(count) {
      expire();
      const taken = entries.slice(head, head + count);
      head += taken.length;
      compact();
      for (const entry of taken) ledger.handedOver(entry.record, 'popped');
      return faults.take('reverse') === null ? taken : taken.reverse();
    },
    broadcast(topic, bytes) {
      for (const target of receivers(topic)) offer(target, bytes, null);
    },
    subscribe: (subscriber) => void subscribers.add(subscriber),
    unsubscribe: (subscriber) => void subscribers.delete(subscriber),
    subscribers: () => [...subscribers],
    length: () => entries.length - head,
    clear() {
      for (const entry of entries.slice(head)) ledger.discarded(entry.record, 'cleared');
      entries = [];
      head = 0;
      for (const subscriber of [...subscribers]) subscriber.drop('cleared');
    },
  };
}
