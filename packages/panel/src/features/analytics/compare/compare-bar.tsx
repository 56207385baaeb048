import { Box, Group, Select } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { UrlSearch } from '../../../platform/browser/url-search.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import type { RangeChoice } from '../../../platform/range/range.ts';
import { SeriesMark } from '../../../ui/chart/legend.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { ViewsMenu } from '../../../ui/controls/views-menu.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { RangeButton } from '../../../ui/range/range-control.tsx';
import {
  ANALYTICS_RANGES,
  COMPARE_MODES,
  type CompareMode,
  countScopeFilters,
  type Scope,
} from '../analytics-search.ts';
import { narrowed } from '../monitoring-search.ts';
import { ScopeChips, ScopeFilters } from '../scope-bar.tsx';
import { useScopeOptions } from '../use-scope.ts';
import { type Entity, entityIn, entityValue, withoutEntity } from './compare-entities.ts';

const MODE_LABELS = {
  periods: 'compare.periods',
  models: 'compare.models',
  keys: 'compare.keys',
  accounts: 'compare.accounts',
} as const;

const LOOKS = {
  a: { color: 'series-1', kind: 'line', dash: [] },
  b: { color: 'series-2', kind: 'line', dash: [6, 3] },
} as const;

interface SideView {
  readonly scope: Scope;
  /** As the control shows it: the time before A is a separate option there. */
  readonly range: RangeChoice;
}

interface CompareBarProps {
  readonly mode: CompareMode;
  readonly onMode: (mode: CompareMode) => void;
  readonly a: SideView;
  readonly b: SideView;
  /** B is the time right before A. */
  readonly before: boolean;
  /** null = B follows A again. */
  readonly onSide: (side: 'a' | 'b', range: RangeChoice | null, scope: Scope) => void;
  readonly onSwap: () => void;
  readonly entities: readonly Entity[];
}

/** The compared sides: one line for each where there is little room. */
export function CompareBar(props: CompareBarProps) {
  const { t } = useText();
  const { mode, onMode, before, onSwap, onSide, b } = props;
  const url: UrlSearch = useSearch({ strict: false });
  return (
    <>
      <Group gap="8px 12px">
        <Segmented
          label={t('compare.mode')}
          value={mode}
          options={COMPARE_MODES.map((value) => ({ value, label: t(MODE_LABELS[value]) }))}
          onChange={onMode}
        />
        <Side {...props} side="a" />
        {mode === 'periods' && (
          <Box component="span" visibleFrom="lg" className="small ink-3">
            {t('compare.with')}
          </Box>
        )}
        <Side {...props} side="b" />
        {mode === 'periods' && !before && (
          <Button kind="quiet" onClick={() => onSide('b', null, b.scope)}>
            {t('range.comparePrevious')}
          </Button>
        )}
        <Button square aria-label={t('compare.swap')} onClick={onSwap}>
          <Icon name="transfer" />
        </Button>
        <ViewsMenu path="/usage-analytics" search={url} />
      </Group>
      <SideChips {...props} side="a" />
      <SideChips {...props} side="b" />
    </>
  );
}

function Side(props: CompareBarProps & { readonly side: 'a' | 'b' }) {
  const { side, mode, before, onSide, entities } = props;
  const { scope, range } = props[side];
  const { t } = useText();
  const zone = useTimeZone();
  const [open, setOpen] = useState(false);
  const options = useScopeOptions(scope, zone, open, false);
  const name = side.toUpperCase();
  // A range derived from the other side stays so, whatever else is chosen.
  const kept = side === 'b' && before ? null : range;
  const chosen = entityIn(scope);
  return (
    <Group flex={{ base: '1 1 100%', sm: mode === 'periods' ? '1 1 auto' : '1 1 480px' }} miw={0} wrap="nowrap">
      <SeriesMark series={LOOKS[side]} />
      <b>{name}</b>
      {mode !== 'periods' && (
        <Select
          size="xs"
          flex="1 1 140px"
          miw={100}
          aria-label={t('compare.entity', { side: name })}
          placeholder={t('compare.choose')}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('filter.nothing')}
          data={entities.map(({ value, label }) => ({ value, label }))}
          value={chosen === null ? null : entityValue(chosen)}
          onChange={(value) => {
            const entity = entities.find((one) => one.value === value);
            if (entity !== undefined) onSide(side, kept, narrowed(scope, entity.narrowing));
          }}
        />
      )}
      <RangeButton rules={ANALYTICS_RANGES} value={range} label={name} onChange={(next) => onSide(side, next, scope)} />
      <ScopeFilters
        scope={scope}
        onChange={(next) => onSide(side, kept, next)}
        options={options}
        open={open}
        onOpen={setOpen}
        label={name}
      />
    </Group>
  );
}

function SideChips({ side, mode, before, onSide, ...props }: CompareBarProps & { readonly side: 'a' | 'b' }) {
  const { scope, range } = props[side];
  // The compared entity has its own control.
  const entity = mode === 'periods' ? null : entityIn(scope);
  const shown = entity === null ? scope : withoutEntity(scope);
  if (countScopeFilters(shown) === 0) return null;
  const kept = side === 'b' && before ? null : range;
  return (
    <Group>
      <b className="small">{side.toUpperCase()}</b>
      <ScopeChips
        scope={shown}
        onChange={(next) => onSide(side, kept, entity === null ? next : narrowed(next, entity))}
        options={{ selectors: undefined, waiting: false }}
      />
    </Group>
  );
}
