import { keepNumberText } from '../plugin-rewrite.ts';

/**
 * The JSON object in a body, numbers kept with their digits; null when it is no object, which the gateway then rejects itself.
 */
export function readJsonObject(body: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body), keepNumberText);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export function writeJson(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(JSON.stringify(value)));
}

/** Text of a string or number member, '' otherwise. */
export function memberText(object: Readonly<Record<string, unknown>>, key: string): string {
  const value = object[key];
  if (typeof value === 'string') return value.trim();
  return JSON.isRawJSON(value) ? JSON.stringify(value) : '';
}
