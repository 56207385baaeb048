import { isJsonSpace } from './space.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LINE_FEED = 0x0a;

/**
 * Finds the end of one JSON value, whose bytes may arrive in parts. Only brackets and quotes are checked: the parser decides whether
 * the value is valid.
 */
export class ValueEnd {
  /** Line feeds inside the value so far. */
  lineFeeds = 0;
  #depth = 0;
  #inText = false;
  /** The next byte is escaped. */
  #escaped = false;
  #started = false;
  #scalar = false;

  /** The next bytes belong to another value. */
  begin(): void {
    this.lineFeeds = 0;
    this.#depth = 0;
    this.#inText = false;
    this.#escaped = false;
    this.#started = false;
    this.#scalar = false;
  }

  /** Index behind the last byte of the value, -1 when it continues behind these bytes. A value has at least one byte. */
  find(bytes: Uint8Array, from: number): number {
    if (from >= bytes.length) return -1;
    if (!this.#started) {
      this.#started = true;
      const first = bytes[from];
      this.#scalar = first !== OPEN_OBJECT && first !== OPEN_LIST && first !== QUOTE;
      // What ends a scalar can be none: out of place, it is alone.
      if (endsScalar(first)) return from + 1;
    }
    return this.#scalar ? endOfScalar(bytes, from) : this.#endOfOther(bytes, from);
  }

  #endOfOther(bytes: Uint8Array, from: number): number {
    // Locals, because this runs for every byte of a list.
    const length = bytes.length;
    let at = from;
    let depth = this.#depth;
    let lineFeeds = this.lineFeeds;
    let inText = this.#inText;
    let escaped = this.#escaped;
    let end = -1;
    while (at < length) {
      if (inText) {
        while (at < length) {
          const byte = bytes[at];
          at += 1;
          if (byte === LINE_FEED) lineFeeds += 1;
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) {
            inText = false;
            break;
          }
        }
        if (inText || depth > 0) continue;
        end = at;
        break;
      }
      const byte = bytes[at];
      at += 1;
      if (byte === QUOTE) {
        inText = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth === 0) {
          end = at;
          break;
        }
      } else if (byte === LINE_FEED) lineFeeds += 1;
    }
    this.#depth = depth;
    this.#inText = inText;
    this.#escaped = escaped;
    this.lineFeeds = lineFeeds;
    return end;
  }
}

function endOfScalar(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (endsScalar(bytes[at])) return at;
  return -1;
}

/** Whether a number or literal ends before this byte. */
function endsScalar(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isJsonSpace(byte);
}
