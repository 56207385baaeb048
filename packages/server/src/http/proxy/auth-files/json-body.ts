import { AppError } from '@manager/core/contract/errors';
import { refuseTooDeep } from '../../body.ts';

/**
 * The JSON object in a body, numbers kept with their digits; null when it is no object, which the gateway then rejects itself.
 *
 * @throws AppError 400 when it is nested too deeply
 */
export function readJsonObject(body: Uint8Array): Record<string, unknown> | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    refuseTooDeep(text);
    const value: unknown = JSON.parse(text, keepNumberText);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch (error) {
    if (error instanceof AppError) throw error;
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

/** Numbers keep their digits: an id beyond 2^53 must not be rounded. */
function keepNumberText(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
}
