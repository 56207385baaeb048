import { isJsonObject, type JsonObject, parseJson } from './json.ts';
import { ValueEnd } from './value-end.ts';

/** In UTF-16 units. Error bodies with a code are short; only the start of a longer text is searched. */
const SEARCHED_LENGTH = 65_536;
/** Texts such as `{{{{` must not be decoded from every brace to the end. */
const MAX_ATTEMPTS = 64;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The JSON objects and arrays inside a text, in order: an error body may be JSON, JSON with text around it, or several values
 * in a row. Nothing inside a decoded value is decoded again.
 */
export function embeddedJson(text: string): unknown[] {
  const bytes = encoder.encode(text.slice(0, SEARCHED_LENGTH));
  const value = new ValueEnd();
  const values: unknown[] = [];
  let at = nextOpening(bytes, 0);
  for (let attempt = 0; attempt < MAX_ATTEMPTS && at < bytes.length; attempt += 1) {
    value.begin();
    const end = value.find(bytes, at);
    const found = end < 0 ? undefined : parseJson(decoder.decode(bytes.subarray(at, end)));
    if (found !== undefined) values.push(found);
    // Where it is not JSON, the next opening may be.
    at = nextOpening(bytes, found === undefined ? at + 1 : end);
  }
  return values;
}

function nextOpening(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== OPEN_OBJECT && bytes[at] !== OPEN_LIST) at += 1;
  return at;
}

const HEADER_CONTAINERS = new Set(['headers', 'response_headers', 'responseHeaders']);

/**
 * Every object inside a value, outer ones first, without the content of header containers. Iterative, because the depth is
 * untrusted.
 */
export function* objectsWithin(value: unknown): Generator<JsonObject> {
  const waiting: unknown[] = [value];
  for (let next = 0; next < waiting.length; next += 1) {
    const current = waiting[next];
    if (Array.isArray(current)) {
      for (const element of current) if (typeof element === 'object') waiting.push(element);
    } else if (isJsonObject(current)) {
      yield current;
      for (const [name, member] of Object.entries(current)) {
        if (typeof member === 'object' && member !== null && !HEADER_CONTAINERS.has(name)) waiting.push(member);
      }
    }
  }
}
