import { isJsonObject, type JsonObject } from '../json/json.ts';
import { trimText } from '../json/text.ts';
import { ARCHIVE_RECORD_BYTES, cutToArchiveLimit } from './archive-size.ts';
import type { UsageEvent } from './event.ts';
import { EVENT_MEMBERS, type EventMember, MEMBER_NAMES, type MemberKind } from './event-members.ts';
import { isAcceptableHash } from './identity.ts';
import { metadataObject } from './metadata-text.ts';
import { analyticsModel } from './models.ts';
import { cutNames } from './name-limit.ts';
import { LAST_MS } from './timestamp.ts';

export const ARCHIVE_SCHEMA_VERSION = 1;

const VERSION = '_archive_schema_version';
const EVENT_ID = '_archive_event_id';
/** Other programs put a prefix on these names. */
const ENVELOPE = /^(?:_([A-Za-z0-9]+))?_archive_(?:schema_version|event_id)$/;

/**
 * One line of an archive, without the line feed: every stored member, so that the event can be restored exactly.
 * `response_metadata` is included as an object for readers and as the exact text for us.
 *
 * @param id of the raw event, above 0
 * @example archiveLine(event, 7) // {"_archive_schema_version":1,"_archive_event_id":7,"event_hash":"…",…}
 */
export function archiveLine(event: UsageEvent, id: number): string {
  const line: Record<string, unknown> = { [VERSION]: ARCHIVE_SCHEMA_VERSION, [EVENT_ID]: id };
  for (const { name, absent } of WRITTEN) {
    const value = event[name];
    if (value !== absent) line[name] = typeof value === 'boolean' ? Number(value) : value;
  }
  line.fail_status_code = event.fail_status_code ?? 0;
  line.analytics_model = analyticsModel(event);
  const metadata = metadataObject(event.response_metadata_json);
  if (metadata !== null) line.response_metadata = metadata;
  return JSON.stringify(line);
}

/**
 * An archived event that can be archived again. Another program may have written its record with fewer bytes than ours, and a
 * record that is too large would block every later archive: then its longest texts are cut. Names are cut in any case. `null` = it is still
 * too large.
 */
export function archivableEvent(given: UsageEvent): { readonly event: UsageEvent; readonly cut: boolean } | null {
  const { event, cut } = cutNames(given);
  const bounded = cutToArchiveLimit(event);
  // The limit of a cut leaves some room, but an event that fits exactly is not cut.
  if (!bounded.cut || fits(event)) return { event, cut };
  return fits(bounded.event) ? bounded : null;
}

function fits(event: UsageEvent): boolean {
  const line = archiveLine(event, Number.MAX_SAFE_INTEGER);
  return line.length <= ARCHIVE_RECORD_BYTES && new TextEncoder().encode(line).length <= ARCHIVE_RECORD_BYTES;
}

/** Texts that are always in a record, even when empty. */
const REQUIRED_TEXTS: ReadonlySet<EventMember> = new Set([
  'event_hash',
  'timestamp',
  'model',
  'raw_json',
  'fail_body',
  'fail_summary',
] as const);

/** Missing in files of other programs; derived from the other members. */
const OWN_ADDITIONS: ReadonlySet<EventMember> = new Set([
  'cache_write_1h_tokens',
  'billable_output_tokens',
  'unclassified_tokens',
  'token_quality',
] as const);

/** Members with the value that is left out; one that is always written never has the value `undefined`. */
const WRITTEN = MEMBER_NAMES.map((name) => ({ name, absent: absentValue(EVENT_MEMBERS[name], name) }));

function absentValue(kind: MemberKind, name: EventMember): '' | null | 0 | undefined {
  if (name === 'cache_write_1h_tokens') return 0;
  if (kind === 'optional' || kind === 'ratio') return null;
  return kind === 'text' && !REQUIRED_TEXTS.has(name) ? '' : undefined;
}

export type ArchiveRecord =
  | { readonly kind: 'event'; readonly event: UsageEvent; readonly archiveEventId: number }
  /** `error` names the member and repeats no value of the record. */
  | { readonly kind: 'refused'; readonly error: string };

/** Whether a value has the envelope of an archive record, or a part of it: then it is read as such or refused. */
export function isArchiveRecord(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  if (VERSION in value) return true;
  for (const name in value) if (name.startsWith('_') && ENVELOPE.test(name)) return true;
  return false;
}

/**
 * Reads a record of an archive. Its values are taken as they are: nothing is masked, normalized or recalculated. Never
 * throws.
 *
 * @example readArchiveRecord(JSON.parse(archiveLine(event, 7))) // { kind: 'event', event, archiveEventId: 7 }
 */
