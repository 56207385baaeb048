import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';

/** Address parameters of the page; '' = absent. */
export interface ProviderSignInSearch {
  /** Key of the account to sign in again: never a name. */
  readonly account: string;
  /** Provider of an account that the list does not have. */
  readonly provider: string;
}

const KEY = /^(h:)?[\w-]{1,128}$/;
const PROVIDER = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

function read(url: UrlSearch): ProviderSignInSearch {
  const account = url.account?.[0] ?? '';
  const provider = url.provider?.[0] ?? '';
  return { account: KEY.test(account) ? account : '', provider: PROVIDER.test(provider) ? provider : '' };
}

export const PROVIDER_SIGN_IN_ADDRESS: Address<ProviderSignInSearch> = {
  read,
  write: ({ account, provider }, { account: _account, provider: _provider, ...others }) => ({
    ...others,
    ...(account === '' ? {} : { account: [account] }),
    ...(provider === '' ? {} : { provider: [provider] }),
  }),
};
