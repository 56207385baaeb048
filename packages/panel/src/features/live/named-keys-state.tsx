import type { ReactNode } from 'react';
import { useClientKeys, useKeyNames } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { type LiveFilters, setListFilter } from './live-filters.ts';
import { namedKeys } from './named-keys.ts';

/** What an empty answer says, and offers, where the search is (part of) the name of a client key; else null. */
export function useNamedKeys<S extends LiveFilters>(
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
