import { Menu } from '@mantine/core';
import { memo, type RefObject } from 'react';
import { useManaged } from '../../platform/api/services.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceItems } from '../../ui/controls/choice-items.tsx';
import { type FilterChip, FilterChips } from '../../ui/controls/filter-chips.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Icon } from '../../ui/icons.tsx';
import {
  type AccountSort,
  type AccountsSearch,
  firstDirection,
  hasFilters,
  NO_FILTERS,
  OPERATION_FILTERS,
  type OperationFilter,
  QUOTA_FILTERS,
  type QuotaFilter,
  SORTS,
  type StatusFilter,
} from './accounts-search.ts';
import type { AccountListView } from './model/list.ts';

export const STATUS_LABELS: Readonly<Record<StatusFilter, TextKey>> = {
  available: 'accountState.available',
  attention: 'accounts.attention',
  risk: 'accounts.risk',
  disabled: 'accountState.disabled',
  unconfirmed: 'accountState.unconfirmed',
};
const QUOTA_LABELS: Readonly<Record<QuotaFilter, TextKey>> = {
  ge50: 'accountQuota.ge50',
  between20and50: 'accountQuota.between',
  lt20: 'accountQuota.lt20',
  spent: 'accountQuota.spent',
};
const OPERATION_LABELS: Readonly<Record<OperationFilter, TextKey>> = {
  reauth: 'accountOperation.reauth',
  cooldown: 'accountOperation.cooldown',
  automation: 'accountOperation.automation',
  recovered: 'accountOperation.recovered',
};
const SORT_LABELS: Readonly<Record<AccountSort, TextKey>> = {
  default: 'accountSort.attention',
  name: 'accountSort.name',
  plan: 'accountSort.plan',
  note: 'accountSort.note',
  reset: 'accountSort.reset',
  priority: 'accountSort.priority',
  recent: 'accountSort.recent',
  quota: 'accountSort.quota',
  created: 'accountSort.created',
  requests: 'accountSort.requests',
  cost: 'accountSort.cost',
};

interface FilterBarProps {
  readonly search: AccountsSearch;
  readonly onChange: (next: Partial<AccountsSearch>, replace?: boolean) => void;
  readonly list: AccountListView;
  readonly plans: readonly string[];
  readonly tags: readonly string[];
  readonly masker: Masker;
  readonly searchInput: RefObject<HTMLInputElement | null>;
}

/** Providers with their counts, search, the other filters, and the order. */
export const AccountsFilterBar = memo(function AccountsFilterBar(props: FilterBarProps) {
  const { search, onChange, list, searchInput } = props;
  const { t } = useText();
  const providers = new Map(list.providers);
  // The chosen one stays, even if nothing of it matches the other filters.
  if (search.provider !== '' && !providers.has(search.provider)) providers.set(search.provider, 0);
  return (
    <>
      <search className="filter-bar">
        <Segmented
          label={t('filter.provider')}
          value={search.provider === '' ? 'all' : `provider:${search.provider}`}
          options={[
            { value: 'all', label: t('accounts.allProviders', { count: list.ofAllProviders }) },
            ...[...providers].map(([provider, count]) => ({
              value: `provider:${provider}`,
              label: `${shown(provider, 40) || t('accounts.noProvider')} ${count}`,
            })),
          ]}
          onChange={(value) => onChange({ provider: value === 'all' ? '' : value.slice('provider:'.length), page: 1 })}
        />
        <SearchField
          value={search.search}
          input={searchInput}
          placeholder={t('accounts.searchHint')}
          // One history entry for a whole word.
          onChange={(text) => onChange({ search: text, page: 1 }, true)}
        />
        <MoreFilters {...props} />
        <SortMenu {...props} />
      </search>
      <Chips {...props} />
    </>
  );
});

