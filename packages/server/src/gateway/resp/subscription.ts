import { GatewayError } from '../errors.ts';
import type { QueueRecord } from '../records.ts';
import { countRefusal } from '../refusal.ts';
import type { RespValue } from './codec.ts';
import type { RespConnection } from './connection.ts';
import { recordOf } from './pop.ts';
import { asGatewayError, openRespSession, type RespSessionOptions, RespStageError, replyError } from './session.ts';

export interface SubscriptionOptions extends RespSessionOptions {
  readonly channel: string;
  /**
   * Called in the same turn. `inSocketSinceMs`: earliest time at which the record can have arrived at the socket. A promise asks that
   * nothing more be read until it resolves.
   */
  readonly onRecord: (record: QueueRecord, inSocketSinceMs: number) => Promise<unknown> | null;
  /** Silence after which a `PING` is sent. */
  readonly pingAfterMs: number;
  /** Silence after which the connection is closed; a `PING` must have been unanswered for the rest of it. */
  readonly deadAfterMs: number;
}

export interface Subscription {
  /** Why it ended; all earlier records were passed to `onRecord`. */
  readonly ended: Promise<GatewayError>;
  /** What the gateway sent before was received, unless it is in transit. */
  receivedUntilMs(): number;
  /** See `Reading`. */
  unreadSinceMs(): number | null;
  /** A `PING` was sent without an answer so far: the connection may be dead. */
  doubtful(): boolean;
  /**
   * Ends it deliberately without losing anything: the gateway confirms and closes, and what it sent before is read. Resolves to
   * false when it did not close in time.
   */
  unsubscribe(timeoutMs: number): Promise<boolean>;
  close(): void;
}

/** Authenticates and subscribes. The first frame after the confirmation may be of any kind. @throws RespStageError */
export async function openSubscription(options: SubscriptionOptions): Promise<Subscription> {
  const connection = await openRespSession(options);
  const channel = options.channel.trim().toLowerCase();
  let confirm: () => void = () => {};
  let refuse: (error: GatewayError) => void = () => {};
  let left = false;
  const confirmed = new Promise<void>((resolve, reject) => {
    confirm = resolve;
    refuse = reject;
  });
  const timer = setTimeout(
    () => connection.close(new GatewayError('timeout', 'the gateway did not confirm the subscription in time')),
    options.commandTimeoutMs,
  );
  void connection.ended.then((reason) => refuse(reason));

  connection.stream((value) => {
    const problem = readFrame(value);
    if (problem !== null) connection.close(problem);
  });
  connection.send(['SUBSCRIBE', options.channel]);
  try {
    await confirmed;
  } catch (error) {
    connection.close();
    countRefusal(options.gate, options.connection, error);
    throw new RespStageError('subscribe', asGatewayError(error));
  } finally {
    clearTimeout(timer);
  }

  function readFrame(value: RespValue): GatewayError | null {
    if (value.kind === 'error') return replyError(value.text);
    // Older versions and other servers answer PING like this.
    if (value.kind === 'simple' && value.text.toUpperCase() === 'PONG') return null;
    if (value.kind !== 'array') return new GatewayError('protocol', 'an unexpected frame in the subscription');
    const [head, name, payload] = value.items;
    const kind = head?.kind === 'bulk' ? head.text.toLowerCase() : '';
    switch (kind) {
      case 'message':
        // A message of another channel is not stored.
        if (name?.kind === 'bulk' && name.text.trim().toLowerCase() === channel && payload !== undefined) {
          for (const record of recordOf(payload)) pass(record);
        }
        return null;
      case 'subscribe':
        if (name?.kind === 'bulk' && name.text.trim().toLowerCase() === channel) confirm();
        return null;
      case 'unsubscribe':
        left = true;
        return null;
      case 'pong':
        return null;
      default:
        return new GatewayError('protocol', 'an unknown kind of frame in the subscription');
    }
  }

  function pass(record: QueueRecord): void {
    const room = options.onRecord(record, connection.reading.unreadSinceMs() ?? options.now());
    if (room !== null) connection.reading.pauseUntil(room);
  }

  return supervise(connection, options, () => left);
}

/** After a pause of this thread or of the machine, data that arrived meanwhile must still be read. */
const SECOND_LOOK_MS = 1_000;
const LONGEST_CHECK_MS = 5_000;

const TOO_LATE = new GatewayError('timeout', 'the gateway did not end the subscription in time');

/** Sends `PING` after silence and closes a connection without any data. */
function supervise(connection: RespConnection, options: SubscriptionOptions, left: () => boolean): Subscription {
  const { reading } = connection;
  let pingedAtMs: number | null = null;
  let suspected = false;
  let over = false;
  let timer: Timer | null = null;

  const check = () => {
    if (over) return;
    const silentSinceMs = reading.silentSinceMs();
    if (silentSinceMs === null) {
      // An answer would not be read, and a PING to a gateway that has closed loses what waits in the socket.
      pingedAtMs = null;
      suspected = false;
      timer = setTimeout(check, Math.min(options.pingAfterMs, LONGEST_CHECK_MS));
      return;
    }
    const nowMs = options.now();
    // After the clock was set back nobody knows whether it was answered.
    if (pingedAtMs !== null && (silentSinceMs >= pingedAtMs || pingedAtMs > nowMs)) pingedAtMs = null;
    const silentMs = nowMs - silentSinceMs;
    if (silentMs >= options.pingAfterMs && pingedAtMs === null) {
      pingedAtMs = nowMs;
      connection.send(['PING']);
    }
    // A machine that slept through the silence has not sent a PING yet.
    const deadAtMs =
      pingedAtMs === null
        ? null
        : Math.max(silentSinceMs + options.deadAfterMs, pingedAtMs + options.deadAfterMs - options.pingAfterMs);
    if (deadAtMs !== null && nowMs >= deadAtMs) {
      if (!suspected) {
        suspected = true;
        timer = setTimeout(check, SECOND_LOOK_MS);
        return;
      }
      connection.close(new GatewayError('timeout', 'no data from the gateway, not even a response to PING'));
      return;
    }
    suspected = false;
    const dueInMs = deadAtMs === null ? options.pingAfterMs - silentMs : deadAtMs - nowMs;
    // A clock that jumps must neither cause a busy loop nor stop the timer.
    timer = setTimeout(check, Math.min(Math.max(dueInMs, 10), LONGEST_CHECK_MS));
  };
  check();

  const ended = connection.ended.then((reason) => {
    over = true;
    if (timer !== null) clearTimeout(timer);
    return reason;
  });

  return {
    ended,
    receivedUntilMs: () => Math.min(reading.lastByteAtMs(), reading.unreadSinceMs() ?? Number.POSITIVE_INFINITY),
    unreadSinceMs: () => reading.unreadSinceMs(),
    doubtful: () => pingedAtMs !== null && reading.lastByteAtMs() < pingedAtMs,
    async unsubscribe(timeoutMs) {
      connection.send(['UNSUBSCRIBE', options.channel]);
      const giveUp = setTimeout(() => connection.close(TOO_LATE), timeoutMs);
      const reason = await ended;
      clearTimeout(giveUp);
      return left() && reason !== TOO_LATE;
    },
    close: () => connection.close(),
  };
}
