import { authFileEntries, type ListedAccount, readListedAccount } from '../listed-account.ts';

/** The credentials of a whole list. */
export function readAccounts(answer: unknown): ListedAccount[] {
  return authFileEntries(answer).flatMap((entry) => readListedAccount(entry) ?? []);
}
