import type { Peer } from './peer.ts';
import { HeadError } from './request-head.ts';

const END = Buffer.from('\r\n\r\n');
/** Identity lists of auth-file requests are in headers: 1 MiB of them is 3 MiB when URL-encoded. */
export const MAX_HEAD_BYTES = 4 * 1024 * 1024;

export interface ReadHeadOptions {
  /** Until the first byte. */
  readonly idleMs: number;
  /** From the first byte to the last. */
  readonly headMs: number;
  readonly now: () => number;
  /** The first bytes have arrived. */
  readonly onBegin: () => void;
  /** What is kept in memory so far. */
  readonly onGrow: (bytes: number) => void;
}

/**
 * The bytes of the next head, without its empty line; null when the peer has closed.
 *
 * @throws HeadError, PeerSilent
 */
export async function readHead(peer: Peer, options: ReadHeadOptions): Promise<Buffer | null> {
  let first = await peer.read(options.idleMs);
  // An empty line in front is ignored (RFC 9112 §2.2).
  if (first?.[0] === 0x0d && first[1] === 0x0a) first = first.subarray(2);
  if (first === null) return null;
  options.onBegin();
  const end = first.indexOf(END);
  if (end >= 0) return split(peer, first, end);
  return longHead(peer, first, options);
}

async function longHead(peer: Peer, first: Buffer, options: ReadHeadOptions): Promise<Buffer | null> {
  const deadline = options.now() + options.headMs;
  let buffer: Buffer = Buffer.allocUnsafe(Math.max(16 * 1024, first.length * 2));
  let used = first.copy(buffer);
  for (;;) {
    const bytes = await peer.read(Math.max(0, deadline - options.now()));
    if (bytes === null) return null;
    if (used + bytes.length > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, used + bytes.length));
      buffer.copy(larger, 0, 0, used);
      buffer = larger;
      options.onGrow(buffer.length);
    }
    const from = Math.max(0, used - END.length + 1);
    used += bytes.copy(buffer, used);
    const end = buffer.subarray(0, used).indexOf(END, from);
    if (end >= 0 && end <= MAX_HEAD_BYTES) return split(peer, buffer.subarray(0, used), end);
    if (used > MAX_HEAD_BYTES) throw new HeadError(431, 'the headers are larger than 4 MiB');
  }
}

function split(peer: Peer, bytes: Buffer, end: number): Buffer {
  peer.unread(bytes.subarray(end + END.length));
  return bytes.subarray(0, end);
}
