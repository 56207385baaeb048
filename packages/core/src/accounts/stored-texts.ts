import { embeddedJson } from '../json/embedded-json.ts';
import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';
import type { UsageEvent } from '../usage/event.ts';
import type { ResponseMetadata } from '../usage/metadata-schema.ts';
import { metadataObject } from '../usage/metadata-text.ts';
import { orderedMetadata, readMetadataObject } from '../usage/metadata-values.ts';

/**
 * The JSON values in one stored text. A text that is JSON as a whole is decoded as a whole, whatever its length: a
 * limited search would take its inner parts, headers among them, for values.
 */
export function jsonValues(text: string): readonly unknown[] {
  const whole = parseJson(text);
  return typeof whole === 'object' && whole !== null ? [whole] : embeddedJson(text);
}

/** The metadata of a stored event, checked as strictly as when it was stored; `{}` when missing. */
export function storedMetadata(event: Pick<UsageEvent, 'response_metadata_json'>): ResponseMetadata {
  const object = metadataObject(event.response_metadata_json);
  return object === null ? {} : (orderedMetadata(readMetadataObject(object)) ?? {});
}

/** Members of an original record that describe its failure; all others may hold text of the request. */
const FAILURE_MEMBERS = [
  'fail',
  'fail_body',
  'failBody',
  'error',
  'error_message',
  'errorMessage',
  'response',
] as const;

/** The values of a record that describe its failure: texts are decoded, an `error` keeps its name. */
export function failureValues(rawJson: string): readonly unknown[] {
  const record = parseJson(rawJson);
  if (!isJsonObject(record)) return [];
  const inner = record.raw_json;
  // An original record inside another record.
  const original = typeof inner === 'string' ? parseJson(inner) : inner;
  return [record, ...(isJsonObject(original) ? [original] : [])].flatMap(failureOf);
}

function failureOf(record: JsonObject): readonly unknown[] {
  return FAILURE_MEMBERS.flatMap((name) => {
    const value = record[name];
    if (typeof value === 'string') return jsonValues(value);
    if (!isJsonObject(value)) return [];
    if (name === 'error') return [{ error: value }];
    const body = value.body;
    return name === 'fail' && typeof body === 'string' ? jsonValues(body) : [value];
  });
}
