import type { Clock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { EventRecord, Ledger } from '../queue/ledger.ts';
import type { Subscriber, UsageQueue } from '../queue/usage-queue.ts';
import type { OpenRecord } from '../recorder.ts';
import type { LossReason } from '../types.ts';
import { messageEncoder, pong, simple, subscription as subscriptionFrame } from './encode.ts';
import { applyFrameFault } from './frame-faults.ts';
import type { RespWriter } from './writer.ts';

interface SubscriptionOptions {
  readonly writer: RespWriter;
  readonly channel: string;
  readonly topic: Subscriber['topic'];
  readonly sendsControl: boolean;
  readonly queue: UsageQueue;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly clock: Clock;
}

/** A connection in subscribe mode. */
export interface Subscription {
  /** False = not a command of this mode. */
  command(command: string, args: readonly string[], record: OpenRecord): boolean;
  closed(): void;
}

const SUPPORT_REFRESH = Buffer.from('{"support_refresh":true}');
/** Index of the payload among the bulk strings of a message. */
const PAYLOAD = 2;

/** Confirms the subscription and joins the subscribers. */
export function createSubscription(options: SubscriptionOptions): Subscription {
  const { writer, channel, topic, queue, ledger, faults, clock } = options;
  const encode = messageEncoder(channel);
  /** Messages the system has not taken; null for one that is not an event. */
  const unwritten: (EventRecord | null)[] = [];
  let lossReason: LossReason = 'disconnected';
  let isMember = true;

  function written(): void {
    const record = unwritten.shift() ?? null;
    if (record !== null) ledger.handedOver(record, 'delivered');
  }

  function message(bytes: Uint8Array, record: EventRecord | null): void {
    const glue = faults.take('glue');
    if (glue !== null) {
      writer.hold(true);
      clock.after(glue.ms, () => writer.hold(false));
    }
    const frame = encode(bytes);
    unwritten.push(record);
    if (record === null || !applyFrameFault(writer, faults, frame, 'message', PAYLOAD, written))
      writer.send(frame, written);
    const wrong = record === null ? null : faults.take('wrong-channel');
    if (wrong !== null) writer.send(messageEncoder(wrong.channel ?? 'other')(bytes));
  }

  const subscriber: Subscriber = {
    connectionId: writer.connection.id,
    channel,
    topic,
    unwritten: () => unwritten.length,
    flush: writer.flush,
    hold: writer.hold,
    message,
    extra: (frame) => writer.send(extraFrame(frame, channel)),
    drop(reason) {
      lossReason = reason;
      leave();
      writer.connection.end();
    },
  };

  function leave(): void {
    isMember = false;
    queue.unsubscribe(subscriber);
  }

  function ping(args: readonly string[]): boolean {
    const fault = faults.take('pong');
    if (fault === null) writer.send(pong(args[0] ?? null));
    else if (fault.reply === 'simple') writer.send(simple('PONG'));
    return true;
  }

  writer.send(subscriptionFrame('subscribe', channel, 1));
  if (topic === 'usage' && options.sendsControl) {
    unwritten.push(null);
    writer.send(encode(SUPPORT_REFRESH), written);
  }
  if (faults.isSet('block-subscribers')) {
    writer.flush();
    writer.hold(true);
  }
  queue.subscribe(subscriber);
  const extra = faults.take('extra-frame');
  if (extra !== null) subscriber.extra(extra.frame);

  return {
    command(command, args, record) {
      record.finished = true;
      if (command === 'PING') {
        record.reply = 'pong';
        return ping(args);
      }
      if (command === 'UNSUBSCRIBE') {
        record.reply = 'unsubscribe';
        leave();
        writer.send(subscriptionFrame('unsubscribe', channel, 0));
        writer.close();
        return true;
      }
      if (command !== 'QUIT') return false;
      record.reply = '+OK';
      leave();
      writer.send(simple('OK'));
      writer.close();
      return true;
    },
    closed() {
      if (isMember) leave();
      for (const record of unwritten.splice(0)) if (record !== null) ledger.discarded(record, lossReason);
    },
  };
}

/** Unsolicited frames. */
function extraFrame(frame: 'pong' | 'subscribe' | 'unknown', channel: string): Uint8Array {
  if (frame === 'pong') return pong(null);
  if (frame === 'subscribe') return subscriptionFrame('subscribe', channel, 1);
  return Buffer.from('*2\r\n$10\r\ninvalidate\r\n$1\r\nx\r\n');
}
