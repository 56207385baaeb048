import { answerObject } from '../api/answer-list.ts';
import type { Client } from '../api/client.ts';

/** What the gateway counted lately, by provider, and there by address and key: the keys must not be kept. */
export type KeyUsage = Readonly<Record<string, unknown>>;

export async function readKeyUsage(client: Client, signal: AbortSignal): Promise<KeyUsage> {
  const path = 'v0/management/api-key-usage';
  return answerObject(client, path, await client.call<unknown>(path, { signal }));
}
