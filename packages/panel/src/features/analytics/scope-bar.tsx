import { Group, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useKeyNames } from '../../platform/queries/queries.ts';
import { filterLabels } from '../../platform/requests/filter-labels.ts';
import { DEFAULT_REQUEST_FILTERS } from '../../platform/requests/request-filters.ts';
import { FilterChips } from '../../ui/controls/filter-chips.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { RangeControl } from '../../ui/range/range-control.tsx';
import { Chips } from '../../ui/requests/chips.tsx';
import { FilterButton } from '../../ui/requests/filter-button.tsx';
import { FilterMenu } from '../../ui/requests/filter-menu.tsx';
import { ANALYTICS_RANGES, countScopeFilters, type Scope, withFilters } from './analytics-search.ts';
import type { ScopeOptions } from './use-scope.ts';

interface ScopeProps {
  readonly scope: Scope;
  readonly onChange: (next: Scope, replace?: boolean) => void;
}

interface ScopeFiltersProps extends ScopeProps {
  readonly options: ScopeOptions;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** Which scope it is, where a page has two. */
  readonly label?: string;
}

/** All filters of monitoring, and a keyword for client keys; a sheet on a narrow screen. */
export function ScopeFilters({ scope, onChange, options, open, onOpen, label }: ScopeFiltersProps) {
  const keyNames = useKeyNames();
  const masker = useMasker();
  const count = countScopeFilters(scope) - (scope.search === '' ? 0 : 1);
  return (
    <FilterButton count={count} open={open} onOpen={onOpen} label={label}>
      <FilterMenu
        search={scope}
        onChange={(next) => onChange(withFilters(scope, next))}
        selectors={options.selectors}
        keyNames={keyNames}
        masker={masker}
      />
      <KeyKeyword scope={scope} onChange={onChange} />
    </FilterButton>
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
}: ScopeFiltersProps & { readonly input: RefObject<HTMLInputElement | null>; readonly views: ReactNode }) {
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
      <ScopeFilters scope={scope} onChange={onChange} options={options} open={open} onOpen={onOpen} />
      {views}
    </search>
  );
}
