import type { Socket } from 'bun';
import type { Simulator } from '../types.ts';

/** A socket that collects what it reads. */
export interface RawClient {
  send(text: string | Uint8Array): void;
  /** Resolves when this many bytes have arrived since the last read, or the connection is closed; returns them. */
  read(bytes: number): Promise<string>;
  /** Everything that arrives until the connection is closed. */
  rest(): Promise<string>;
  readonly isClosed: () => boolean;
  closed(): Promise<void>;
  /** Bytes waiting to be read. */
  readonly waiting: () => number;
  /** Stops or continues reading. */
  pause(paused: boolean): void;
  /** Ends the sending side. */
  finish(): void;
  end(): void;
}

export async function connectRaw(simulator: Pick<Simulator, 'host' | 'port'>): Promise<RawClient> {
  let buffer = Buffer.alloc(0);
  let closed = false;
  let chunks: Buffer[] = [];
  let chunkBytes = 0;
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const onClose = (): void => {
    closed = true;
    notify();
  };
  const socket: Socket<undefined> = await Bun.connect({
    hostname: simulator.host,
    port: simulator.port,
    allowHalfOpen: true,
    socket: {
      data(_, bytes) {
        chunks.push(Buffer.from(bytes));
        chunkBytes += bytes.length;
        notify();
      },
      end(self) {
        onClose();
        self.end();
      },
      close: onClose,
      error: onClose,
    },
  });

  function collect(): void {
    if (chunks.length === 0) return;
    buffer = Buffer.concat([buffer, ...chunks]);
    chunks = [];
    chunkBytes = 0;
  }

  function until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
    });
  }

  function take(bytes: number): string {
    collect();
    const text = buffer.toString('latin1', 0, bytes);
    buffer = buffer.subarray(bytes);
    return Buffer.from(text, 'latin1').toString();
  }

  return {
    send: (text) => void socket.write(text),
    async read(bytes) {
      await until(() => closed || buffer.length + chunkBytes >= bytes);
      return take(bytes);
    },
    async rest() {
      await until(() => closed);
      return take(buffer.length + chunkBytes);
    },
    isClosed: () => closed,
    closed: () => until(() => closed),
    waiting: () => buffer.length + chunkBytes,
    pause: (paused) => (paused ? socket.pause() : socket.resume()),
    finish: () => socket.shutdown(),
    end: () => socket.end(),
  };
}

export const KEY = 'sim-management-key';

export function command(...elements: readonly string[]): string {
  const parts = elements.map((element) => `$${Buffer.byteLength(element)}\r\n${element}\r\n`);
  return `*${elements.length}\r\n${parts.join('')}`;
}

export async function authenticated(simulator: Simulator): Promise<RawClient> {
  const client = await connectRaw(simulator);
  client.send(command('AUTH', KEY));
  const reply = await client.read(5);
  if (reply !== '+OK\r\n') throw new Error(`AUTH was answered ${reply}`);
  return client;
}

/** The frame of one event on channel `usage`. */
export function messageFrame(payload: string): string {
  return `*3\r\n$7\r\nmessage\r\n$5\r\nusage\r\n$${Buffer.byteLength(payload)}\r\n${payload}\r\n`;
}

const CONFIRMED = '*3\r\n$9\r\nsubscribe\r\n$5\r\nusage\r\n:1\r\n';

/** Subscribed to `usage`, with confirmation and capability message read. */
export async function subscribed(simulator: Simulator): Promise<RawClient> {
  const client = await authenticated(simulator);
  client.send(command('SUBSCRIBE', 'usage'));
  const expected = CONFIRMED + (simulator.profile().controlMessages ? messageFrame('{"support_refresh":true}') : '');
  const answer = await client.read(expected.length);
  if (answer !== expected) throw new Error(`SUBSCRIBE was answered ${answer}`);
  return client;
}

/** Pops by RESP; returns the texts of the events. */
export async function popResp(client: RawClient, count: number): Promise<string[]> {
  client.send(command('RPOP', 'usage', String(count)));
  const size = Number(await readLine(client, '*'));
  const events: string[] = [];
  for (let index = 0; index < size; index += 1) {
    const length = Number(await readLine(client, '$'));
    events.push(await client.read(length));
    await client.read(2);
  }
  return events;
}

async function readLine(client: RawClient, prefix: string): Promise<string> {
  let line = '';
  while (!line.endsWith('\r\n')) {
    const next = await client.read(1);
    if (next === '') throw new Error(`closed after ${line}`);
    line += next;
  }
  if (!line.startsWith(prefix)) throw new Error(`expected ${prefix}, got ${line}`);
  return line.slice(1, -2);
}

/** A management request; the connection is not reused. */
export async function manage(
  simulator: Simulator,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown; text: string; headers: Headers }> {
  const response = await fetch(`${simulator.url}/v0/management${path}`, {
    method,
    keepalive: false,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${KEY}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  return { status: response.status, body: parsed, text, headers: response.headers };
}

export async function popHttp(simulator: Simulator, count: number): Promise<unknown[]> {
  const { status, body } = await manage(simulator, 'GET', `/usage-queue?count=${count}`);
  if (status !== 200 || !Array.isArray(body)) throw new Error(`usage-queue answered ${status}`);
  return body;
}
