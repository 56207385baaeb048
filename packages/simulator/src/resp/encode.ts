import type { FramePosition } from '../faults/fault-types.ts';

const CRLF = Buffer.from('\r\n');

export function simple(text: string): Buffer {
  return Buffer.from(`+${text}\r\n`);
}

export function failure(text: string): Buffer {
  return Buffer.from(`-${text}\r\n`);
}

export const NIL = Buffer.from('$-1\r\n');

export function bulk(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, CRLF]);
}

export function array(items: readonly Uint8Array[]): Buffer {
  const parts: Uint8Array[] = [Buffer.from(`*${items.length}\r\n`)];
  for (const item of items) parts.push(Buffer.from(`$${item.length}\r\n`), item, CRLF);
  return Buffer.concat(parts);
}

export function subscription(kind: 'subscribe' | 'unsubscribe', channel: string, count: number): Buffer {
  const head = `*3\r\n$${kind.length}\r\n${kind}\r\n`;
  return Buffer.from(`${head}$${Buffer.byteLength(channel)}\r\n${channel}\r\n:${count}\r\n`);
}

/** Encoder of the messages of one channel; the head is the same for all of them. */
export function messageEncoder(channel: string): (payload: Uint8Array) => Buffer {
  const head = `*3\r\n$7\r\nmessage\r\n$${Buffer.byteLength(channel)}\r\n${channel}\r\n$`;
  const headBytes = Buffer.byteLength(head);
  return (payload) => {
    const length = `${payload.length}\r\n`;
    const frame = Buffer.allocUnsafe(headBytes + length.length + payload.length + 2);
    frame.write(head, 0);
    frame.write(length, headBytes, 'latin1');
    frame.set(payload, headBytes + length.length);
    frame.set(CRLF, frame.length - 2);
    return frame;
  };
}

export function pong(value: string | null): Buffer {
  const tail = value === null ? '$-1\r\n' : `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
  return Buffer.from(`*2\r\n$4\r\npong\r\n${tail}`);
}

/**
 * Offset in a frame where a fault cuts or stalls it: inside the array header, the length or the payload of the bulk number
 * `bulkIndex`, or between that payload and its CRLF.
 */
export function offsetIn(frame: Uint8Array, position: FramePosition, bulkIndex: number): number {
  if (position === 'array-header') return 1;
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  let at = frame[0] === 0x2a ? bytes.indexOf(CRLF) + 2 : 0;
  for (let index = 0; ; index += 1) {
    const lineEnd = bytes.indexOf(CRLF, at);
    const length = Math.max(0, Number(bytes.toString('latin1', at + 1, lineEnd)));
    const payload = lineEnd + 2;
    if (index === bulkIndex || payload + length + 2 >= frame.length) {
      if (position === 'length') return at + 2;
      return position === 'payload' ? payload + (length >> 1) : payload + length;
    }
    at = payload + length + 2;
  }
}
