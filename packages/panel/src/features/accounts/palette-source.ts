import { type Account, readAccounts } from '../../platform/accounts/account.ts';
import { ACCOUNTS_KEY, listFiles } from '../../platform/accounts/account-calls.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { accountTitle, fileTitle } from '../../ui/accounts/account-text.ts';
import type { PaletteItem, PaletteSource } from '../../ui/palette-source.ts';

/** Accounts by name, each with its link to the accounts page. Found by the real names, also while masked. */
export function accountItems(accounts: readonly Account[], masker: Masker): readonly PaletteItem[] {
  return accounts.map((account) => ({
    key: account.key,
    label: accountTitle(account, masker),
    detail: [shown(account.listed.provider), account.name === account.listed.name ? '' : fileTitle(account, masker)]
      .filter(Boolean)
      .join(' · '),
    words: account.haystack,
    icon: 'accounts',
    open: { to: '/accounts', search: { account: [account.key] } },
  }));
}

export const accountSource: PaletteSource = {
  id: 'accounts',
  heading: 'palette.accounts',
  found: 'typed',
  load: async ({ client, queries }) => {
    const accounts = await queries.fetchQuery({
      queryKey: [ACCOUNTS_KEY, 'files'],
      staleTime: 60_000,
      structuralSharing: false,
      queryFn: async ({ signal }) => readAccounts(await listFiles(client, signal)),
    });
    return ({ masker }) => accountItems(accounts, masker);
  },
};
