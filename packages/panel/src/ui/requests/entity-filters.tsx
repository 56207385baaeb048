import type { FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { MultiSelect, TagsInput } from '@mantine/core';
import type { Masker } from '../../platform/format/mask.ts';
import { useText } from '../../platform/i18n/index.ts';
import { accountName, accountToken, rememberAccounts } from '../../platform/requests/account-names.ts';
import { keyName } from '../../platform/requests/event-view.ts';
import { type RequestFilters, setListFilter } from '../../platform/requests/request-filters.ts';

export interface EntityFiltersProps<S extends RequestFilters> {
  readonly search: S;
  readonly onChange: (next: S) => void;
  /** undefined = not loaded, or missing at this server: free text still works. */
  readonly selectors: FilterOptions | undefined;
  readonly keyNames: ReadonlyMap<string, string>;
  readonly masker: Masker;
}

export const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];

/** Models, providers, accounts and client keys of the requests. */
export function EntityFilters<S extends RequestFilters>(props: EntityFiltersProps<S>) {
  const { search, onChange, selectors, keyNames, masker } = props;
  const { t } = useText();
  const tags = {
    size: 'sm',
    clearable: true,
    comboboxProps: { withinPortal: false },
    maxDropdownHeight: 220,
  } as const;
  const accounts = search.lists.account;
  const known = selectors?.accounts ?? [];
  const shownAccount = (token: string): string => masker.account(accountName(token) ?? token);
  const keys = search.lists.api_key_hash;
  const keyOptions = union(keys, union(selectors?.api_key_hashes ?? [], [...keyNames.keys()]));
  return (
    <>
      <TagsInput
        {...tags}
        label={t('filter.model')}
        placeholder={search.lists.model.length === 0 ? t('filter.any') : ''}
        data={selectors?.models ?? []}
        value={[...search.lists.model]}
        onChange={(values) => onChange(setListFilter(search, 'model', values))}
      />
      <TagsInput
        {...tags}
        label={t('filter.provider')}
        placeholder={search.lists.provider.length === 0 ? t('filter.any') : ''}
        data={selectors?.providers ?? []}
        value={[...search.lists.provider]}
        onChange={(values) => onChange(setListFilter(search, 'provider', values))}
      />
      {known.length > 0 ? (
        <MultiSelect
          {...tags}
          searchable
          label={t('filter.account')}
          placeholder={accounts.length === 0 ? t('filter.any') : ''}
          nothingFoundMessage={t('filter.nothing')}
          data={union(accounts, known.map(accountToken)).map((token) => ({
            value: token,
            label: shownAccount(token),
          }))}
          value={[...accounts]}
          onChange={(values) => {
            rememberAccounts(
              values.map((value) => accountName(value) ?? value),
              true,
            );
            onChange(setListFilter(search, 'account', values));
          }}
        />
      ) : (
        <TagsInput
          {...tags}
          label={t('filter.account')}
          placeholder={accounts.length === 0 ? t('filter.any') : ''}
          value={accounts.map(shownAccount)}
          onChange={(values) => {
            const names = values.map(
              (value) => accountName(accounts.find((token) => shownAccount(token) === value) ?? value) ?? value,
            );
            rememberAccounts(names, true);
            onChange(setListFilter(search, 'account', names.map(accountToken)));
          }}
        />
      )}
      <MultiSelect
        {...tags}
        searchable
        label={t('filter.key')}
        placeholder={keys.length === 0 ? t('filter.any') : ''}
        nothingFoundMessage={t('filter.nothing')}
        data={keyOptions.map((hash) => ({ value: hash, label: keyName(hash, keyNames) }))}
        value={[...keys]}
        onChange={(values) => onChange(setListFilter(search, 'api_key_hash', values))}
      />
    </>
  );
}
