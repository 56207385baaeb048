import type { Cursor, NeedsInput } from './input.ts';
import { countLineFeeds, LINE_FEED, type RecordBytes } from './lines.ts';
import { RecordBuffer } from './record-buffer.ts';
import { MAX_RECORD_BYTES, PayloadRefused, recordTooLarge } from './refused.ts';
import { endOfSpace, isJsonSpace } from './space.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The elements of a JSON list, one at a time; the cursor stands behind its `[` and afterwards behind its `]`. Only brackets and
 * texts are looked at: whether an element is valid JSON is for whoever parses it. Returns the line of the list's end.
 */
export function* readElements(cursor: Cursor, firstLine: number): Generator<NeedsInput | RecordBytes, number> {
  const scan = new ElementScan();
  const carried = new RecordBuffer();
  let line = firstLine;
  let expected: 'first' | 'element' | 'separator' = 'first';
  while (yield* cursor.fill()) {
    const byte = cursor.bytes[cursor.at];
    if (isJsonSpace(byte)) {
      const end = endOfSpace(cursor.bytes, cursor.at);
      line += countLineFeeds(cursor.bytes.subarray(cursor.at, end));
      cursor.at = end;
    } else if (byte === CLOSE_LIST && expected !== 'element') {
      cursor.at += 1;
      return line;
    } else if (expected === 'separator') {
      if (byte !== COMMA) throw broken(line);
      cursor.at += 1;
      expected = 'element';
    } else {
      if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) throw broken(line);
      scan.begin();
      while (yield* cursor.fill()) {
        const end = scan.end(cursor.bytes, cursor.at);
        const piece = cursor.bytes.subarray(cursor.at, end < 0 ? cursor.bytes.length : end);
        if (carried.length + piece.length > MAX_RECORD_BYTES) throw recordTooLarge(`line ${line}`);
        cursor.at += piece.length;
        if (end < 0) {
          carried.append(piece);
          continue;
        }
        yield { bytes: carried.with(piece), line };
        break;
      }
      if (!scan.ended) throw cutOff();
      carried.clear();
      line += scan.lineFeeds;
      expected = 'separator';
    }
  }
  throw cutOff();
}

/** Finds the end of one element, whose bytes may come in parts. */
class ElementScan {
  #depth = 0;
  #inText = false;
  #escaped = false;
  #started = false;
  #scalar = false;
  ended = false;
  lineFeeds = 0;

  begin(): void {
    this.#depth = 0;
    this.#inText = false;
    this.#escaped = false;
    this.#started = false;
    this.#scalar = false;
    this.ended = false;
    this.lineFeeds = 0;
  }

  /** Index behind the last byte of the element, −1 when it goes on behind these bytes. */
  end(bytes: Uint8Array, from: number): number {
    let at = from;
    if (!this.#started) {
      this.#started = true;
      const first = bytes[at];
      this.#scalar = first !== OPEN_OBJECT && first !== OPEN_LIST && first !== QUOTE;
    }
    if (this.#scalar) {
      while (at < bytes.length) {
        const byte = bytes[at];
        if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isJsonSpace(byte)) return this.#stop(at);
        at += 1;
      }
      return -1;
    }
    // Locals, because this runs for every byte of a list.
    let depth = this.#depth;
    let inText = this.#inText;
    let escaped = this.#escaped;
    while (at < bytes.length) {
      const byte = bytes[at];
      at += 1;
      if (byte === LINE_FEED) this.lineFeeds += 1;
      if (escaped) {
        escaped = false;
      } else if (inText) {
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inText = false;
          if (depth === 0) return this.#stop(at);
        }
      } else if (byte === QUOTE) {
        inText = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth === 0) return this.#stop(at);
      }
    }
    this.#depth = depth;
    this.#inText = inText;
    this.#escaped = escaped;
    return -1;
  }

  #stop(at: number): number {
    this.ended = true;
    return at;
  }
}

function broken(line: number): PayloadRefused {
  return new PayloadRefused(`line ${line}: the list of events is not valid JSON`);
}

function cutOff(): PayloadRefused {
  return new PayloadRefused('the list of events is cut off');
}
