import { isJsonObject, type JsonObject } from './json.ts';

/** In UTF-16 units. Error bodies that carry a code are short; a longer text is searched only at its start. */
const SEARCHED_LENGTH = 65_536;
/** Text such as `{{{{` must not be decoded from every brace to the end. */
const MAX_ATTEMPTS = 64;

/** Index behind the JSON value that opens at `start`, -1 when it is never closed. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

/**
 * The JSON objects and arrays inside a text, in order: an error body may be JSON, JSON with words around it, or several
 * values one after the other. Nothing inside a decoded value is decoded again.
 */
export function embeddedJson(text: string): unknown[] {
  const searched = text.slice(0, SEARCHED_LENGTH);
  const values: unknown[] = [];
  const opening = /[{[]/g;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const match = opening.exec(searched);
    if (match === null) break;
    const end = endOfValue(searched, match.index);
    if (end === -1) continue;
    try {
      values.push(JSON.parse(searched.slice(match.index, end)));
      opening.lastIndex = end;
    } catch {
      // Not JSON from here; the next opening may be.
    }
  }
  return values;
}

const HEADER_CONTAINERS = new Set(['headers', 'response_headers', 'responseHeaders']);

/**
 * Every object inside a value, outer ones first, without what stands in a container of headers. Iterative, because the
 * depth is not ours.
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
