import type { Clock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { Connection } from '../net/connection.ts';
import type { EventRecord, Ledger } from '../queue/ledger.ts';
import type { Subscriber, UsageQueue } from '../queue/usage-queue.ts';
import type { OpenRecord } from '../recorder.ts';
import type { LossReason } from '../types.ts';
import { disturb } from './disturb.ts';
import { messageEncoder, pong, simple, subscription as subscriptionFrame } from './encode.ts';

interface SubscriptionOptions {
  readonly connection: Connection;
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
  const { connection, channel, topic, queue, ledger, faults, clock } = options;
  const encode = messageEncoder(channel);
  const unwritten: EventRecord[] = [];
  let lossReason: LossReason = 'disconnected';
  let isMember = true;

  function written(): void {
    const record = unwritten.shift();
    if (record !== undefined) ledger.handedOver(record, 'delivered');
  }

  function message(bytes: Uint8Array, record: EventRecord | null): void {
    const glue = faults.take('glue');
    if (glue !== null) {
      connection.hold(true);
      clock.after(glue.ms, () => connection.hold(false));
    }
    const frame = encode(bytes);
    if (record === null) {
      connection.send(frame, { message: true });
      return;
    }
    unwritten.push(record);
    if (!disturb(connection, faults, frame, 'message', PAYLOAD, written))
      connection.send(frame, { message: true, written });
    const wrong = faults.take('wrong-channel');
    if (wrong !== null) connection.send(messageEncoder(wrong.channel ?? 'other')(bytes));
  }

  const subscriber: Subscriber = {
    connectionId: connection.id,
    channel,
    topic,
    unwritten: () => connection.unwrittenMessages,
    flush: () => connection.flush(),
    message,
    extra: (frame) => connection.send(extraFrame(frame, channel)),
    drop(reason) {
      lossReason = reason;
      leave();
      connection.endNow();
    },
  };

  function leave(): void {
    isMember = false;
    queue.unsubscribe(subscriber);
  }

  function ping(args: readonly string[]): boolean {
    const fault = faults.take('pong');
    if (fault === null) connection.send(pong(args[0] ?? null));
    else if (fault.reply === 'simple') connection.send(simple('PONG'));
    return true;
  }

  connection.send(subscriptionFrame('subscribe', channel, 1));
  if (topic === 'usage' && options.sendsControl) connection.send(encode(SUPPORT_REFRESH), { message: true });
  if (faults.isSet('block-subscribers')) {
    connection.flush();
    connection.hold(true);
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
        connection.send(subscriptionFrame('unsubscribe', channel, 0));
        connection.close();
        return true;
      }
      if (command !== 'QUIT') return false;
      record.reply = '+OK';
      leave();
      connection.send(simple('OK'));
      connection.close();
      return true;
    },
    closed() {
      if (isMember) leave();
      for (const record of unwritten.splice(0)) ledger.discarded(record, lossReason);
    },
  };
}

/** Frames no client asked for. */
function extraFrame(frame: 'pong' | 'subscribe' | 'unknown', channel: string): Uint8Array {
  if (frame === 'pong') return pong(null);
  if (frame === 'subscribe') return subscriptionFrame('subscribe', channel, 1);
  return Buffer.from('*2\r\n$10\r\ninvalidate\r\n$1\r\nx\r\n');
}