export function readArchiveRecord(value: JsonObject): ArchiveRecord {
  try {
    const archiveEventId = readEnvelope(value);
    return { kind: 'event', event: readEvent(value), archiveEventId };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', error: error.message };
    throw error;
  }
}

class Refusal extends Error {}

function readEnvelope(record: JsonObject): number {
  const words = new Set<string>();
  for (const name in record) {
    const match = ENVELOPE.exec(name);
    if (match !== null) words.add(match[1] ?? '');
  }
  const [word, another] = words;
  if (word === undefined || another !== undefined) throw new Refusal('one archive envelope expected');
  const prefix = word === '' ? '' : `_${word}`;
  if (record[prefix + VERSION] !== ARCHIVE_SCHEMA_VERSION) {
    throw new Refusal(`archive schema version: ${ARCHIVE_SCHEMA_VERSION} expected`);
  }
  const id = record[prefix + EVENT_ID];
  if (!isInteger(id) || id <= 0) throw new Refusal('archive event id: an integer above 0 expected');
  return id;
}

type Draft = Record<string, unknown>;

function readEvent(record: JsonObject): UsageEvent {
  const draft: Draft = {};
  for (const name of MEMBER_NAMES) draft[name] = readMember(record, name);
  // Every member was read with its type from the list of members.
  const event = draft as unknown as UsageEvent;
  // No query could reach later ones.
  if (event.timestamp_ms <= 0 || event.timestamp_ms > LAST_MS) {
    throw new Refusal(`timestamp_ms: an integer from 1 to ${LAST_MS} expected`);
  }
  if (!isAcceptableHash(event.event_hash)) {
    throw new Refusal('event_hash: 1 to 256 characters without control characters expected');
  }
  return event;
}

function readMember(record: JsonObject, name: EventMember): unknown {
  const value = record[name] ?? null;
  if (value === null && OWN_ADDITIONS.has(name)) return ownAddition(record, name);
  switch (EVENT_MEMBERS[name]) {
    case 'text':
      return readText(record, name, value);
    case 'count':
      return readCount(name, value);
    case 'optional':
      return readOptional(name, value);
    case 'ratio':
      if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value;
      throw new Refusal(`${name}: a number expected`);
    case 'flag':
      if (value === 0 || value === 1) return value === 1;
      throw new Refusal(`${name}: 0 or 1 expected`);
    case 'mode':
      if (value === 'included_in_input' || value === 'separate_from_input') return value;
      throw new Refusal(`${name}: included_in_input or separate_from_input expected`);
    case 'quality':
      if (value === '' || value === 'complete' || value === 'inconsistent' || value === 'unclassified') return value;
      throw new Refusal(`${name}: complete, inconsistent or unclassified expected`);
  }
}

function readText(record: JsonObject, name: EventMember, value: unknown): string {
  if (typeof value === 'string') {
    // A database would silently replace surrogate halves: in an identity they are refused.
    return name === 'event_hash' ? trimText(value) : value.toWellFormed();
  }
  if (value !== null || REQUIRED_TEXTS.has(name)) throw new Refusal(`${name}: text expected`);
  return name === 'response_metadata_json' ? metadataText(record.response_metadata ?? null) : '';
}

/** The object counts only where the exact text is missing. */
function metadataText(metadata: unknown): string {
  if (metadata === null) return '';
  if (!isJsonObject(metadata)) throw new Refusal('response_metadata: an object expected');
  return JSON.stringify(metadata).toWellFormed();
}

/** Counts that facts cannot hold as negative numbers. */
const NOT_NEGATIVE: ReadonlySet<EventMember> = new Set([
  'total_tokens',
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
  'cache_write_1h_tokens',
  'billable_output_tokens',
  'unclassified_tokens',
] as const);

function readCount(name: EventMember, value: unknown): number {
  if (!isInteger(value)) throw new Refusal(`${name}: an integer expected`);
  if (value < 0 && NOT_NEGATIVE.has(name)) throw new Refusal(`${name}: an integer of 0 or more expected`);
  return value;
}

/** Some programs write 0 when these are unknown. */
const UNKNOWN_AS_ZERO: ReadonlySet<EventMember> = new Set([
  'fail_status_code',
  'auth_snapshot_at_ms',
  'header_quota_recover_at_ms',
] as const);

function readOptional(name: EventMember, value: unknown): number | null {
  if (value === null && name !== 'fail_status_code') return null;
  if (!isInteger(value)) throw new Refusal(`${name}: an integer expected`);
  return value === 0 && UNKNOWN_AS_ZERO.has(name) ? null : value;
}

function ownAddition(record: JsonObject, name: EventMember): number | string {
  if (name === 'token_quality') return '';
  if (name === 'unclassified_tokens' || name === 'cache_write_1h_tokens') return 0;
  const output = record.output_tokens;
  return isInteger(output) ? Math.max(output, 0) : 0;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
