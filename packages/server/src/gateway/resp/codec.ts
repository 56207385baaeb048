import { JsonShortener } from '../../platform/json-shortener.ts';
import { GatewayError } from '../errors.ts';
import { MAX_RECORD_BYTES, OVERSIZED_HEAD_BYTES, RECORD_OVERHEAD_BYTES, requireEnd, roomAfter } from '../records.ts';
import { decodeUtf8 } from '../utf8.ts';

export type RespValue =
  | { readonly kind: 'simple'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'bulk'; readonly text: string; readonly repaired: boolean; readonly bytes: number }
  /** A bulk above the record limit, or without room; its bytes were skipped. */
  | { readonly kind: 'oversized'; readonly bytes: number; readonly head: string }
  | { readonly kind: 'nil' }
  | { readonly kind: 'array'; readonly items: readonly RespValue[] };

export interface RespParser {
  /** @throws GatewayError `unsupported RESP prefix 'H'` and the like; the parser cannot be used afterwards. */
  push(chunk: Uint8Array): void;
  /** Complete elements of an incomplete array. */
  partial(): readonly RespValue[];
}

interface OpenArray {
  readonly items: RespValue[];
  remaining: number;
}

interface OpenBulk {
  readonly total: number;
  read: number;
  /**
   * Bytes kept so far: the whole record, or its start when it is above the limit. Null until a chunk ends inside it.
   */
  target: Uint8Array | null;
  /** Takes the place of `target` for a record that needs more memory than it may. */
  readonly shortener: JsonShortener | null;
}

const LF = 10;
const CR = 13;
const MAX_LINE_BYTES = 64 * 1024;
const MAX_DEPTH = 8;
/** In one reply, also empty ones: they cost memory too. */
const MAX_VALUES = 1_000_000;
const PREFIXES = new Set([...'+-:$*_'].map((prefix) => prefix.charCodeAt(0)));

const latin1 = new TextDecoder('latin1');

/** A request: an array of bulk strings, lengths in bytes. */
export function encodeCommand(args: readonly string[]): Uint8Array {
  let text = `*${args.length}\r\n`;
  for (const arg of args) text += `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`;
  return Buffer.from(text);
}

/**
 * Incremental parser of RESP2 replies: bytes may arrive in any chunks, an incomplete frame is kept. A bulk above
 * `maxRecordBytes` is skipped instead of ending the connection, because the same record would end the next one too.
 */
