import type { Socket } from 'bun';

/** Received bytes that nobody has read yet; above it the socket is paused. */
const MAX_AHEAD_BYTES = 128 * 1024;

/** What each piece takes beside its bytes: a peer may send them one by one. */
const PIECE_BYTES = 256;

/** The peer has closed the connection. */
export class PeerGone extends Error {
  override readonly name = 'PeerGone';
}

/** The peer sent nothing for too long. */
export class PeerSilent extends Error {
  override readonly name = 'PeerSilent';
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

/** One TCP connection as bytes to await, in both directions. */
export class Peer {
  readonly address: string;
  /** Since when only the peer can go on, on the clock of `now`; null while the manager works for it. */
  waitingSince: number | null = null;
  /** Called when the connection is closed while a request is in progress. */
  onGone: (() => void) | null = null;
  /** Called once when the connection is closed. */
  onClosed: (() => void) | null = null;
  gone = false;
  /** The current request, or the last one, has proven the admin key. */
  isOperator = false;
  /** A request was read before. */
  hasServed = false;
  readonly #socket: Socket<Peer | undefined>;
  readonly #now: () => number;
  #received: Buffer[] = [];
  #ahead = 0;
  #paused = false;
  #reader: Waiting<Buffer | null> | null = null;
  #unsent: Uint8Array[] = [];
  #writer: Waiting<void> | null = null;
  #ending = false;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(socket: Socket<Peer | undefined>, now: () => number) {
    this.#socket = socket;
    this.#now = now;
    this.address = socket.remoteAddress;
  }

  get hasReceived(): boolean {
    return this.#received.length > 0;
  }

  /**
   * The next bytes, null when the peer has closed.
   *
   * @throws PeerSilent when nothing arrives in time.
   */
  read(limitMs: number): Promise<Buffer | null> | Buffer | null {
    const next = this.#received.shift();
    if (next !== undefined) {
      this.#ahead -= next.length + PIECE_BYTES;
      if (this.#paused && this.#ahead < MAX_AHEAD_BYTES) {
        this.#paused = false;
        this.#socket.resume();
      }
      return next;
    }
    if (this.gone) return null;
    this.#await(limitMs);
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  /** Puts back what was read too much. */
  unread(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#received.unshift(bytes);
    this.#ahead += bytes.length + PIECE_BYTES;
  }

  /**
   * Sends bytes; the promise ends when they are with the system.
   *
   * @throws PeerGone
   */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.gone) throw new PeerGone();
    const sent = this.#socket.write(bytes);
    if (sent >= bytes.length) return undefined;
    if (sent < 0) throw new PeerGone();
    this.#unsent.push(bytes.subarray(sent));
    this.#await(Number.POSITIVE_INFINITY);
    return new Promise((resolve, reject) => {
      this.#writer = { resolve, reject };
    });
  }

  /** Closes the sending side; for what the peer sends afterwards see `discard`. */
  shutdown(): void {
    if (!this.gone) this.#socket.shutdown();
  }

  end(): void {
    if (this.#ending || this.gone) return;
    this.#ending = true;
    this.#socket.end();
  }

  /** The peer must notice that something is missing, so this is no ordinary end. */
  reset(): void {
    this.#socket.terminate();
    this.closed();
  }

  /** Ends a wait that has lasted too long. */
  expire(now: number): void {
    if (now < this.#deadline) return;
    const reader = this.#reader;
    this.#reader = null;
    this.#settled();
    reader?.reject(new PeerSilent());
  }

  received(bytes: Buffer): void {
    const reader = this.#reader;
    if (reader !== null) {
      this.#reader = null;
      this.#settled();
      reader.resolve(bytes);
      return;
    }
    this.#received.push(bytes);
    this.#ahead += bytes.length + PIECE_BYTES;
    if (this.#ahead >= MAX_AHEAD_BYTES && !this.#paused) {
      this.#paused = true;
      this.#socket.pause();
    }
  }

  drained(): void {
    for (;;) {
      const next = this.#unsent[0];
      if (next === undefined) break;
      const sent = this.#socket.write(next);
      if (sent < next.length) {
        if (sent > 0) this.#unsent[0] = next.subarray(sent);
        return;
      }
      this.#unsent.shift();
    }
    const writer = this.#writer;
    if (writer === null) return;
    this.#writer = null;
    this.#settled();
    writer.resolve();
  }

  closed(): void {
    if (this.gone) return;
    this.gone = true;
    const [reader, writer] = [this.#reader, this.#writer];
    this.#reader = null;
    this.#writer = null;
    this.#unsent = [];
    this.#settled();
    reader?.resolve(null);
    writer?.reject(new PeerGone());
    this.onGone?.();
    this.onClosed?.();
  }

  #await(limitMs: number): void {
    const now = this.#now();
    this.waitingSince ??= now;
    if (limitMs !== Number.POSITIVE_INFINITY) this.#deadline = now + limitMs;
  }

  #settled(): void {
    if (this.#reader !== null || this.#writer !== null) return;
    this.waitingSince = null;
    this.#deadline = Number.POSITIVE_INFINITY;
  }
}
