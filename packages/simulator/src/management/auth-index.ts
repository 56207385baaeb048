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

/** `listName` as in the configuration, for example `gemini-api-key`. Vertex keys have an internal id instead. */
export function authIndexOfKey(listName: string, baseUrl: string, apiKey: string): string {
  if (listName === 'vertex-api-key') return authIndexOf(`id:vertex:apikey:${apiKey}`);
  return authIndexOf(`${listName}:${baseUrl}+${apiKey}`);
}

/** Runtime id of a configured key; the further parts are its proxy, prefix and headers. */
export function idOfKey(provider: string, apiKey: string, baseUrl: string, proxyUrl: string, prefix: string): string {
  const kind = `${provider}:apikey`;
  const digest = createHash('sha256').update([kind, apiKey, baseUrl, proxyUrl, prefix, ''].join('\0')).digest('hex');
  return `${kind}:${digest.slice(0, 12)}`;
}
