import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../json.ts';

/** How a list row carries the claims of the sign-in: as an object, as JSON text, as a token, or not at all. */
export type IdTokenForm = 'object' | 'json-text' | 'jwt' | 'none';

const AUTH_CLAIM = 'https://api.openai.com/auth';
const LISTED_CLAIMS = [
  'chatgpt_account_id',
  'chatgpt_subscription_active_start',
  'chatgpt_subscription_active_until',
  'chatgpt_plan_type',
  'plan_type',
];

/** Account id of the usual format, always the same for the same text. */
export function accountIdOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

export function idTokenOf(claims: JsonObject, form: IdTokenForm): JsonObject | string | null {
  switch (form) {
    case 'object':
      return claims;
    case 'json-text':
      return JSON.stringify(claims);
    case 'jwt':
      return jwtOf(claims);
    case 'none':
      return null;
  }
}

/** Not signed: nothing here checks it. */
export function jwtOf(claims: JsonObject): string {
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${Buffer.from('sim').toString('base64url')}`;
}

/** The claims the gateway lists of a file's token, wherever they are; null without any. */
export function listedClaims(token: unknown): JsonObject | null {
  if (typeof token !== 'string') return null;
  const claims = claimsOf(token);
  if (claims === null) return null;
  const nested = claims[AUTH_CLAIM];
  const source = { ...claims, ...(isObject(nested) ? nested : {}) };
  const listed: JsonObject = {};
  for (const name of LISTED_CLAIMS) {
    const value = source[name];
    if (typeof value === 'string') listed[name === 'chatgpt_plan_type' ? 'plan_type' : name] = value;
  }
  return Object.keys(listed).length === 0 ? null : listed;
}

function claimsOf(token: string): JsonObject | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return isObject(claims) ? claims : null;
  } catch {
    return null;
  }
}
