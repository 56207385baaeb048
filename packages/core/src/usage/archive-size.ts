import { isJsonObject, parseJson } from '../json/json.ts';
import type { UsageEvent } from './event.ts';
import { type MembersOfKind, membersOf } from './event-members.ts';

/** Bytes of one line of an archive. */
export const ARCHIVE_RECORD_BYTES = 10 * 1024 * 1024;
/** Room for member names, numbers and the envelope of the record. */
const FRAME_BYTES = 8192;
const MARK = '...(truncated)';
/** Bytes of a failure body that are kept while other texts can be cut. */
const KEPT_BODY_BYTES = 65_536;
/** Limit of all other texts as the last resort, in bytes. */
const LAST_RESORT_BYTES = 8192;

/** Bytes of one UTF-16 unit inside a JSON string; the halves of a pair count two each. */
function escapedUnitBytes(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit < 0x20) return unit === 0x0a || unit === 0x0d || unit === 0x09 || unit === 0x08 || unit === 0x0c ? 2 : 6;
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
}

/** Bytes of a text inside a JSON string in UTF-8, without the quotes. */
export function escapedBytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) bytes += escapedUnitBytes(text.charCodeAt(index));
  return bytes;
}

/** Bytes of a text in a JSON string inside a JSON string, with the quotes of the inner one. */
export function twiceEscapedBytes(text: string): number {
  let bytes = 2 * ESCAPED_QUOTE_BYTES;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22 || unit === 0x5c) bytes += 4;
    // An escape is a backslash, which is escaped again, and the rest.
    else if (unit < 0x20) bytes += escapedUnitBytes(unit) + 1;
    else if (unit >= 0xd800 && unit < 0xe000 && !isPaired(text, index)) bytes += LONE_SURROGATE_BYTES;
    else bytes += escapedUnitBytes(unit);
  }
  return bytes;
}

const ESCAPED_QUOTE_BYTES = 2;
/** Of `\\ud800`. */
const LONE_SURROGATE_BYTES = 7;

/** Whether a surrogate half is next to its other half. */
function isPaired(text: string, index: number): boolean {
  const isHigh = text.charCodeAt(index) < 0xdc00;
  const other = text.charCodeAt(isHigh ? index + 1 : index - 1);
  return isHigh ? other >= 0xdc00 && other < 0xe000 : other >= 0xd800 && other < 0xdc00;
}

/** The start of a text that needs at most `limit` bytes inside a JSON string, with the cut mark. */
function cutEscaped(text: string, limit: number): string {
  let bytes = MARK.length;
  let index = 0;
  for (; index < text.length; index += 1) {
    bytes += escapedUnitBytes(text.charCodeAt(index));
    if (bytes > limit) break;
  }
  const last = text.charCodeAt(index - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? index - 1 : index;
  return text.slice(0, end) + MARK;
}

const TEXT_MEMBERS = membersOf('text');

/** The analytics model repeats the requested one; the metadata is in the record as text and as object. */
const TWICE: ReadonlySet<string> = new Set(['model', 'requested_model', 'response_metadata_json']);

function weighted(event: UsageEvent, measure: (text: string) => number): number {
  let sum = FRAME_BYTES;
  for (const name of TEXT_MEMBERS) sum += measure(event[name]) * (TWICE.has(name) ? 2 : 1);
  return sum;
}

/** Upper bound of the bytes of an event's archive record. */
export function archiveRecordBytes(event: UsageEvent): number {
  return weighted(event, escapedBytes);
}

/** A UTF-16 unit needs at most six bytes, so most events need no measuring. */
function surelyFits(event: UsageEvent): boolean {
  let units = 0;
  for (const name of TEXT_MEMBERS) units += event[name].length;
  return units * 12 + FRAME_BYTES <= ARCHIVE_RECORD_BYTES;
}

/** In UTF-16 units; shorter strings are not cut. */
const LONG_STRING = 1024;

function collectLongStrings(value: unknown, found: string[]): void {
  if (typeof value === 'string') {
    if (value.length > LONG_STRING) found.push(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectLongStrings(member, found);
  }
}

function shortenStrings(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return value.length > limit ? cutEscaped(value, limit) : value;
  if (Array.isArray(value)) return value.map((element) => shortenStrings(element, limit));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortenStrings(member, limit)]));
}

/**
 * `raw_json` with its longest strings cut until it needs at most `limit` of its `bytes` in the record. The cut is
 * estimated first, because serializing the item is expensive.
 */
function shortenRawJson(text: string, bytes: number, limit: number): string {
  const item = parseJson(text);
  const strings: string[] = [];
  collectLongStrings(item, strings);
  const costs = strings.map((string) => ({ length: string.length, cost: twiceEscapedBytes(string) }));
  const left = (longest: number) =>
    bytes - costs.reduce((saved, { length, cost }) => saved + cost * Math.max(1 - longest / length, 0), 0);
  let longest = costs.reduce((most, { length }) => Math.max(most, length), 0);
  while (longest > LONG_STRING) {
    longest = Math.floor(longest * 0.9);
    if (left(longest) > limit) continue;
    const shortened = JSON.stringify(shortenStrings(item, longest));
    if (escapedBytes(shortened) <= limit) return shortened;
  }
  // Too many members or too long names instead of long strings: only the start is kept. Its quotes are escaped twice.
  return JSON.stringify({ raw_json: cutEscaped(text, Math.floor(limit / 4)) });
}

const LAST_RESORT_MEMBERS = TEXT_MEMBERS.filter(
  (name) => name !== 'raw_json' && name !== 'response_metadata_json' && name !== 'event_hash',
);

/**
 * Shortens an event so that its archive record fits: first the failure body, then the longest strings of the original
 * item, then, for a hostile record, every other text. One huge text must not block the archives of all others.
 */
export function cutToArchiveLimit(event: UsageEvent): { readonly event: UsageEvent; readonly cut: boolean } {
  if (surelyFits(event)) return { event, cut: false };
  let excess = archiveRecordBytes(event) - ARCHIVE_RECORD_BYTES;
  if (excess <= 0) return { event, cut: false };
  let result = event;

  const bodyBytes = escapedBytes(event.fail_body);
  const bodyLimit = Math.max(bodyBytes - excess, KEPT_BODY_BYTES);
  if (bodyBytes > bodyLimit) {
    result = { ...result, fail_body: cutEscaped(event.fail_body, bodyLimit) };
    excess -= bodyBytes - bodyLimit;
  }
  const rawBytes = excess > 0 ? escapedBytes(event.raw_json) : 0;
  const rawLimit = Math.max(rawBytes - excess, KEPT_BODY_BYTES);
  if (rawBytes > rawLimit) {
    result = { ...result, raw_json: shortenRawJson(event.raw_json, rawBytes, rawLimit) };
    excess -= rawBytes - rawLimit;
  }
  if (excess > 0) {
    const cuts: Partial<Record<MembersOfKind<'text'>, string>> = {};
    for (const name of LAST_RESORT_MEMBERS) {
      if (escapedBytes(result[name]) > LAST_RESORT_BYTES) cuts[name] = cutEscaped(result[name], LAST_RESORT_BYTES);
    }
    result = { ...result, ...cuts };
  }
  return { event: result, cut: true };
}
