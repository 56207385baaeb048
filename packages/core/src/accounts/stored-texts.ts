import { embeddedJson } from '../json/embedded-json.ts';
import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';
import type { UsageEvent } from '../usage/event.ts';
import type { ResponseMetadata } from '../usage/metadata-schema.ts';
import { metadataObject } from '../usage/metadata-text.ts';
import { orderedMetadata, readMetadataObject } from '../usage/metadata-values.ts';

/**
 * The JSON values of one stored text. A text that is JSON as a whole is decoded as a whole, whatever its length: a search that
 * stops early would take its inner parts for values of their own, headers among them.
 */
export function jsonValues(text: string): readonly unknown[] {
  const whole = parseJson(text);
  return typeof whole === 'object' && whole !== null ? [whole] : embeddedJson(text);
}

/** The metadata of a stored event, every member read as strictly as when it was stored; `{}` when there is none. */
export function storedMetadata(event: Pick<UsageEvent, 'response_metadata_json'>): ResponseMetadata {
  const object = metadataObject(event.response_metadata_json);
  return object === null ? {} : (orderedMetadata(readMetadataObject(object)) ?? {});
}

/** Members of an original record that speak of its failure; all others may hold words of the request. */
const FAILURE_MEMBERS = [
  'fail',
  'fail_body',
  'failBody',
  'error',
  'error_message',
  'errorMessage',
  'response',
] as const;

/** The values of a record that speak of its failure: texts are decoded, an `error` keeps its name. */
export function failureValues(rawJson: string): readonly unknown[] {
  const record = parseJson(rawJson);
  if (!isJsonObject(record)) return [];
  const inner = record.raw_json;
  // A record that was kept inside of another one.
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
