import { isJsonObject, type JsonObject } from '../json/json.ts';
import { exceedsUtf8, trimText } from '../json/text.ts';
import { cutText, redactText } from '../redaction/redact.ts';
import { METADATA_SCHEMA, type ObjectKind, type ResponseMetadata, type ValueKind } from './metadata-schema.ts';
import { decimalFrom } from './timestamp.ts';

export type MetadataScalar = string | number | boolean;
export interface MetadataObject {
  [member: string]: MetadataScalar | MetadataObject;
}

/** Bytes of one text, without the dots that mark a cut. */
const TEXT_BYTES = 1024;
/** A value is cut before it is searched, so that no header costs more. In UTF-16 units. */
const SEARCHED_LENGTH = 8192;

function textValue(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  }
  let text = trimText(redactText(trimText(value.slice(0, SEARCHED_LENGTH))));
  if (!text.isWellFormed()) text = text.toWellFormed();
  if (text === '') return undefined;
  return exceedsUtf8(text, TEXT_BYTES) ? cutText(text, TEXT_BYTES) : text;
}

function numberValue(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const text = trimText(value);
  return decimalFrom(text.endsWith('%') ? text.slice(0, -1) : text) ?? undefined;
}

function countValue(value: unknown): number | undefined {
  const number = typeof value === 'string' ? (decimalFrom(value) ?? undefined) : numberValue(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function flagValue(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? trimText(value).toLowerCase() : '';
  if (text === 'true' || text === '1' || text === 'yes') return true;
  return text === 'false' || text === '0' || text === 'no' ? false : undefined;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** W3C trace context in lower case; `undefined` when version, trace or span are invalid. */
export function traceParent(value: unknown): { readonly text: string; readonly traceId: string } | undefined {
  if (typeof value !== 'string') return undefined;
  const text = trimText(value).toLowerCase();
  const [, version, traceId = '', span = ''] = TRACE_PARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(span)) return undefined;
  return { text, traceId };
}

/** Reads one value of a header or of a record's metadata; `undefined` when it is not of its kind. */
export function metadataScalar(kind: ValueKind, value: unknown): MetadataScalar | undefined {
  switch (kind) {
    case 'text':
      return textValue(value);
    case 'lower_text':
      return textValue(value)?.toLowerCase();
    case 'trace_parent':
      return traceParent(value)?.text;
    case 'flag':
      return flagValue(value);
    case 'number':
      return numberValue(value);
    case 'count':
      return countValue(value);
  }
}

/** Members of an object in the order of the schema: the kind of a value, or the members of a nested object. */
type KindTable = readonly (readonly [name: string, kind: ValueKind | KindTable])[];

function kindTable(kinds: ObjectKind): KindTable {
  return Object.entries(kinds).map(
    ([name, kind]) => [name, typeof kind === 'string' ? kind : kindTable(kind)] as const,
  );
}

const SCHEMA = kindTable(METADATA_SCHEMA);

function readKinds(table: KindTable, value: JsonObject): MetadataObject {
  const result: MetadataObject = {};
  for (const [member, kind] of table) {
    const given = value[member];
    if (given === undefined || given === null) continue;
    if (typeof kind === 'string') {
      const scalar = metadataScalar(kind, given);
      if (scalar !== undefined) result[member] = scalar;
    } else if (isJsonObject(given)) {
      const object = readKinds(kind, given);
      if (hasMembers(object)) result[member] = object;
    }
  }
  return result;
}

function hasMembers(object: MetadataObject): boolean {
  for (const _ in object) return true;
  return false;
}

/** Keeps the known members of foreign metadata; every value is read as strictly as a header. */
export function readMetadataObject(value: unknown): MetadataObject {
  return isJsonObject(value) ? readKinds(SCHEMA, value) : {};
}

/** Puts `later` over `earlier`, member by member. An estimated recovery never replaces a reported one. */
export function mergeMetadata(earlier: MetadataObject, later: MetadataObject): MetadataObject {
  const result: MetadataObject = { ...earlier };
  for (const [member, value] of Object.entries(later)) {
    const before = result[member];
    result[member] = typeof value === 'object' && typeof before === 'object' ? mergeMetadata(before, value) : value;
  }
  const reported = earlier.recover_at_ms !== undefined && earlier.recover_at_estimated === false;
  if (reported && later.recover_at_estimated === true && earlier.recover_at_ms !== undefined) {
    result.recover_at_ms = earlier.recover_at_ms;
    result.recover_at_estimated = false;
  }
  return result;
}

function inOrder(table: KindTable, value: MetadataObject): MetadataObject {
  const result: MetadataObject = {};
  for (const [name, kind] of table) {
    const member = value[name];
    if (member === undefined) continue;
    result[name] = typeof kind !== 'string' && typeof member === 'object' ? inOrder(kind, member) : member;
  }
  return result;
}

/** The same members in the order of the schema; `null` when there are none. */
export function orderedMetadata(value: MetadataObject): ResponseMetadata | null {
  const result = inOrder(SCHEMA, value);
  // Built from the schema's members and kinds, which the type describes.
  return Object.keys(result).length === 0 ? null : (result as ResponseMetadata);
}
