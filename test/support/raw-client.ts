import { connect, type Socket } from 'node:net';
import { until } from '@manager/core/testing/until';

/** A client that sends exactly the given bytes and keeps what comes back. */
export class RawClient {
  received = '';
  /** How the connection ended: `end` orderly, `reset` broken; null while it is open. */
  ended: 'end' | 'reset' | null = null;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.received += bytes.toString('latin1');
    });
    socket.on('end', () => {
      this.ended ??= 'end';
    });
    socket.on('error', () => {
      this.ended ??= 'reset';
    });
    socket.on('close', () => {
      this.ended ??= 'reset';
    });
  }

  static async open(url: string, ...parts: readonly (string | Uint8Array)[]): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const client = new RawClient(socket);
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
      socket.once('error', () => resolve());
    });
    for (const part of parts) socket.write(part);
    return client;
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Status of the first answer, once it has arrived; 0 when the connection ended without one. */
  async status(): Promise<number> {
    await until(() => this.received.includes('\r\n\r\n') || this.ended !== null, 'an answer');
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1] ?? 0);
  }

  /** Everything until the server closes the connection. */
  async all(): Promise<string> {
    await until(() => this.ended !== null, 'the end of the connection');
    return this.received;
  }

  close(): void {
    this.#socket.destroy();
  }
}
