import type { FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { Group, MultiSelect, Stack, TagsInput } from '@mantine/core';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import {
  type CacheFilter,
  type ListFilter,
  type RequestFilters,
  type StatusFilter,
  setListFilter,
} from '../../platform/requests/request-filters.ts';
import { fitsRange, type NumberRange } from '../../platform/wording/number-range.ts';
import { NumberField } from '../controls/number-field.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { EntityFilters, type EntityFiltersProps, union } from './entity-filters.tsx';

const LATENCY_RANGE: NumberRange = { least: 0 };

interface FilterMenuProps<S extends RequestFilters> extends EntityFiltersProps<S> {
  /** The rarer filters; absent = the page has none of them. */
  readonly rare?: {
    /** undefined = not loaded. */
    readonly options: FilterOptions | undefined;
    readonly open: boolean;
    readonly onOpen: (open: boolean) => void;
  };
}

const PRESET_LATENCIES_MS: readonly number[] = [0, 3_000, 10_000, 30_000];

export function FilterMenu<S extends RequestFilters>(props: FilterMenuProps<S>) {
  const { search, onChange, rare } = props;
  const { t } = useText();
  const preset = PRESET_LATENCIES_MS.includes(search.minLatencyMs);
  return (
    <Stack>
      <EntityFilters {...props} />
      <div className="form-row">
        <span className="medium">{t('filter.status')}</span>
        <Segmented<StatusFilter>
          label={t('filter.status')}
          value={search.status}
          options={[
            { value: 'all', label: t('filter.all') },
            { value: 'success', label: t('filter.succeeded') },
            { value: 'failed', label: t('filter.failed') },
          ]}
          onChange={(status) => onChange({ ...search, status })}
        />
      </div>
      <div className="form-row">
        <span className="medium">{t('filter.latency')}</span>
        <Group component="span">
          <Segmented
            label={t('filter.latency')}
            value={preset ? String(search.minLatencyMs) : null}
            options={[
              { value: '0', label: t('filter.any') },
              { value: '3000', label: '3 s' },
              { value: '10000', label: '10 s' },
              { value: '30000', label: '30 s' },
            ]}
            onChange={(value) => onChange({ ...search, minLatencyMs: Number(value) })}
          />
          <NumberField
            aria-label={t('filter.latencyCustom')}
            placeholder={t('filter.latencyCustom')}
            range={LATENCY_RANGE}
            optional
            unit="ms"
            style={{ width: 120 }}
            value={preset ? null : search.minLatencyMs}
            onChange={(value) => {
              // An emptied field filters nothing.
              const ms = Number.isNaN(value) ? 0 : value;
              if (!fitsRange(ms, LATENCY_RANGE)) return;
              if (ms !== search.minLatencyMs && !(ms === 0 && preset)) onChange({ ...search, minLatencyMs: ms });
            }}
          />
        </Group>
      </div>
      <div className="form-row">
        <span className="medium">{t('filter.cache')}</span>
        <Segmented<CacheFilter>
          label={t('filter.cache')}
          value={search.cache}
          options={[
            { value: '', label: t('filter.any') },
            { value: 'hit', label: t('cache.hit') },
            { value: 'miss', label: t('cache.miss') },
            { value: 'read', label: t('cache.read') },
            { value: 'creation', label: t('cache.creation') },
          ]}
          onChange={(cache) => onChange({ ...search, cache })}
        />
      </div>
      {rare !== undefined && (
        <details open={rare.open} onToggle={(event) => rare.onOpen(event.currentTarget.open)}>
          <summary className="link">{t('filter.more')}</summary>
          {rare.open && (
            <Stack>
              <RareFilters {...props} />
            </Stack>
          )}
        </details>
      )}
    </Stack>
  );
}

const RARE = [
  ['auth_file', 'filter.file', 'auth_files'],
  ['auth_index', 'filter.authIndex', null],
  ['project_id', 'filter.project', 'project_ids'],
  ['request_type', 'filter.requestType', 'request_types'],
  ['error_kind', 'filter.errorKind', 'header_error_kinds'],
  ['error_code', 'filter.errorCode', 'header_error_codes'],
  ['quota_plan', 'filter.quotaPlan', 'header_quota_plans'],
  ['header_trace_id', 'filter.trace', null],
] as const satisfies readonly (readonly [ListFilter, TextKey, keyof FilterOptions | null])[];

/** Hidden while the range has no value of them. */
const HIDDEN_WHEN_EMPTY: readonly ListFilter[] = ['project_id', 'request_type'];

/** Filters of single accounts, answers and traces. Identifying values are masked in the lists. */
function RareFilters<S extends RequestFilters>({ search, onChange, selectors, rare, masker }: FilterMenuProps<S>) {
  const { t } = useText();
  const label = (name: ListFilter, value: string): string => {
    if (name === 'auth_file') return masker.file(value);
    return name === 'project_id' ? masker.project(value) : value;
  };
  return (
    <>
      {RARE.map(([name, key, member]) => {
        const chosen = search.lists[name];
        const list = member === null ? undefined : (rare?.options?.[member] ?? selectors?.[member]);
        const offered = Array.isArray(list) ? list.filter((value) => typeof value === 'string') : [];
        if (offered.length === 0 && chosen.length === 0 && HIDDEN_WHEN_EMPTY.includes(name)) return null;
        const shared = {
          size: 'sm',
          clearable: true,
          comboboxProps: { withinPortal: false },
          maxDropdownHeight: 180,
          label: t(key),
          placeholder: chosen.length === 0 ? t('filter.any') : '',
          onChange: (values: string[]) => onChange(setListFilter(search, name, values)),
        } as const;
        if (member === null) return <TagsInput key={name} {...shared} value={[...chosen]} />;
        return (
          <MultiSelect
            key={name}
            {...shared}
            searchable
            nothingFoundMessage={t('filter.nothing')}
            data={union(chosen, offered).map((value) => ({ value, label: label(name, value) }))}
            value={[...chosen]}
          />
        );
      })}
    </>
  );
}
