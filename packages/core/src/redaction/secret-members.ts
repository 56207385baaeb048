import { SECRET_WORDS } from './names.ts';

/** The name of a secret. Names are short, so that the patterns are linear. */
const NAME = String.raw`[^"\\]{0,64}(?:${SECRET_WORDS})[^"\\]{0,64}`;
const TEXT = String.raw`"(?:[^"\\]|\\[\s\S]?)*"?`;

const MEMBER = new RegExp(String.raw`("${NAME}"\s*:\s*)(?:${TEXT}|\[(?:[\s,]|${TEXT})+\]?)`, 'gi');
/** The same in JSON inside a JSON string. */
const ESCAPED_MEMBER = new RegExp(String.raw`("${NAME}\\+"\s*:\s*\[?\s*\\+")[^"\\]*`, 'gi');

/**
 * Replaces the texts of JSON members with a secret's name, anywhere in a text: what providers answer is stored and
 * shown, and may repeat the token it was given.
 *
 * @example withoutSecretMembers('{"session_token":"abc","code":"x"}') // '{"session_token":"[redacted]","code":"x"}'
 */
export function withoutSecretMembers(text: string): string {
  return text.replace(MEMBER, '$1"[redacted]"').replace(ESCAPED_MEMBER, '$1[redacted]');
}
