import type { QueryClient } from '@tanstack/react-query';
import type { Account } from '../../../platform/accounts/account.ts';
import { refusedBy } from '../../../platform/accounts/availability.ts';
import { keepRefusal } from '../../../platform/accounts/quota-refusals.ts';
import { storeWindows } from '../../../platform/accounts/store-windows.ts';
import type { Client } from '../../../platform/api/client.ts';
import type { Ask } from './ask.ts';
import { askQuota } from './ask-provider.ts';
import { QuotaError } from './observed-windows.ts';
import { randomId } from './random-id.ts';

/**
 * Asks the provider for the quota of one account and keeps its answer: the windows, or the evidence that it refuses the account,
 * which counts like that of an inspection.
 *
 * @throws QuotaError when there is no quota
 */
export async function refreshQuota(client: Client, queries: QueryClient, ask: Ask, account: Account): Promise<void> {
  let entry: Awaited<ReturnType<typeof askQuota>>;
  try {
    entry = await askQuota(ask, account, client.now, randomId());
  } catch (error) {
    if (error instanceof QuotaError) keepError(queries, account, error, client.now());
    throw error;
  }
  if (entry === null) return;
  keepRefusal(queries, account.key, null);
  await storeWindows(client, queries, entry);
}

function keepError(queries: QueryClient, { key }: Account, error: QuotaError, atMs: number): void {
  const { status, message: text, signInRejected } = error;
  const says = refusedBy(status, text) ?? (signInRejected ? 'signIn' : null);
  if (says !== null) keepRefusal(queries, key, { atMs, says, status, text });
}

/** Kinds of answers without quota, in the order they are listed. */
export const MISSES = ['refused', 'busy', 'unreadable', 'unreached'] as const;
export type Miss = (typeof MISSES)[number];

/** @example missOf({ status: 429, unreadable: false }) // 'busy' */
export function missOf({ status, unreadable }: Pick<QuotaError, 'status' | 'unreadable'>): Miss {
  if (unreadable) return 'unreadable';
  if (status === 0) return 'unreached';
  return status === 408 || status === 429 || status >= 500 ? 'busy' : 'refused';
}
