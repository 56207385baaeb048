import { Drawer, Popover } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { type CompareChoice, type RangeChoice, resolveRange } from '../../platform/range/range.ts';
import { countFilters, REQUEST_RANGES } from '../../platform/requests/request-filters.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { ViewsMenu } from '../../ui/controls/views-menu.tsx';
import { Icon } from '../../ui/icons.tsx';
import { CompareControl } from '../../ui/range/compare-control.tsx';
import { RangeControl } from '../../ui/range/range-control.tsx';
import { RangeForm } from '../../ui/range/range-form.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { type MonitoringSearch, writeMonitoringSearch } from './monitoring-search.ts';

/** Controls that do not fit into the bar of a narrow screen. */
const SHEET_RANGES = ['month', 'last_month', 'last_week', 'yesterday', '14d', '30d', 'all'] as const;

interface FilterBarProps {
  readonly search: MonitoringSearch;
  readonly onChange: (next: Partial<MonitoringSearch>, replace?: boolean) => void;
  readonly searchInput: RefObject<HTMLInputElement | null>;
  readonly menu: ReactNode;
  readonly onMenu: (open: boolean) => void;
  readonly menuOpen: boolean;
  /** A drawer is beside the page. */
  readonly tight: boolean;
}

/** Range, search, filters: one line of controls. */
export function FilterBar({ search, onChange, searchInput, menu, onMenu, menuOpen, tight }: FilterBarProps) {
  const { t } = useText();
  const narrow = usePhone();
  const count = countFilters(search) - (search.search === '' ? 0 : 1);
  const zone = useTimeZone();
  const { client } = useServices();
  const choose = (range: RangeChoice) => onChange({ range });
  const compareWith = (compare: CompareChoice) => onChange({ compare });
  const resolved = resolveRange(search.range, client.now(), zone);
  const filterButton = (
    <Button aria-expanded={menuOpen} aria-haspopup="dialog" onClick={() => onMenu(!menuOpen)}>
      <Icon name={narrow ? 'filter' : 'plus'} />
      {count === 0 ? t('filter.open') : t('filter.openCount', { count })}
    </Button>
  );
  return (
    <search className="filter-bar">
      <RangeControl
        rules={REQUEST_RANGES}
        value={search.range}
        onChange={choose}
        ownSheet
        {...(narrow || (tight && search.compare.kind === 'none')
          ? {}
          : { compare: search.compare, onCompare: compareWith })}
      />
      {narrow && filterButton}
      <SearchField
        value={search.search}
        onChange={(text) => onChange({ search: text }, true)}
        placeholder={t('search.placeholder')}
        input={searchInput}
      />
      {narrow ? (
        <Drawer
          opened={menuOpen}
          onClose={() => onMenu(false)}
          position="bottom"
          size="85%"
          title={t('filter.title')}
          closeButtonProps={{ 'aria-label': t('common.close') }}
        >
          <div style={{ display: 'flex', flexDirection: 'column', gap: 16 }}>
            <RangeForm value={search.range.name} resolved={resolved} names={SHEET_RANGES} onChoose={choose} />
            <CompareControl value={search.compare} range={resolved} onChange={compareWith} />
            {menu}
          </div>
        </Drawer>
      ) : (
        <Popover opened={menuOpen} onChange={onMenu} position="bottom-end" width={420} trapFocus returnFocus>
          <Popover.Target>{filterButton}</Popover.Target>
          <Popover.Dropdown aria-label={t('filter.title')}>
            {/* Takes the first focus, so that no list of choices opens automatically. */}
            <h2 tabIndex={-1} data-autofocus style={{ marginBottom: 8 }}>
              {t('filter.title')}
            </h2>
            {menu}
          </Popover.Dropdown>
        </Popover>
      )}
      {!narrow && !tight && <ViewsMenu path="/monitoring" search={writeMonitoringSearch(search, {})} />}
    </search>
  );
}
