import { connect, type Socket } from 'node:net';

/** An export client that reads the first bytes and pauses until resumed. */
export interface PausedExport {
  /** Reads the rest; the whole answer when the connection has ended. */
  rest(): Promise<string>;
  end(): void;
}

export async function pauseExport(url: string, adminKey: string): Promise<PausedExport> {
  const { hostname, port } = new URL(url);
  const pieces: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const socket: Socket = connect(Number(port), hostname, () => {
    socket.write(
      `GET /v0/management/usage/export HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${adminKey}\r\n\r\n`,
    );
  });
  socket.on('data', (piece: Buffer) => {
    if (pieces.length === 0) socket.pause();
    pieces.push(piece);
    begun.resolve();
  });
  socket.on('error', (error) => begun.reject(error));
  socket.on('close', () => ended.resolve());
  await begun.promise;
  return {
    async rest() {
      socket.resume();
      await ended.promise;
      return Buffer.concat(pieces).toString();
    },
    end: () => socket.destroy(),
  };
}

/** As its own process that can be killed: `bun paused-export.ts <url> <admin key>`. */
if (import.meta.main) {
  const [url = '', adminKey = ''] = process.argv.slice(2);
  await pauseExport(url, adminKey);
  process.stdout.write('begun\n');
  // A paused connection does not keep a process alive.
  setInterval(() => {}, 60_000);
}
