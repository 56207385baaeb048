import { isJsonObject, type JsonObject, parseJson } from '../json/json.ts';

/** Where OpenAI keeps its own claims. */
const OPENAI_CLAIMS = 'https://api.openai.com/auth';

/**
 * The claims of an id token in any form: an object, JSON text, or a signed token, of which only the payload is read.
 * Nothing is verified: the claims only name an account that the gateway already trusts.
 *
 * @returns the claims and the nested ones of the provider; empty when there are none
 */
export function idTokenClaims(token: unknown): readonly JsonObject[] {
  const claims = typeof token === 'string' ? claimsOfText(token.trim()) : token;
  if (!isJsonObject(claims)) return [];
  const nested = claims[OPENAI_CLAIMS];
  return isJsonObject(nested) ? [claims, nested] : [claims];
}

function claimsOfText(text: string): unknown {
  if (text.startsWith('{')) return parseJson(text);
  const parts = text.split('.');
  const payload = parts.length === 3 ? decodeBase64Url(parts[1] ?? '') : null;
  return payload === null ? undefined : parseJson(payload);
}

function decodeBase64Url(text: string): string | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return null;
  }
}
