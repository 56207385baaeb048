import type { QueryClient } from '@tanstack/react-query';
import { ACCOUNTS_KEY } from './account-calls.ts';
import type { QuotaRefusal } from './availability.ts';

/** By key of the account: quota queries that a provider refused, in memory until the sign-out. No manager stores them. */
export type QuotaRefusals = ReadonlyMap<string, QuotaRefusal>;
export const REFUSALS_KEY = [ACCOUNTS_KEY, 'refusals'];
export const NO_REFUSALS: QuotaRefusals = new Map();

/** Keeps how the provider answered for the account: a refusal, or `null` for an answer that shows that it works. */
export function keepRefusal(queries: QueryClient, key: string, refusal: QuotaRefusal | null): void {
  queries.setQueryData<QuotaRefusals>(REFUSALS_KEY, (before = NO_REFUSALS) => {
    const after = new Map(before);
    if (refusal === null) after.delete(key);
    else after.set(key, refusal);
    return after;
  });
}
