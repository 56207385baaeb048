import type { Socket } from 'node:net';
import type { GatewayAddress } from '../address.ts';
import { type DialOptions, dial } from '../dial.ts';
import { GatewayError, transportError } from '../errors.ts';
import { createRespParser, encodeCommand, type RespValue } from './codec.ts';
import { createReading, type Reading } from './reading.ts';

export interface RespConnection {
  send(args: readonly string[]): void;
  /** The next value in order of arrival. @throws GatewayError on timeout or when the connection ends. */
  next(timeoutMs: number): Promise<RespValue>;
  /** From now on every value goes to `handler`, including waiting ones; called in order, in the same turn. */
  stream(handler: (value: RespValue) => void): void;
  /** Resolves once, with the reason of the end. */
  readonly ended: Promise<GatewayError>;
  readonly reading: Reading;
  /** The complete elements of an answer that broke off. */
  partial(): readonly RespValue[];
  close(reason?: GatewayError): void;
}

/** `signal` also ends the open connection. */
export interface RespConnectionOptions extends DialOptions {
  readonly now: () => number;
  readonly maxRecordBytes?: number;
}

/** Every command has one answer, so more values that nobody waits for are a fault of the other side. */
const MAX_WAITING = 64;

/**
 * One RESP connection. It sends nothing on its own: a command before `AUTH` counts as a failed sign-in at the gateway.
 */
export async function openRespConnection(
  address: GatewayAddress,
  options: RespConnectionOptions,
): Promise<RespConnection> {
  const connection = attach(await dial(address, options), options);
  const stop = () => connection.close();
  if (options.signal?.aborted === true) stop();
  options.signal?.addEventListener('abort', stop, { once: true });
  void connection.ended.then(() => options.signal?.removeEventListener('abort', stop));
  return connection;
}

function attach(socket: Socket, options: RespConnectionOptions): RespConnection {
  const waiting: RespValue[] = [];
  const reading = createReading(socket, options.now);
  let handler: ((value: RespValue) => void) | null = null;
  let waiter: { resolve: (value: RespValue) => void; reject: (error: GatewayError) => void } | null = null;
  let failure: GatewayError | null = null;
  let markEnded: (reason: GatewayError) => void = () => {};
  const ended = new Promise<GatewayError>((resolve) => {
    markEnded = resolve;
  });

  const parser = createRespParser(
    (value) => {
      if (handler !== null) handler(value);
      else if (waiter !== null) waiter.resolve(value);
      else if (waiting.push(value) > MAX_WAITING) {
        throw new GatewayError('protocol', 'the gateway sent answers to no question');
      }
    },
    options.maxRecordBytes === undefined ? {} : { maxRecordBytes: options.maxRecordBytes },
  );

  function end(reason: GatewayError): void {
    if (failure !== null) return;
    failure = reason;
    waiter?.reject(reason);
    socket.destroy();
    markEnded(reason);
  }

  socket.setNoDelay(true);
  socket.on('data', (chunk: Uint8Array) => {
    if (failure !== null) return;
    reading.received();
    try {
      parser.push(chunk);
    } catch (error) {
      end(error instanceof GatewayError ? error : new GatewayError('protocol', 'the response cannot be read'));
    }
  });
  socket.on('error', (error) => {
    // A gateway that demands a client certificate says so only after the handshake of TLS 1.3.
    const known = transportError(error);
    end(
      known.kind === 'tls_broken' ? known : new GatewayError('closed', 'the connection to the gateway was interrupted'),
    );
  });
  socket.on('end', () => end(new GatewayError('closed', 'the gateway closed the connection')));
  socket.on('close', () => end(new GatewayError('closed', 'the gateway closed the connection')));

  return {
    ended,
    reading,
    partial: () => parser.partial(),
    send(args) {
      if (failure === null) socket.write(encodeCommand(args));
    },
    next(timeoutMs) {
      const ready = waiting.shift();
      if (ready !== undefined) return Promise.resolve(ready);
      if (failure !== null) return Promise.reject(failure);
      return new Promise<RespValue>((resolve, reject) => {
        const timer = setTimeout(
          () => end(new GatewayError('timeout', 'the gateway did not respond in time')),
          timeoutMs,
        );
        const done = () => {
          clearTimeout(timer);
          waiter = null;
        };
        waiter = {
          resolve(value) {
            done();
            resolve(value);
          },
          reject(error) {
            done();
            reject(error);
          },
        };
      });
    },
    stream(next) {
      handler = next;
      for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) next(value);
    },
    close(reason) {
      end(reason ?? new GatewayError('closed', 'closed by the manager'));
    },
  };
}
