import { createHash } from 'node:crypto';
import type { Exchange } from './exchange.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export function wantsWebSocket(exchange: Exchange): boolean {
  return exchange.header('upgrade').toLowerCase() === 'websocket' && exchange.header('sec-websocket-key') !== '';
}

/** Accepts a WebSocket that sends every message back; takes the first subprotocol the client offers. */
export function echoWebSocket(exchange: Exchange): void {
  const { connection } = exchange;
  const accept = createHash('sha1')
    .update(exchange.header('sec-websocket-key') + GUID)
    .digest('base64');
  const protocol = exchange.header('sec-websocket-protocol').split(',')[0]?.trim() ?? '';
  const rest = exchange.upgrade({
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': accept,
    ...(protocol === '' ? {} : { 'Sec-WebSocket-Protocol': protocol }),
  });
  let pending: Buffer = rest;
  let parts: Buffer[] = [];
  let messageKind = TEXT;

  function receive(kind: number, payload: Buffer, isFinal: boolean): void {
    if (kind === CLOSE) {
      connection.send(frame(CLOSE, payload));
      exchange.record.finished = true;
      connection.close();
    } else if (kind === PING) connection.send(frame(PONG, payload));
    else if (kind !== PONG) {
      if (kind !== 0) messageKind = kind === BINARY ? BINARY : TEXT;
      parts.push(payload);
      if (!isFinal) return;
      connection.send(frame(messageKind, Buffer.concat(parts)));
      parts = [];
    }
  }

  function read(): void {
    for (;;) {
      const found = takeFrame(pending);
      if (found === null) return;
      pending = pending.subarray(found.length);
      receive(found.kind, found.payload, found.isFinal);
    }
  }

  connection.handler = {
    data(bytes) {
      pending = Buffer.concat([pending, bytes]);
      read();
    },
    end: () => connection.endNow(),
    closed: () => exchange.onGone(),
  };
  read();
}

function takeFrame(bytes: Buffer): { kind: number; payload: Buffer; isFinal: boolean; length: number } | null {
  if (bytes.length < 2) return null;
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  let length = second & 127;
  let at = 2;
  if (length === 126) {
    if (bytes.length < 4) return null;
    length = bytes.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return null;
    length = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  const isMasked = (second & 128) !== 0;
  const mask = isMasked ? bytes.subarray(at, at + 4) : null;
  if (isMasked) at += 4;
  if (bytes.length < at + length) return null;
  const payload = Buffer.from(bytes.subarray(at, at + length));
  if (mask !== null)
    for (let index = 0; index < length; index += 1) payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
  return { kind: first & 15, payload, isFinal: (first & 128) !== 0, length: at + length };
}

function frame(kind: number, payload: Buffer): Buffer {
  const length = payload.length;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head.writeUInt8(0x80 | kind, 0);
  if (length < 126) head.writeUInt8(length, 1);
  else if (length < 65_536) {
    head.writeUInt8(126, 1);
    head.writeUInt16BE(length, 2);
  } else {
    head.writeUInt8(127, 1);
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}
