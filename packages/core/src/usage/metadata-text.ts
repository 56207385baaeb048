import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';

/** The metadata object of an event; `null` when the stored text is not a JSON object. */
export function metadataObject(text: string): JsonObject | null {
  if (text === '') return null;
  const value = parseJson(text);
  return isJsonObject(value) && Object.keys(value).length > 0 ? value : null;
}
