import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import { Connection } from './connection.ts';

const FIRST_BYTE_MS = 10_000;
const RESP_FIRST_BYTES = Buffer.from('*$+-:');

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly key: string; readonly cert: string; readonly alpn: boolean } | null;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Whether silent new connections are closed after 10 s. */
  readonly hasDeadline: () => boolean;
  /** They take over a paused connection whose first bytes are unread. */
  readonly serveHttp: (connection: Connection) => void;
  readonly serveResp: (connection: Connection) => void;
}

/** The gateway's only port: the first byte of a connection decides between HTTP and RESP. */
export interface Listener {
  readonly port: number;
  connections(): readonly Connection[];
  /** Stops accepting; open connections stay. */
  close(): void;
  /** Accepts again on the same port. */
  reopen(): void;
  stop(): void;
}

export async function createListener(options: ListenerOptions): Promise<Listener> {
  const { faults, tls } = options;
  const open = new Set<Connection>();
  let nextId = 1;

  function accept(socket: Socket): void {
    const connection = new Connection(nextId, socket, options.host);
    nextId += 1;
    open.add(connection);
    socket.once('close', () => open.delete(connection));
    if (faults.take('reset-connections') !== null) connection.reset();
    else if (faults.take('silent-connections') !== null) connection.freeze(true);
    else awaitFirstByte(connection);
  }

  function awaitFirstByte(connection: Connection): void {
    const { socket } = connection;
    const cancel = options.hasDeadline() ? options.clock.after(FIRST_BYTE_MS, () => connection.end()) : () => {};
    const ended = (): void => connection.end();
    socket.once('close', cancel);
    socket.once('end', ended);
    socket.once('data', (bytes: Buffer) => {
      cancel();
      socket.off('end', ended);
      socket.pause();
      // A client that agreed on HTTP by ALPN is never taken for a RESP client.
      const isHttp = isNegotiated(socket) || !RESP_FIRST_BYTES.includes(bytes[0] ?? 0);
      connection.protocol = isHttp ? 'http' : 'resp';
      if (isHttp) options.serveHttp(connection);
      else options.serveResp(connection);
      socket.unshift(bytes);
      socket.resume();
    });
  }

  function listen(port: number): Server {
    const shared = { allowHalfOpen: true, noDelay: true };
    const server =
      tls === null
        ? createServer(shared, accept)
        : createTlsServer(
            { ...shared, key: tls.key, cert: tls.cert, ...(tls.alpn ? { ALPNProtocols: ['http/1.1'] } : {}) },
            accept,
          );
    return server.listen(port, options.host);
  }

  let server: Server | null = listen(options.port);
  await new Promise((resolve, reject) => server?.once('listening', resolve).once('error', reject));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return {
    port,
    connections: () => [...open].filter((connection) => !connection.closed),
    close() {
      server?.close();
      server = null;
    },
    reopen() {
      server ??= listen(port);
    },
    stop() {
      server?.close();
      server = null;
      for (const connection of open) connection.reset();
      open.clear();
    },
  };
}

function isNegotiated(socket: Socket): boolean {
  return socket instanceof TLSSocket && typeof socket.alpnProtocol === 'string';
}
