import { useStatus } from '../../api/queries.ts';
import { DoctorSlot } from '../../app/doctor-slot.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { EmptyState } from '../../ui/states.tsx';
import { clearFilters, countFilters } from './live-filters.ts';
import type { LiveSearch } from './live-search.ts';
import { useNamedKeys } from './named-keys-state.tsx';

/** Why nothing is there: filters, the range, or no event at all. */
export function NoRows({
  search,
  onChange,
  rangeName,
}: {
  readonly search: LiveSearch;
  readonly onChange: (next: LiveSearch) => void;
  readonly rangeName: string;
}) {
  const { t } = useText();
  const { data } = useStatus();
  const filters = countFilters(search);
  const named = useNamedKeys(search, onChange);
  if (filters > 0) {
    return (
      <EmptyState
        title={t('empty.filteredTitle')}
        text={named?.text ?? t('empty.filteredText', { count: filters, range: rangeName })}
        action={
          <>
            {named?.action}
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
            <Button onClick={() => onChange({ ...search, range: { name: 'all', fromMs: null, toMs: null } })}>
              {t('empty.showAll')}
            </Button>
            <DoctorSlot />
          </>
        }
      />
    );
  }
  return <EmptyState title={t('empty.noneTitle')} text={t('empty.noneText')} action={<DoctorSlot />} />;
}
