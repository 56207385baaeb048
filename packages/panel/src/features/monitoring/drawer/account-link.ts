import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { isPrivateText } from '../../../platform/browser/private-text.ts';
import type { UrlSearch } from '../../../platform/browser/url-search.ts';

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
