import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { signInAgain } from '../../../platform/accounts/sign-in-again.ts';
import { isPrivateText } from '../../../platform/browser/private-text.ts';
import type { UrlSearch } from '../../../platform/browser/url-search.ts';
import type { TextKey } from '../../../platform/i18n/index.ts';

/**
 * Link from a request to its account in the account list: open where its index is known, else searched by a name that may appear
 * in an address.
 */
export function accountSearch(event: EventRow, tab?: 'quota'): UrlSearch {
  if (event.auth_index !== '') return { account: [event.auth_index], ...(tab === undefined ? {} : { tab: [tab] }) };
  const names = [event.auth_file_snapshot ?? '', event.account_snapshot, event.auth_label_snapshot];
  const name = names.find((text) => text !== '' && !isPrivateText(text));
  return name === undefined ? {} : { search: [name] };
}

/** Where the account of a request whose sign-in was rejected is signed in again; null = that was not it, or it has no file. */
export function signInSearch(event: EventRow, cause: TextKey): UrlSearch | null {
  if (cause !== 'cause.signIn' || event.auth_index === '' || (event.auth_file_snapshot ?? '') === '') return null;
  return signInAgain(event.auth_index, event.auth_provider_snapshot ?? '');
}
