import { memo } from 'react';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import type { DataSource } from '../../platform/api/data-source.ts';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { type Stat, StatRow } from '../../ui/display/stats.tsx';
import { Status, type StatusTone } from '../../ui/display/status.tsx';
import { type AccountsSearch, STATUS_FILTERS, type StatusFilter } from './accounts-search.ts';
import { STATUS_LABELS } from './filter-bar.tsx';
import type { AccountListView } from './model/list.ts';

const TONES: Readonly<Record<StatusFilter, StatusTone>> = {
  available: 'ok',
  attention: 'warn',
  risk: 'warn',
  disabled: 'off',
  unconfirmed: 'unknown',
};

/** Number of accounts by state; a click filters by it. */
export const AccountsStats = memo(function AccountsStats({
  source,
  settled,
  list,
  search,
  onChange,
}: {
  readonly source: DataSource<readonly AccountRow[]>;
  /** All data that states depend on has arrived. */
  readonly settled: boolean;
  readonly list: AccountListView;
  readonly search: AccountsSearch;
  readonly onChange: (next: Partial<AccountsSearch>) => void;
}) {
  const { t } = useText();
  const rows = source.data;
  const loaded = rows !== undefined;
  // The tiles count the rows of all filters but the status, and so do their captions.
  const enabled = list.ofAllStatuses - (list.statuses.get('disabled') ?? 0);
  const filtered = loaded && list.ofAllStatuses < rows.length;
  const qualifiers: Readonly<Record<StatusFilter, string>> = {
    available: t('accounts.enabledOf', { count: enabled }),
    attention: t('accounts.needSignIn', { count: list.needSignIn }),
    risk: t('accounts.riskText'),
    disabled: t('accounts.disabledText'),
    unconfirmed: t('accounts.unconfirmedText'),
  };
  const stats: Stat[] = [
    {
      key: 'all',
      label: t(filtered ? 'accounts.matching' : 'accounts.all'),
      value: loaded ? formatCount(list.ofAllStatuses) : undefined,
      qualifier: !loaded
        ? ''
        : filtered
          ? t('accounts.ofAll', { value: formatCount(rows.length) })
          : t('accounts.providers', { count: list.providers.size }),
      onSelect: () => onChange({ status: '', page: 1 }),
      selected: search.status === '',
    },
    ...STATUS_FILTERS.map((status) => ({
      key: status,
      label: <Status tone={TONES[status]}>{t(STATUS_LABELS[status])}</Status>,
      value: settled || (loaded && status === 'disabled') ? formatCount(list.statuses.get(status) ?? 0) : undefined,
      qualifier: settled ? qualifiers[status] : '',
      onSelect: () => onChange({ status: search.status === status ? '' : status, page: 1 }),
      selected: search.status === status,
    })),
  ];
  return <StatRow label={t('accounts.states')} stats={stats} source={source} />;
});
