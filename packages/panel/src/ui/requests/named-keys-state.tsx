import type { ReactNode } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useClientKeys, useKeyNames } from '../../platform/queries/queries.ts';
import { namedKeys } from '../../platform/requests/named-keys.ts';
import { type RequestFilters, setListFilter } from '../../platform/requests/request-filters.ts';
import { Button } from '../controls/button.tsx';

/** Empty state with suggestions where the search is (part of) the name of a client key; else null. */
export function useNamedKeys<S extends RequestFilters>(
  search: S,
  onChange: (next: S) => void,
): { readonly text: string; readonly action: ReactNode } | null {
  const { t } = useText();
  const found = namedKeys(search.search, useKeyNames(), useClientKeys());
  if (found.length === 0) return null;
  return {
    text: t('empty.keyText', { text: search.search }),
    action: found.map(({ hash, name }) => (
      <Button key={hash} onClick={() => onChange(setListFilter({ ...search, search: '' }, 'api_key_hash', [hash]))}>
        {t('empty.keyShow', { name })}
      </Button>
    )),
  };
}
