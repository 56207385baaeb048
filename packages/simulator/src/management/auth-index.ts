import { createHash } from 'node:crypto';

/** Where the gateway keeps its auth files. */
export const AUTH_DIRECTORY = '/sim/auths';

/** Stable id of an account: the first 16 hex digits of the SHA-256 of its seed. */
function authIndexOf(seed: string): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, 16);
}

export function authIndexOfFile(type: string, name: string): string {
  return authIndexOf(`${type.toLowerCase()}:${AUTH_DIRECTORY}/${name}`);
}

/** `listName` as in the configuration, for example `gemini-api-key`. Vertex keys have an internal id instead. */
export function authIndexOfKey(listName: string, baseUrl: string, apiKey: string): string {
  if (listName === 'vertex-api-key') return authIndexOf(`id:vertex:apikey:${apiKey}`);
  return authIndexOf(`${listName}:${baseUrl}+${apiKey}`);
}
