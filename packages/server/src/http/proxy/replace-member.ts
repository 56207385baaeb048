import { endOfSpace } from '@manager/core/json/space';
import { ValueEnd } from '@manager/core/json/value-end';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MAX_PARSED_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * A JSON object with another value of one member, every other byte as it was; null when it has no such member or is no object. The
 * values are not parsed: parsed, 10 MB of small numbers take seconds and hundreds of megabytes.
 *
 * @param json the new value, as JSON
 */
export function replaceMember(bytes: Buffer, name: string, json: string): Buffer | null {
  const found = findMember(bytes, name);
  if (found === null || found.length === 0) return null;
  const value = Buffer.from(json);
  const parts: Buffer[] = [];
  let from = 0;
  for (const [start, end] of found) {
    parts.push(bytes.subarray(from, start), value);
    from = end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

/** First and one past the last byte of each value of the member; null when the bytes are no object. */
function findMember(bytes: Buffer, name: string): [start: number, end: number][] | null {
  const found: [number, number][] = [];
  const value = new ValueEnd();
  let at = endOfSpace(bytes, bytes.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0);
  if (bytes[at] !== OPEN_OBJECT) return null;
  at = endOfSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_OBJECT) return null;
  for (;;) {
    if (bytes[at] !== QUOTE) return null;
    value.begin();
    const nameEnd = value.find(bytes, at);
    if (nameEnd < 0) return null;
    const isNamed = textOf(bytes.subarray(at, nameEnd)) === name;
    at = endOfSpace(bytes, nameEnd);
    if (bytes[at] !== COLON) return null;
    at = endOfSpace(bytes, at + 1);
    value.begin();
    const end = value.find(bytes, at);
    if (end < 0) return null;
    if (isNamed && !isValue(bytes.subarray(at, end))) return null;
    if (isNamed) found.push([at, end]);
    at = endOfSpace(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) return endOfSpace(bytes, at + 1) === bytes.length ? found : null;
    if (bytes[at] !== COMMA) return null;
    at = endOfSpace(bytes, at + 1);
  }
}

/** Names are short; a long one is none that anybody looks for. */
function textOf(quoted: Buffer): string | null {
  if (quoted.length > 256) return null;
  try {
    return JSON.parse(quoted.toString());
  } catch {
    return null;
  }
}

/** What is no JSON stays as it is. A longer value is nobody's origin, and parsing it could take long. */
function isValue(bytes: Buffer): boolean {
  if (bytes.length > MAX_PARSED_BYTES) return true;
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
