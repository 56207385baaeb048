import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';

/**
 * The original item of a stored record and the items wrapped in it, outer ones first. Empty when the text is no JSON
 * object: it was not kept, or was cut.
 */
export function originalsOf(rawJson: string): readonly JsonObject[] {
  // Exports leave it out, and a parser error takes longer than a record.
  if (rawJson === '') return [];
  const outer = parseJson(rawJson);
  if (!isJsonObject(outer)) return [];
  const nested = typeof outer.raw_json === 'string' ? parseJson(outer.raw_json) : outer.raw_json;
  const inner = isJsonObject(nested) ? [nested] : [];
  return [outer, ...inner].flatMap((item) => (isJsonObject(item.detail) ? [item, item.detail] : [item]));
}
