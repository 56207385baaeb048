import type { KeyCheck } from '../authentication.ts';
import type { Clock } from '../clock.ts';
import type { FrameKind } from '../faults/fault-types.ts';
import type { Faults } from '../faults/faults.ts';
import type { Connection } from '../net/connection.ts';
import type { Ledger } from '../queue/ledger.ts';
import type { UsageQueue } from '../queue/usage-queue.ts';
import type { OpenRecord, Recorder } from '../recorder.ts';
import type { Profile } from '../types.ts';
import { createCommandParser } from './command-parser.ts';
import { array, bulk, failure, NIL, simple } from './encode.ts';
import { applyFrameFault } from './frame-faults.ts';
import { createSubscription, type Subscription } from './subscription.ts';
import { createRespWriter } from './writer.ts';

interface RespDependencies {
  readonly profile: () => Profile;
  readonly checkKey: KeyCheck;
  /** Address the failure counters use for a socket's address. */
  readonly callerAddress: (socketAddress: string) => string;
  readonly queue: UsageQueue;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly recorder: Recorder;
  readonly clock: Clock;
}

/** Answer of a command, and the faults that apply to its frame. */
interface Reply {
  readonly bytes: Uint8Array;
  readonly kind?: FrameKind;
  readonly consumed?: number;
}

/** Serves one RESP connection, from its first byte. */
export function serveResp(connection: Connection, dependencies: RespDependencies): void {
  const { profile, faults, queue, recorder, clock } = dependencies;
  const { socket } = connection;
  const writer = createRespWriter(connection, clock);
  const address = dependencies.callerAddress(connection.address);
  let isAuthenticated = false;
  let subscription: Subscription | null = null;
  const drip = faults.take('drip');
  if (drip !== null) connection.packetBytes = drip.bytes ?? 1;

  const parser = createCommandParser({
    command: (elements) => run(elements),
    empty: () => writer.send(failure('ERR empty command')),
    malformed() {
      writer.send(failure('ERR protocol error'));
      writer.close();
    },
  });
  socket.on('data', (bytes: Buffer) => parser.push(bytes));
  socket.once('end', () => {
    if (parser.insideBulk()) writer.send(failure('ERR unexpected EOF'));
    writer.close();
  });
  connection.onClosed = () => subscription?.closed();

  function run(elements: readonly string[]): void {
    if (connection.closed) return;
    const [name = '', ...args] = elements;
    const command = name.toUpperCase();
    const record = recorder.open({
      connectionId: connection.id,
      protocol: 'resp',
      method: command,
      target: '',
      path: '',
      rawHeaders: [],
      args,
    });
    if (subscription !== null) {
      if (!subscription.command(command, args, record)) unknown(name, record);
      return;
    }
    const step = stepOf(command);
    const cut = step === null ? null : faults.take('close-before-reply', (fault) => fault.on === step);
    if (cut?.runs === false) {
      connection.end();
      return;
    }
    const reply = command === 'AUTH' ? authenticate(args) : afterAuthentication(command, name, args, record);
    if (reply !== null) record.consumedEvents = reply.consumed ?? 0;
    if (cut !== null) {
      connection.end();
      return;
    }
    if (reply !== null) answer(reply, record);
  }

  function authenticate(args: readonly string[]): Reply {
    if (args.length < 1 || args.length > 2) return wrongArity('auth');
    const refusal = dependencies.checkKey(address, args.at(-1) ?? '');
    if (refusal !== null) return { bytes: failure(`ERR ${refusal.text}`) };
    isAuthenticated = true;
    return { bytes: simple('OK') };
  }

  function afterAuthentication(
    command: string,
    name: string,
    args: readonly string[],
    record: OpenRecord,
  ): Reply | null {
    if (!isAuthenticated) {
      // An empty key counts one failure, like any command before authentication.
      dependencies.checkKey(address, '');
      return { bytes: failure('NOAUTH Authentication required.') };
    }
    if (command === 'LPOP' || command === 'RPOP') return pop(command.toLowerCase(), args);
    if (command === 'SUBSCRIBE' && profile().pubsub) return subscribe(args, record);
    return { bytes: failure(`ERR unknown command '${name.toLowerCase()}'`) };
  }

  function pop(name: string, args: readonly string[]): Reply {
    if (args.length < 1 || args.length > 2) return wrongArity(name);
    const key = (args[0] ?? '').trim();
    if (profile().popKeyCheck && key.toLowerCase() !== 'usage') return unsupportedChannel(key);
    const countText = args[1];
    if (countText === undefined) {
      const [event] = queue.pop(1);
      if (event === undefined) return { bytes: NIL };
      return { bytes: bulk(event.bytes), kind: 'pop', consumed: 1 };
    }
    const count = /^[+-]?\d+$/.test(countText) ? Number(countText) : 0;
    if (count <= 0) return { bytes: failure('ERR value is not an integer or out of range') };
    const events = queue.pop(count);
    return { bytes: array(events.map((event) => event.bytes)), kind: 'pop', consumed: events.length };
  }

  function subscribe(args: readonly string[], record: OpenRecord): Reply | null {
    if (args.length !== 1) return wrongArity('subscribe');
    const channel = (args[0] ?? '').trim();
    const topic = channel.toLowerCase();
    const isKnown = topic === 'usage' || (topic === 'errors' && profile().errorsChannel);
    if (!isKnown) return unsupportedChannel(channel);
    record.reply = 'subscribe';
    record.finished = true;
    subscription = createSubscription({
      writer,
      channel,
      topic: topic === 'errors' ? 'errors' : 'usage',
      sendsControl: profile().controlMessages,
      queue,
      ledger: dependencies.ledger,
      faults,
      clock,
    });
    return null;
  }

  function answer(reply: Reply, record: OpenRecord): void {
    const kind = reply.kind;
    const firstLine = Buffer.from(reply.bytes.subarray(0, 200)).toString('latin1').split('\r\n')[0] ?? '';
    record.reply = firstLine;
    const written = (): void => {
      record.finished = true;
    };
    if (kind !== undefined && applyFrameFault(writer, faults, reply.bytes, kind, 0, written)) return;
    writer.send(reply.bytes, written);
  }

  function unknown(name: string, record: OpenRecord): void {
    answer({ bytes: failure(`ERR unknown command '${name.toLowerCase()}'`) }, record);
  }
}

function stepOf(command: string): 'AUTH' | 'SUBSCRIBE' | 'POP' | null {
  if (command === 'AUTH' || command === 'SUBSCRIBE') return command;
  return command === 'LPOP' || command === 'RPOP' ? 'POP' : null;
}

function wrongArity(name: string): Reply {
  return { bytes: failure(`ERR wrong number of arguments for '${name}' command`) };
}

function unsupportedChannel(channel: string): Reply {
  return { bytes: failure(`ERR unsupported channel '${channel}'`) };
}