export function createRespParser(
  onValue: (value: RespValue) => void,
  options: { readonly maxRecordBytes?: number } = {},
): RespParser {
  const maxRecordBytes = options.maxRecordBytes ?? MAX_RECORD_BYTES;
  const arrays: OpenArray[] = [];
  let line: Uint8Array[] = [];
  let lineBytes = 0;
  let bulk: OpenBulk | null = null;
  /** Missing bytes of the CRLF after a bulk, and that bulk. */
  let terminator = 0;
  let pending: RespValue | null = null;
  /** Of the bulks of the open array. */
  let keptBytes = 0;

  function openBulk(total: number): OpenBulk {
    const room = roomAfter(keptBytes);
    const isShortened = total > room && total <= maxRecordBytes;
    const shortener = isShortened ? new JsonShortener({ room, headBytes: OVERSIZED_HEAD_BYTES }) : null;
    return { total, read: 0, target: null, shortener };
  }

  /** In open arrays. */
  let keptValues = 0;

  function emit(value: RespValue): void {
    let current = value;
    for (let top = arrays.at(-1); top !== undefined; top = arrays.at(-1)) {
      keptValues += 1;
      if (keptValues > MAX_VALUES) throw protocolError('a reply of too many values');
      top.items.push(current);
      top.remaining -= 1;
      if (top.remaining > 0) return;
      arrays.pop();
      current = { kind: 'array', items: top.items };
    }
    keptBytes = 0;
    keptValues = 0;
    onValue(current);
  }

  /** The value of a line, or null when it only opens a bulk or an array. */
  function readLine(text: string): RespValue | null {
    const rest = text.slice(1);
    switch (text[0]) {
      case '+':
        return { kind: 'simple', text: rest };
      case '-':
        return { kind: 'error', text: rest };
      case ':':
        return { kind: 'integer', value: lengthOf(rest) };
      case '_':
        return { kind: 'nil' };
      case '$': {
        const length = lengthOf(rest);
        if (length < 0) return { kind: 'nil' };
        bulk = openBulk(length);
        return null;
      }
      default: {
        const length = lengthOf(rest);
        if (length < 0) return { kind: 'nil' };
        if (length === 0) return { kind: 'array', items: [] };
        if (arrays.length === MAX_DEPTH) throw protocolError('arrays nested too deep');
        arrays.push({ items: [], remaining: length });
        return null;
      }
    }
  }

  function pushLine(chunk: Uint8Array, from: number): number {
    if (lineBytes === 0) {
      const prefix = chunk[from] ?? 0;
      if (!PREFIXES.has(prefix)) {
        throw new GatewayError('unsupported', `unsupported RESP prefix '${printable(prefix)}'`);
      }
    }
    const end = chunk.indexOf(LF, from);
    const piece = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
    lineBytes += piece.length;
    if (lineBytes > MAX_LINE_BYTES) throw protocolError('a line without end');
    if (end < 0) {
      // The chunk belongs to the socket and may be reused.
      line.push(piece.slice());
      return chunk.length;
    }
    const text = latin1.decode(line.length === 0 ? piece : Buffer.concat([...line, piece]));
    line = [];
    lineBytes = 0;
    if (text.charCodeAt(text.length - 2) !== CR) throw protocolError('a line that does not end with CRLF');
    const value = readLine(text.slice(0, -2));
    if (value !== null) emit(value);
    return end + 1;
  }

  function pushBulk(open: OpenBulk, chunk: Uint8Array, from: number): number {
    const piece = chunk.subarray(from, from + open.total - open.read);
    const isWhole = open.read === 0 && piece.length === open.total && open.total <= maxRecordBytes;
    if (open.shortener !== null) open.shortener.take(piece);
    else if (!isWhole) keep(open, piece);
    open.read += piece.length;
    if (open.read === open.total) {
      bulk = null;
      terminator = 2;
      const kept = open.shortener?.view() ?? (isWhole ? piece : (open.target ?? piece));
      keptBytes += kept.length + RECORD_OVERHEAD_BYTES;
      requireEnd(keptBytes);
      const { text, repaired } = decodeUtf8(kept);
      pending =
        open.total > maxRecordBytes || open.shortener?.isFull === true
          ? { kind: 'oversized', bytes: open.total, head: text }
          : { kind: 'bulk', text, repaired, bytes: kept.length };
    }
    return from + piece.length;
  }

  function keep(open: OpenBulk, piece: Uint8Array): void {
    const wanted = open.total > maxRecordBytes ? Math.min(open.total, OVERSIZED_HEAD_BYTES) : open.total;
    if (open.read >= wanted) return;
    open.target ??= new Uint8Array(wanted);
    open.target.set(piece.subarray(0, wanted - open.read), open.read);
  }

  function pushTerminator(byte: number): void {
    if (byte !== (terminator === 2 ? CR : LF)) throw protocolError('a bulk string longer than announced');
    terminator -= 1;
    if (terminator > 0 || pending === null) return;
    const value = pending;
    pending = null;
    emit(value);
  }

  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length || (bulk !== null && bulk.total === 0)) {
        if (terminator > 0) pushTerminator(chunk[at++] ?? 0);
        else if (bulk !== null) at = pushBulk(bulk, chunk, at);
        else at = pushLine(chunk, at);
      }
    },
    partial: () => arrays[0]?.items ?? [],
  };
}

function lengthOf(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw protocolError('a bad length');
  return Number(text);
}

function printable(byte: number): string {
  return byte > 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}

function protocolError(what: string): GatewayError {
  return new GatewayError('protocol', `the gateway sent ${what}`);
}
