import { UpstreamError } from './errors.ts';
import { OVERSIZED_HEAD_BYTES } from './records.ts';

export type ElementKind = 'object' | 'string' | 'array' | 'number' | 'literal';

export interface JsonElement {
  readonly kind: ElementKind;
  /** The element exactly as sent; only the beginning of it when it was above the limit. */
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}

export interface ElementSlicer {
  push(chunk: Uint8Array): void;
  /** @throws UpstreamError when the list did not come to its end. */
  end(): void;
}

export interface SlicerOptions {
  readonly onElement: (element: JsonElement) => void;
  readonly maxElementBytes: number;
  /** Members of a wrapping object that may hold the list; without them only a bare array is accepted. */
  readonly wrapperKeys?: readonly string[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Cuts a JSON list into its elements while it arrives, without parsing them: numbers keep their digits, one bad element
 * spoils only itself, and no step takes longer than one portion of bytes.
 */
export function createElementSlicer(options: SlicerOptions): ElementSlicer {
  const wrapperKeys = new Set(options.wrapperKeys ?? []);
  let phase: 'before' | 'members' | 'list' | 'after' = 'before';
  /** Name of the member whose value comes next, while looking for the list in a wrapping object. */
  let memberName: string | null = null;
  let afterColon = false;
  const value = createValueScanner(options.maxElementBytes);

  function startsValue(byte: number): void {
    if (phase === 'before') {
      if (byte === OPEN_ARRAY) phase = 'list';
      else if (byte === OPEN_OBJECT && wrapperKeys.size > 0) phase = 'members';
      else throw new UpstreamError('protocol', 'the response is not a JSON list');
      return;
    }
    if (phase === 'list') {
      if (byte === CLOSE_ARRAY) phase = 'after';
      else if (byte !== COMMA) value.begin(byte);
      return;
    }
    if (byte === CLOSE_OBJECT) throw new UpstreamError('protocol', 'the response contains no list');
    if (byte === COLON) afterColon = true;
    else if (byte === COMMA) memberName = null;
    else if (afterColon && byte === OPEN_ARRAY && memberName !== null && wrapperKeys.has(memberName)) phase = 'list';
    else value.begin(byte);
  }

  function finishValue(element: JsonElement): void {
    if (phase === 'list') {
      options.onElement(element);
    } else if (afterColon) {
      afterColon = false;
      memberName = null;
    } else {
      memberName = element.kind === 'string' ? nameOf(element.bytes) : null;
    }
  }

  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length && phase !== 'after') {
        if (value.active()) {
          at = value.feed(chunk, at);
          const element = value.take();
          if (element !== null) finishValue(element);
          continue;
        }
        const byte = chunk[at] ?? 0;
        // A byte order mark counts as white space here.
        const blank = byte <= 0x20 || (phase === 'before' && (byte === 0xef || byte === 0xbb || byte === 0xbf));
        if (!blank) startsValue(byte);
        // A value that begins keeps its first byte.
        if (!value.active()) at += 1;
      }
    },
    end() {
      if (phase !== 'after') throw new UpstreamError('closed', 'the response was cut off');
    },
  };
}

/** Finds the end of one JSON value by counting brackets outside of strings. */
function createValueScanner(maxBytes: number) {
  let kind: ElementKind | null = null;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let parts: Uint8Array[] = [];
  let kept = 0;
  let total = 0;
  let done = false;

  function keep(piece: Uint8Array): void {
    total += piece.length;
    if (total > maxBytes) {
      // Too large: only the beginning stays.
      if (kept > OVERSIZED_HEAD_BYTES) parts = [Buffer.concat(parts).subarray(0, OVERSIZED_HEAD_BYTES)];
      kept = Math.min(kept, OVERSIZED_HEAD_BYTES);
      return;
    }
    parts.push(piece.slice());
    kept += piece.length;
  }

  /** Position after the last byte of the value, -1 when it goes on in the next portion. */
  function findEnd(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) return at + 1;
        }
      } else if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth += 1;
      } else if (depth > 0) {
        if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
          depth -= 1;
          if (depth === 0) return at + 1;
        }
      } else if (byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || (byte ?? 0) <= 0x20) {
        // Numbers and literals end before this byte.
        return at;
      }
    }
    return -1;
  }

  return {
    active: () => kind !== null,
    begin(byte: number) {
      kind = kindOf(byte);
      depth = 0;
      inString = false;
      escaped = false;
      parts = [];
      kept = 0;
      total = 0;
      done = false;
    },
    feed(chunk: Uint8Array, from: number): number {
      const end = findEnd(chunk, from);
      // A bracket or colon out of place must not stand still.
      const stop = end < 0 ? chunk.length : Math.max(end, total === 0 ? from + 1 : from);
      keep(chunk.subarray(from, stop));
      done = end >= 0;
      return stop;
    },
    take(): JsonElement | null {
      if (!done || kind === null) return null;
      const element = {
        kind,
        bytes: parts.length === 1 ? (parts[0] ?? EMPTY) : Buffer.concat(parts),
        totalBytes: total,
      };
      kind = null;
      parts = [];
      return element;
    },
  };
}

const EMPTY = new Uint8Array();

function kindOf(byte: number): ElementKind {
  if (byte === OPEN_OBJECT) return 'object';
  if (byte === OPEN_ARRAY) return 'array';
  if (byte === QUOTE) return 'string';
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d ? 'number' : 'literal';
}

function nameOf(bytes: Uint8Array): string | null {
  try {
    const name: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}
