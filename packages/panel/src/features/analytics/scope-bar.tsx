import { Drawer, Group, Popover, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useKeyNames } from '../../platform/queries/queries.ts';
import { filterLabels } from '../../platform/requests/filter-labels.ts';
import { DEFAULT_REQUEST_FILTERS } from '../../platform/requests/request-filters.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FilterChips } from '../../ui/controls/filter-chips.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { RangeControl } from '../../ui/range/range-control.tsx';
import { Chips } from '../../ui/requests/chips.tsx';
import { FilterMenu } from '../../ui/requests/filter-menu.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { ANALYTICS_RANGES, countScopeFilters, type Scope, withFilters } from './analytics-search.ts';
import type { ScopeOptions } from './use-scope.ts';

interface ScopeProps {
  readonly scope: Scope;
  readonly onChange: (next: Scope, replace?: boolean) => void;
}

interface FilterButtonProps extends ScopeProps {
  readonly options: ScopeOptions;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** Which scope it is, where a page has two. */
  readonly label?: string;
}

/** All filters of monitoring, and a keyword for client keys; a sheet on a narrow screen. */
export function FilterButton({ scope, onChange, options, open, onOpen, label }: FilterButtonProps) {
  const { t } = useText();
  const keyNames = useKeyNames();
  const masker = useMasker();
  const narrow = usePhone();
  const count = countScopeFilters(scope) - (scope.search === '' ? 0 : 1);
  const title = label === undefined ? t('filter.title') : `${label}: ${t('filter.title')}`;
  const button = (
    <Button aria-expanded={open} aria-haspopup="dialog" onClick={() => onOpen(!open)}>
      {label !== undefined && <span className="visually-hidden">{label}: </span>}
      <Icon name={narrow ? 'filter' : 'plus'} />
      {count === 0 ? t('filter.open') : t('filter.openCount', { count })}
    </Button>
  );
  const menu = (
    <>
      <FilterMenu
        search={scope}
        onChange={(next) => onChange(withFilters(scope, next))}
        selectors={options.selectors}
        keyNames={keyNames}
        masker={masker}
      />
      <KeyKeyword scope={scope} onChange={onChange} />
    </>
  );
  if (narrow) {
    return (
      <>
        {button}
        <Drawer
          opened={open}
          onClose={() => onOpen(false)}
          position="bottom"
          size="85%"
          title={title}
          closeButtonProps={{ 'aria-label': t('common.close') }}
        >
          {menu}
        </Drawer>
      </>
    );
  }
  return (
    <Popover opened={open} onChange={onOpen} position="bottom-end" width={420} trapFocus returnFocus>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={title}>
        {/* Takes the first focus, so that no list of choices opens automatically. */}
        <h2 tabIndex={-1} data-autofocus style={{ marginBottom: 8 }}>
          {title}
        </h2>
        {menu}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Finds client keys by part of their name; applied with Enter or on blur. */
function KeyKeyword({ scope, onChange }: ScopeProps) {
  const { t } = useText();
  const [text, setText] = useState(scope.keyKeyword);
  const send = () => {
    if (text.trim() !== scope.keyKeyword) onChange({ ...scope, keyKeyword: text.trim() });
  };
  return (
    <TextInput
      size="sm"
      mt={12}
      label={t('analytics.keyKeyword')}
      description={t('analytics.keyKeywordHint')}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send();
      }}
    />
  );
}

/** Every filter of a scope with a way to remove it. */
export function ScopeChips({ scope, onChange, options }: ScopeProps & { readonly options: ScopeOptions }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const keyNames = useKeyNames();
  const masker = useMasker();
  if (countScopeFilters(scope) === 0) return null;
  // The range has its own control.
  const shown = { ...scope, range: DEFAULT_REQUEST_FILTERS.range };
  const labels = filterLabels(shown, {
    t,
    locale,
    keyNames,
    masker,
    zone,
    selectors: options.selectors,
    rare: undefined,
  });
  return (
    <Group>
      {scope.keyKeyword !== '' && (
        <FilterChips
          chips={[
            {
              key: 'keyword',
              label: `${t('analytics.keyKeyword')}: ${masker.text(scope.keyKeyword)}`,
              onRemove: () => onChange({ ...scope, keyKeyword: '' }),
            },
          ]}
          onClear={null}
        />
      )}
      <Chips search={shown} labels={labels} onChange={(next) => onChange(withFilters(scope, next))} />
    </Group>
  );
}

/** Range, search, filters: one line of controls. */
export function ScopeBar({
  scope,
  onChange,
  options,
  open,
  onOpen,
  input,
  views,
}: FilterButtonProps & { readonly input: RefObject<HTMLInputElement | null>; readonly views: ReactNode }) {
  const { t } = useText();
  return (
    <search className="filter-bar">
      <RangeControl
        rules={ANALYTICS_RANGES}
        value={scope.range}
        onChange={(range) => onChange({ ...scope, range })}
        steps
      />
      <SearchField
        value={scope.search}
        onChange={(text) => onChange({ ...scope, search: text }, true)}
        placeholder={t('search.placeholder')}
        input={input}
      />
      <FilterButton scope={scope} onChange={onChange} options={options} open={open} onOpen={onOpen} />
      {views}
    </search>
  );
}
