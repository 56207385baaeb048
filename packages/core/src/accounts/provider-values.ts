import { isJsonObject, type JsonObject } from '../json/json.ts';
import { decimalFrom } from '../usage/timestamp.ts';

/**
 * Readers for members of provider answers. Each member has a snake_case name; the camelCase one is accepted too, and
 * null counts as absent.
 */

/** @example spellingsOf('used_percent') // ['used_percent', 'usedPercent'] */
export function spellingsOf(name: string): readonly [string, string] {
  return [name, name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())];
}

/** @example member({ usedPercent: 5 }, 'used_percent') // 5 */
export function member(object: JsonObject, name: string): unknown {
  const [snake, camel] = spellingsOf(name);
  return object[snake] ?? object[camel] ?? undefined;
}

export function objectMember(object: JsonObject, name: string): JsonObject | null {
  const value = member(object, name);
  return isJsonObject(value) ? value : null;
}

/** A number, also as text and with a percent sign; null when it is not one. */
export function numberMember(object: JsonObject, name: string): number | null {
  return numberFrom(member(object, name));
}

export function numberFrom(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' ? decimalFrom(value.replace(/\s*%\s*$/, '')) : null;
}

export function booleanMember(object: JsonObject, name: string): boolean | null {
  const value = member(object, name);
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : null;
}

/** Text, trimmed; '' when it is not one. */
export function textMember(object: JsonObject, name: string): string {
  const value = member(object, name);
  return typeof value === 'string' ? value.trim() : '';
}
