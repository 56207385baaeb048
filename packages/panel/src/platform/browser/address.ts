import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { stringifyUrlSearch, type UrlSearch } from './url-search.ts';
import { useHref } from './use-href.ts';

/** How a page reads its part of the address. */
export interface Address<S> {
  readonly read: (url: UrlSearch) => S;
  /** Parameters of others are kept, defaults are not written. */
  readonly write: (search: S, before: UrlSearch) => UrlSearch;
}

const sorted = (url: UrlSearch): UrlSearch =>
  Object.fromEntries(Object.entries(url).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Whether every value of the page is valid. */
export const isExact = <S>({ read, write }: Address<S>, url: UrlSearch): boolean =>
  stringifyUrlSearch(sorted(url)) === stringifyUrlSearch(sorted(write(read(url), url)));

export interface AddressState<S> {
  readonly search: S;
  /** A choice adds a history entry; typing and stepping through rows replace it. */
  readonly change: (next: Partial<S>, replace?: boolean) => void;
}

/**
 * The page's part of the address. Corrects invalid values without a history entry.
 *
 * @param address a constant
 */
export function useAddress<S>(address: Address<S>): AddressState<S> {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<S>, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => address.write({ ...address.read(before), ...next }, before),
        replace,
      }),
    [address, navigate],
  );
  const exact = useMemo(() => isExact(address, url), [address, url]);
  useEffect(() => {
    if (!exact) change({}, true);
  }, [exact, change]);
  return { search: useMemo(() => address.read(url), [address, url]), change };
}

/** Where a change of the page's part of the address leads, for rows that are links. */
export function useAddressHref<S>(address: Address<S>): (next: Partial<S>) => string {
  const href = useHref();
  return useCallback(
    (next) =>
      href({ to: '.', search: (before: UrlSearch) => address.write({ ...address.read(before), ...next }, before) }),
    [address, href],
  );
}
