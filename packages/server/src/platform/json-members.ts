import { endOfSpace } from '@manager/core/json/space';
import { ValueEnd } from '@manager/core/json/value-end';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Goes through the members of a JSON object without parsing their values: parsed, 10 MB of small numbers take seconds and hundreds of
 * megabytes. The value is in `bytes` from `from` to before `to`.
 *
 * @returns false when the bytes are no object
 */
export function eachMember(bytes: Buffer, use: (name: string | null, from: number, to: number) => void): boolean {
  const value = new ValueEnd();
  let at = endOfSpace(bytes, bytes.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0);
  if (bytes[at] !== OPEN_OBJECT) return false;
  at = endOfSpace(bytes, at + 1);
  if (bytes[at] === CLOSE_OBJECT) return endOfSpace(bytes, at + 1) === bytes.length;
  for (;;) {
    if (bytes[at] !== QUOTE) return false;
    value.begin();
    const nameEnd = value.find(bytes, at);
    if (nameEnd < 0) return false;
    const name = nameOf(bytes.subarray(at, nameEnd));
    at = endOfSpace(bytes, nameEnd);
    if (bytes[at] !== COLON) return false;
    at = endOfSpace(bytes, at + 1);
    value.begin();
    const end = value.find(bytes, at);
    if (end < 0) return false;
    use(name, at, end);
    at = endOfSpace(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) return endOfSpace(bytes, at + 1) === bytes.length;
    if (bytes[at] !== COMMA) return false;
    at = endOfSpace(bytes, at + 1);
  }
}

/**
 * The members of a JSON object that are texts, numbers, true, false or null; only those with one of the names are parsed.
 *
 * @returns null when the bytes are no object
 */
export function scalarMembers(bytes: Buffer, names: ReadonlySet<string>): ReadonlyMap<string, unknown> | null {
  const found = new Map<string, unknown>();
  let isValid = true;
  const isObject = eachMember(bytes, (name, from, to) => {
    if (name === null || !names.has(name)) return;
    found.delete(name);
    if (bytes[from] === OPEN_OBJECT || bytes[from] === OPEN_LIST) return;
    try {
      found.set(name, JSON.parse(bytes.toString('utf8', from, to)));
    } catch {
      isValid = false;
    }
  });
  return isObject && isValid ? found : null;
}

/** Names are short; a long one is none that anybody looks for. */
function nameOf(quoted: Buffer): string | null {
  if (quoted.length > 256) return null;
  try {
    return JSON.parse(quoted.toString());
  } catch {
    return null;
  }
}
