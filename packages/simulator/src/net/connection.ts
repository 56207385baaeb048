import type { Socket } from 'node:net';

/** One accepted connection, and the faults of a connection as a whole. */
export class Connection {
  readonly id: number;
  readonly address: string;
  readonly socket: Socket;
  protocol: 'unknown' | 'http' | 'resp' = 'unknown';
  /** RESP output is cut into packets of this many bytes; 0 = not. */
  packetBytes = 0;
  /** Runs once, as soon as either side ends the connection. */
  onClosed: () => void = () => {};
  private isClosed = false;

  /** `listening` is the listener's own address: of a client that is gone already only its host is known. */
  constructor(id: number, socket: Socket, listening: string) {
    this.id = id;
    this.socket = socket;
    this.address = (socket.remoteAddress || listening).replace(/^::ffff:/, '');
    socket.on('close', () => this.closeOnce());
    // A reset by the peer: `close` follows.
    socket.on('error', () => {});
  }

  get closed(): boolean {
    return this.isClosed;
  }

  /** Ends the connection. What the system has taken still arrives; the rest is lost. */
  end(): void {
    this.closeOnce();
    if (this.socket.writableLength === 0) this.socket.destroySoon();
    else this.socket.destroy();
  }

  reset(): void {
    this.closeOnce();
    this.socket.resetAndDestroy();
  }

  /** Nothing is read or written while frozen; the socket stays open. */
  freeze(frozen: boolean): void {
    if (frozen) {
      this.socket.pause();
      this.socket.cork();
    } else {
      this.socket.uncork();
      this.socket.resume();
    }
  }

  private closeOnce(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onClosed();
  }
}
