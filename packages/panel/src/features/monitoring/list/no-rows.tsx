import type { Coverage } from '@manager/core/contract/monitoring/sections';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useStatus } from '../../../platform/queries/queries.ts';
import { clearFilters, countFilters } from '../../../platform/requests/request-filters.ts';
import { coverageView } from '../../../platform/wording/coverage.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { useShellParts } from '../../../ui/page/shell-parts.ts';
import { useNamedKeys } from '../../../ui/requests/named-keys-state.tsx';
import type { MonitoringSearch } from '../monitoring-search.ts';

/** Why there are no rows: archives, filters, the range, or no event at all. */
export function NoRows({
  search,
  onChange,
  rangeName,
  coverage,
}: {
  readonly search: MonitoringSearch;
  readonly onChange: (next: Partial<MonitoringSearch>) => void;
  readonly rangeName: string;
  /** Of the same range and filters; undefined = unknown. */
  readonly coverage: Coverage | undefined;
}) {
  const { t } = useText();
  const { DoctorFindings } = useShellParts();
  const { data } = useStatus();
  const filters = countFilters(search);
  const named = useNamedKeys(search, onChange);
  const showAll = (
    <Button onClick={() => onChange({ range: { name: 'all', fromMs: null, toMs: null } })}>{t('empty.showAll')}</Button>
  );
  const { nothingLeft, current } =
    coverage === undefined ? { nothingLeft: false, current: null } : coverageView(coverage);
  if (filters === 0 && nothingLeft && current !== null) {
    const counts = { deleted: formatCount(current.deleted), all: formatCount(current.all) };
    return (
      <EmptyState
        title={t('empty.archivedTitle', { range: rangeName })}
        text={`${t('coverage.current', counts)} ${t('coverage.exactText')}`}
        action={showAll}
      />
    );
  }
  if (filters > 0) {
    return (
      <EmptyState
        title={t('empty.filteredTitle')}
        text={named?.text ?? t('empty.filteredText', { count: filters, range: rangeName })}
        action={
          <>
            {named?.action}
            {search.range.name !== 'all' && showAll}
            <Button onClick={() => onChange(clearFilters(search))}>{t('filter.clear')}</Button>
          </>
        }
      />
    );
  }
  if ((data?.eventCount ?? data?.events ?? 0) > 0) {
    return (
      <EmptyState
        title={t('empty.rangeTitle', { range: rangeName })}
        text={t('empty.rangeText', { events: formatCount(data?.eventCount ?? data?.events) })}
        action={
          <>
            {showAll}
            <DoctorFindings />
          </>
        }
      />
    );
  }
  return <EmptyState title={t('empty.noneTitle')} text={t('empty.noneText')} action={<DoctorFindings />} />;
}
