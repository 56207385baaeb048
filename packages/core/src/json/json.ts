import { isTooDeep } from './depth.ts';

/** A parsed JSON object with unchecked members. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses untrusted text; `undefined` when it is not JSON or nested too deeply. */
export function parseJson(text: string): unknown {
  return isTooDeep(text) ? undefined : parseDeepJson(text);
}

/** Text of any depth, for readers that cut what is too deep. `undefined` when it is not JSON. */
export function parseDeepJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
