import { isJsonObject, parseJson } from '../json/json.ts';

export type ControlMessage = 'support_refresh' | 'refresh';

/** A control message has one short member; longer texts are not parsed. */
const MAX_CONTROL_LENGTH = 64;

/**
 * Separates the two control messages of the gateway from events: an object with exactly one boolean member. `refresh`
 * asks to drop cached account snapshots, `support_refresh` announces that such messages may come.
 *
 * @example controlOf('{"refresh":true}') // 'refresh'
 */
export function controlOf(text: string): ControlMessage | null {
  if (text.length > MAX_CONTROL_LENGTH || !text.includes('refresh')) return null;
  const value = parseJson(text);
  if (!isJsonObject(value)) return null;
  const [name, ...others] = Object.keys(value);
  if (others.length > 0 || (name !== 'refresh' && name !== 'support_refresh')) return null;
  return typeof value[name] === 'boolean' ? name : null;
}