function MoreFilters({ search, onChange, plans, tags, masker }: FilterBarProps) {
  const { t } = useText();
  const all = { value: '', label: t('filter.all') };
  return (
    <Menu position="bottom-end" width={260} closeOnItemClick={false}>
      <Menu.Target>
        <Button>
          <Icon name="filter" />
          {t('filter.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <ChoiceItems
          title={t('accounts.quotaLeft')}
          value={search.quota}
          options={[all, ...QUOTA_FILTERS.map((value) => ({ value, label: t(QUOTA_LABELS[value]) }))]}
          onChange={(quota) => onChange({ quota: quota as QuotaFilter | '', page: 1 })}
        />
        <Menu.Divider />
        <ChoiceItems
          title={t('accountOperation.title')}
          value={search.operation}
          options={[all, ...OPERATION_FILTERS.map((value) => ({ value, label: t(OPERATION_LABELS[value]) }))]}
          onChange={(operation) => onChange({ operation: operation as OperationFilter | '', page: 1 })}
        />
        {plans.length > 0 && (
          <>
            <Menu.Divider />
            <ChoiceItems
              title={t('filter.quotaPlan')}
              value={search.plan}
              options={[all, ...plans.map((value) => ({ value, label: shown(value, 60) }))]}
              onChange={(plan) => onChange({ plan, page: 1 })}
            />
          </>
        )}
        {tags.length > 0 && (
          <>
            <Menu.Divider />
            <ChoiceItems
              title={t('accounts.tag')}
              value={search.tag}
              options={[all, ...tags.map((value) => ({ value, label: shown(masker.text(value), 60) }))]}
              onChange={(tag) => onChange({ tag, page: 1 })}
            />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function SortMenu({ search, onChange, tags }: FilterBarProps) {
  const { t } = useText();
  const managed = useManaged();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button>
          {t('grid.sortedBy', { column: t(SORT_LABELS[search.sort]) })}
          <Icon name={search.direction === 'asc' ? 'arrowUp' : 'arrowDown'} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <ChoiceItems
          title={t('grid.sort')}
          value={search.sort}
          options={SORTS.filter((value) => managed || value !== 'cost').map((value) => ({
            value,
            label: t(SORT_LABELS[value]),
          }))}
          onChange={(sort) => onChange({ sort, direction: firstDirection(sort), page: 1 })}
        />
        <Menu.Divider />
        <ChoiceItems
          title={t('accountSort.direction')}
          value={search.direction}
          options={[
            { value: 'asc', label: t('accountSort.ascending') },
            { value: 'desc', label: t('accountSort.descending') },
          ]}
          onChange={(direction) => onChange({ direction, page: 1 })}
        />
        {(tags.length > 0 || search.group !== '') && (
          <>
            <Menu.Divider />
            <ChoiceItems
              title={t('accounts.groups')}
              value={search.group}
              options={[
                { value: '', label: t('accounts.ungrouped') },
                { value: 'tag', label: t('accounts.tag') },
              ]}
              onChange={(group) => onChange({ group, page: 1 })}
            />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Chips({ search, onChange, masker }: FilterBarProps) {
  const { t } = useText();
  const chips: FilterChip[] = [];
  const add = (key: keyof typeof NO_FILTERS, name: string, value: string) =>
    chips.push({ key, label: `${name}: ${value}`, onRemove: () => onChange({ [key]: '', page: 1 }) });
  if (search.provider !== '') add('provider', t('filter.provider'), shown(search.provider, 60));
  if (search.status !== '') add('status', t('filter.status'), t(STATUS_LABELS[search.status]));
  if (search.quota !== '') add('quota', t('accounts.quotaLeft'), t(QUOTA_LABELS[search.quota]));
  if (search.operation !== '') add('operation', t('accountOperation.title'), t(OPERATION_LABELS[search.operation]));
  if (search.plan !== '') add('plan', t('filter.quotaPlan'), shown(search.plan, 60));
  if (search.tag !== '') add('tag', t('accounts.tag'), shown(masker.text(search.tag), 60));
  if (search.search !== '') add('search', t('search.label'), shown(masker.text(search.search), 60));
  return <FilterChips chips={chips} onClear={hasFilters(search) ? () => onChange(NO_FILTERS) : null} />;
}
