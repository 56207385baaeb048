import type { Socket, TCPSocketListener } from 'bun';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import { Connection } from './connection.ts';

const FIRST_BYTE_MS = 10_000;
const RESP_FIRST_BYTES = [...'*$+-:'].map((character) => character.charCodeAt(0));
const ALPN_HTTP = Buffer.from('\x08http/1.1');

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly key: string; readonly cert: string; readonly alpn: boolean } | null;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Whether silent new connections are closed after 10 s. */
  readonly hasDeadline: () => boolean;
  readonly serveHttp: (connection: Connection) => void;
  readonly serveResp: (connection: Connection) => void;
}

/** The one port of the upstream: the first byte of a connection decides between HTTP and RESP. */
export interface Listener {
  readonly port: number;
  connections(): readonly Connection[];
  /** Stops accepting; open connections stay. */
  close(): void;
  /** Accepts again on the same port. */
  reopen(): void;
  stop(): void;
}

interface Slot {
  connection: Connection;
}

export function createListener(options: ListenerOptions): Listener {
  const open = new Map<Connection, Socket<Slot | undefined>>();
  let nextId = 1;
  let server: TCPSocketListener<Slot | undefined> | null = null;

  function accept(socket: Socket<Slot | undefined>): void {
    const connection = new Connection({
      id: nextId,
      address: socket.remoteAddress.replace(/^::ffff:/, ''),
      socket: socket as Socket<unknown>,
      after: (ms, action) => options.clock.after(ms, action),
    });
    nextId += 1;
    socket.data = { connection };
    socket.setNoDelay(true);
    open.set(connection, socket);
    if (options.faults.take('reset-connections') !== null) {
      connection.terminate();
      return;
    }
    if (options.faults.take('silent-connections') !== null) {
      connection.freeze(true);
      return;
    }
    awaitFirstByte(connection, socket);
  }

  function awaitFirstByte(connection: Connection, socket: Socket<Slot | undefined>): void {
    const cancel = options.hasDeadline() ? options.clock.after(FIRST_BYTE_MS, () => connection.endNow()) : () => {};
    connection.handler = {
      data(bytes) {
        cancel();
        // A client that agreed on HTTP by ALPN is never taken for a RESP client.
        const isHttp = isNegotiated(socket) || !RESP_FIRST_BYTES.includes(bytes[0] ?? 0);
        connection.protocol = isHttp ? 'http' : 'resp';
        if (isHttp) options.serveHttp(connection);
        else options.serveResp(connection);
        connection.onData(bytes);
      },
      end() {
        cancel();
        connection.endNow();
      },
      closed: cancel,
    };
  }

  function listen(port: number): TCPSocketListener<Slot | undefined> {
    const socket = {
      open: accept,
      data: (from: Socket<Slot | undefined>, bytes: Buffer) => from.data?.connection.onData(bytes),
      drain: (from: Socket<Slot | undefined>) => from.data?.connection.onDrain(),
      end: (from: Socket<Slot | undefined>) => from.data?.connection.onEnd(),
      close(from: Socket<Slot | undefined>) {
        if (from.data === undefined) return;
        open.delete(from.data.connection);
        from.data.connection.onClose();
      },
      error: () => {},
    };
    const shared = { hostname: options.host, port, allowHalfOpen: true, socket };
    if (options.tls === null) return Bun.listen<Slot | undefined>(shared);
    const { key, cert, alpn } = options.tls;
    return Bun.listen<Slot | undefined>({
      ...shared,
      tls: { key, cert, ...(alpn ? { ALPNProtocols: ALPN_HTTP } : {}) },
    });
  }

  server = listen(options.port);
  const port = server.port;
  return {
    port,
    connections: () => [...open.keys()].filter((connection) => !connection.closed),
    close() {
      server?.stop(false);
      server = null;
    },
    reopen() {
      server ??= listen(port);
    },
    stop() {
      server?.stop(false);
      server = null;
      for (const socket of open.values()) socket.terminate();
      open.clear();
    },
  };
}

function isNegotiated(socket: Socket<Slot | undefined>): boolean {
  const protocol: unknown = 'alpnProtocol' in socket ? socket.alpnProtocol : false;
  return protocol === 'http/1.1' || protocol === 'h2';
}
