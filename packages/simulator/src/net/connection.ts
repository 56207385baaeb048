import type { Socket } from 'bun';

/** Largest piece handed to the socket at once. */
const WRITE_BYTES = 256 * 1024;
/** Below this much waiting output a stream may go on writing. */
const LOW_WATER_BYTES = 64 * 1024;

/** One step of the output: bytes, a silence, or the end of the connection. */
type Output =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly message: boolean; readonly written?: () => void }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'close' };

interface ConnectionHandler {
  data(bytes: Buffer): void;
  /** The peer will send no more. */
  end(): void;
  closed(): void;
}

export interface ConnectionOptions {
  readonly id: number;
  readonly address: string;
  readonly socket: Socket<unknown>;
  readonly after: (ms: number, action: () => void) => () => void;
}

/**
 * One accepted connection: ordered output with backpressure, and the switches by which faults disturb it. Output of one
 * turn of the event loop leaves in one write. A message counts as unwritten until the socket has taken its last byte.
 */
export class Connection {
  readonly id: number;
  readonly address: string;
  handler: ConnectionHandler | null = null;
  protocol: 'unknown' | 'http' | 'resp' = 'unknown';
  /** Output is cut into packets of so many bytes; 0 = not. */
  packetBytes = 0;
  private readonly socket: Socket<unknown>;
  private readonly after: ConnectionOptions['after'];
  private readonly outputs: Output[] = [];
  private headOffset = 0;
  private outputBytes = 0;
  private messages = 0;
  private isFull = false;
  private isHeld = false;
  private isFrozen = false;
  private isPausing = false;
  private isScheduled = false;
  private isClosed = false;
  private heldInput: Buffer[] = [];
  private inputEnded = false;
  private waiters: (() => void)[] = [];
  private cancelPause: (() => void) | null = null;

  constructor(options: ConnectionOptions) {
    this.id = options.id;
    this.address = options.address;
    this.socket = options.socket;
    this.after = options.after;
  }

  get closed(): boolean {
    return this.isClosed;
  }

  /** Messages that are not written yet. */
  get unwrittenMessages(): number {
    return this.messages;
  }

  /** The socket takes nothing at the moment. */
  get blocked(): boolean {
    return this.isFull || this.isHeld || this.isFrozen || this.isPausing;
  }

  send(bytes: Uint8Array, options?: { readonly message?: boolean; readonly written?: () => void }): void {
    if (this.isClosed) return;
    const message = options?.message === true;
    const written = options?.written;
    this.outputs.push({ kind: 'bytes', bytes, message, ...(written === undefined ? {} : { written }) });
    this.outputBytes += bytes.length;
    if (message) this.messages += 1;
    this.schedule();
  }

  /** Nothing leaves for `ms`; what is sent afterwards waits behind. */
  pause(ms: number): void {
    this.outputs.push({ kind: 'pause', ms });
    this.schedule();
  }

  /** Closes after everything sent so far. */
  close(): void {
    this.outputs.push({ kind: 'close' });
    this.schedule();
  }

  /** Ends the connection now; what the socket has taken still arrives, what waits here is lost. */
  endNow(): void {
    if (this.isClosed) return;
    this.socket.end();
    this.onClose();
  }

  /** Resets the connection. */
  terminate(): void {
    if (this.isClosed) return;
    this.socket.terminate();
    this.onClose();
  }

  /** Resolves when little output waits, or the connection is closed. */
  drained(): Promise<void> {
    if (this.isClosed || this.outputBytes < LOW_WATER_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** Output waits until released. */
  hold(held: boolean): void {
    this.isHeld = held;
    if (!held) this.flush();
  }

  freeze(frozen: boolean): void {
    this.isFrozen = frozen;
    if (frozen) this.socket.pause();
    else {
      this.socket.resume();
      this.releaseInput();
      this.flush();
    }
  }

  /** Writes what the socket takes now. */
  flush(): void {
    this.isScheduled = false;
    while (!this.isClosed && !this.blocked) {
      const head = this.outputs[0];
      if (head === undefined) break;
      if (head.kind === 'close') {
        this.endNow();
        break;
      }
      if (head.kind === 'pause') {
        this.outputs.shift();
        this.isPausing = true;
        this.cancelPause = this.after(head.ms, () => {
          this.isPausing = false;
          this.flush();
        });
        break;
      }
      this.writeBytes();
      if (this.packetBytes > 0) {
        this.schedule();
        break;
      }
    }
    if (this.outputBytes < LOW_WATER_BYTES) this.wake();
  }

  private writeBytes(): void {
    const piece = this.nextPiece();
    const taken = Math.max(0, this.socket.write(piece));
    if (taken < piece.length) this.isFull = true;
    this.consume(taken);
  }

  private nextPiece(): Uint8Array {
    const limit = this.packetBytes > 0 ? this.packetBytes : WRITE_BYTES;
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (const output of this.outputs) {
      if (output.kind !== 'bytes' || length >= limit) break;
      const from = length === 0 ? this.headOffset : 0;
      const piece = output.bytes.subarray(from, from + limit - length);
      pieces.push(piece);
      length += piece.length;
    }
    const first = pieces[0];
    return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces, length);
  }

  private consume(taken: number): void {
    this.outputBytes -= taken;
    let left = taken;
    let finished = 0;
    for (const output of this.outputs) {
      if (output.kind !== 'bytes') break;
      const rest = output.bytes.length - this.headOffset;
      if (rest > left) {
        this.headOffset += left;
        break;
      }
      left -= rest;
      this.headOffset = 0;
      finished += 1;
      if (output.message) this.messages -= 1;
      output.written?.();
    }
    this.outputs.splice(0, finished);
  }

  private schedule(): void {
    if (this.isScheduled || this.isClosed) return;
    this.isScheduled = true;
    setImmediate(() => this.flush());
  }

  private wake(): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const resolve of waiters) resolve();
  }

  onData(bytes: Buffer): void {
    if (this.isClosed) return;
    if (this.isFrozen) this.heldInput.push(bytes);
    else this.handler?.data(bytes);
  }

  onEnd(): void {
    if (this.isClosed) return;
    if (this.isFrozen) this.inputEnded = true;
    else this.handler?.end();
  }

  private releaseInput(): void {
    const input = this.heldInput;
    this.heldInput = [];
    for (const bytes of input) this.handler?.data(bytes);
    if (this.inputEnded) this.handler?.end();
    this.inputEnded = false;
  }

  onDrain(): void {
    this.isFull = false;
    this.flush();
  }

  onClose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.cancelPause?.();
    this.outputs.length = 0;
    this.outputBytes = 0;
    this.messages = 0;
    this.wake();
    this.handler?.closed();
  }
}
