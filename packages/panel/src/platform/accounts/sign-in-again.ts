import type { UrlSearch } from '../browser/url-search.ts';

/** Where an account is signed in again, for a link. */
export const SIGN_IN_PATH = '/oauth';

/**
 * The address of one account there. It holds no name.
 *
 * @param account its key, or its index; '' = not known
 */
export function signInAgain(account: string, provider: string): UrlSearch {
  return {
    ...(account === '' ? {} : { account: [account] }),
    ...(provider === '' ? {} : { provider: [provider.toLowerCase()] }),
  };
}
