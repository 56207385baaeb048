import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { STATUS_WORDS } from './sessions/session-view.ts';

/** Address parameters of the page. */
export interface TransferSearch {
  /** Filter of the list; '' = all. */
  readonly status: string;
  /** The session open beside it; '' = none. */
  readonly session: string;
}

const ID = /^[0-9a-f]{32}$/;

export function readTransferSearch(search: UrlSearch): TransferSearch {
  const status = search.status?.[0] ?? '';
  const session = search.session?.[0] ?? '';
  return { status: Object.hasOwn(STATUS_WORDS, status) ? status : '', session: ID.test(session) ? session : '' };
}

/** Other parameters are kept, defaults are not written. */
export function writeTransferSearch({ status, session }: TransferSearch, before: UrlSearch): UrlSearch {
  const { status: _status, session: _session, ...others } = before;
  return {
    ...others,
    ...(status === '' ? {} : { status: [status] }),
    ...(session === '' ? {} : { session: [session] }),
  };
}

export const TRANSFER_ADDRESS: Address<TransferSearch> = { read: readTransferSearch, write: writeTransferSearch };
