import { isObject } from '../json.ts';
import type { Simulator } from '../types.ts';
import { manage } from './raw-client.ts';

/** An api-call with the token of an account, named by id, file name or index. */
export function apiCall(
  simulator: Simulator,
  account: string,
  url: string,
  header: Readonly<Record<string, string>> = {},
  request: { readonly method?: string; readonly data?: string } = {},
): ReturnType<typeof manage> {
  const isIndex = /^[0-9a-f]{16}$/.test(account);
  const row = isIndex
    ? undefined
    : simulator.authFiles().find(({ id, name, auth_index }) => [id, name, auth_index].includes(account));
  const call = { method: 'GET', ...request, url, header: { Authorization: 'Bearer $TOKEN$', ...header } };
  return manage(simulator, 'POST', '/api-call', { authIndex: row?.auth_index ?? account, ...call });
}

/** The provider's answer, as JSON. */
export async function bodyOf(call: ReturnType<typeof apiCall>): Promise<unknown> {
  const { body, text } = await call;
  if (!isObject(body) || typeof body.body !== 'string') throw new Error(`api-call answered ${text}`);
  return JSON.parse(body.body);
}
