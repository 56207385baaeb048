import { createHash } from 'node:crypto';

/** Where the gateway keeps its auth files, where the configuration does not say. */
export const AUTH_DIRECTORY = '/sim/auths';

/** Stable id of an account: the first 16 hex digits of the SHA-256 of its seed. */
function authIndexOf(seed: string): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, 16);
}

export function authIndexOfFile(type: string, name: string, directory: string = AUTH_DIRECTORY): string {
  return authIndexOf(`${type.toLowerCase()}:${directory}/${name}`);
}

/** What a configured key is identified by. */
export interface KeyIdentity {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly proxyUrl?: string;
  readonly prefix?: string;
}

/** `listName` as in the configuration, for example `gemini-api-key`. Vertex keys are known by their runtime id. */
export function authIndexOfKey(listName: string, key: KeyIdentity): string {
  if (listName === 'vertex-api-key') return authIndexOf(`id:${idOfKey('vertex', key)}`);
  return authIndexOf(`${listName}:${key.baseUrl}+${key.apiKey}`);
}

/** Runtime id of a configured key; the last part stands for its headers. */
export function idOfKey(provider: string, { apiKey, baseUrl, proxyUrl = '', prefix = '' }: KeyIdentity): string {
  const kind = `${provider}:apikey`;
  const parts = [kind, apiKey, baseUrl, proxyUrl, ...(provider === 'vertex' ? [] : [prefix, ''])];
  return `${kind}:${createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12)}`;
}
