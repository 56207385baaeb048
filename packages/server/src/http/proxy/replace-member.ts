import { eachMember } from '../../platform/json-members.ts';

const MAX_PARSED_BYTES = 64 * 1024;

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
  let isValid = true;
  const isObject = eachMember(bytes, (member, from, to) => {
    if (member !== name) return;
    if (isValue(bytes.subarray(from, to))) found.push([from, to]);
    else isValid = false;
  });
  return isObject && isValid ? found : null;
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
