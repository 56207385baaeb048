import { createServer, type Socket } from 'node:net';

type Bytes = Iterable<Uint8Array | string>;

export interface RawGatewayOptions {
  /** What follows the confirmation of a subscription. */
  readonly pushed?: () => Bytes;
  /** The answer to a pop over RESP. Default: no records. */
  readonly popped?: () => Bytes;
  /** A whole HTTP response, after which the connection is closed. Default, or null: an empty queue and nothing else. */
  readonly respond?: (path: string) => Bytes | null;
}

export interface RawGateway {
  readonly url: string;
  stop(): void;
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n';
const SUBSCRIBED = '*3\r\n$9\r\nsubscribe\r\n$5\r\nusage\r\n:1\r\n';

/** The head of a JSON response, and its body until the connection is closed. */
export function* jsonResponse(body: Bytes): Bytes {
  yield `${HEAD}\r\n`;
  yield* body;
}

/** A pushed record. */
export function pushedMessage(record: string): string {
  return `*3\r\n$7\r\nmessage\r\n$5\r\nusage\r\n$${Buffer.byteLength(record)}\r\n${record}\r\n`;
}

/** A gateway that sends any bytes over both protocols, as fast as the manager takes them. */
export async function startRawGateway(options: RawGatewayOptions): Promise<RawGateway> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => void answer(socket, bytes.toString('latin1')));
  });

  async function answer(socket: Socket, request: string): Promise<void> {
    if (!request.startsWith('*')) {
      const path = request.split(' ')[1] ?? '';
      await sendAll(socket, options.respond?.(path) ?? jsonResponse([path.includes('usage-queue') ? '[]' : '{}']));
      socket.end();
    } else if (request.includes('AUTH')) {
      socket.write('+OK\r\n');
    } else if (request.includes('UNSUBSCRIBE')) {
      socket.end();
    } else if (request.includes('SUBSCRIBE')) {
      socket.write(SUBSCRIBED);
      await sendAll(socket, options.pushed?.() ?? []);
    } else if (request.includes('POP')) {
      await sendAll(socket, options.popped?.() ?? ['*-1\r\n']);
    }
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function sendAll(socket: Socket, bytes: Bytes): Promise<void> {
  for (const piece of bytes) {
    if (socket.destroyed) return;
    if (!socket.write(piece)) await drained(socket);
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
