import type { Peer } from './peer.ts';
import { Pieces } from './pieces.ts';
import { HeadError } from './request-head.ts';

const END = Buffer.from('\r\n\r\n');
const TAIL_BYTES = END.length - 1;
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

/** The pieces are joined once: a buffer that grows would leave its earlier sizes to the garbage collector. */
async function longHead(peer: Peer, first: Buffer, options: ReadHeadOptions): Promise<Buffer | null> {
  const deadline = options.now() + options.headMs;
  const pieces = new Pieces();
  pieces.add(first);
  let tail = first.subarray(-TAIL_BYTES);
  for (;;) {
    const { size } = pieces;
    options.onGrow(size);
    const bytes = await peer.read(Math.max(0, deadline - options.now()));
    if (bytes === null) return null;
    // The end may be split between two pieces.
    const seam = Buffer.concat([tail, bytes.subarray(0, TAIL_BYTES)]);
    const atSeam = seam.indexOf(END);
    const end = atSeam >= 0 ? size - tail.length + atSeam : size + bytes.indexOf(END);
    const isComplete = atSeam >= 0 || end >= size;
    pieces.add(bytes);
    if (isComplete && end <= MAX_HEAD_BYTES) return split(peer, pieces.joined(), end);
    if (pieces.size > MAX_HEAD_BYTES) throw new HeadError(431, 'the headers are larger than 4 MiB');
    tail =
      bytes.length >= TAIL_BYTES ? bytes.subarray(-TAIL_BYTES) : Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES);
  }
}

function split(peer: Peer, bytes: Buffer, end: number): Buffer {
  peer.unread(bytes.subarray(end + END.length));
  return bytes.subarray(0, end);
}
