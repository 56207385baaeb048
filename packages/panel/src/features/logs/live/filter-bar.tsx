import { Drawer, MultiSelect, Popover, Stack, Switch, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { type FilterChip, FilterChips } from '../../../ui/controls/filter-chips.tsx';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { usePhone } from '../../../ui/use-phone.ts';
import { DEFAULT_LOGS_SEARCH, type LogsSearch } from '../logs-search.ts';
import { LEVELS, METHODS, STATUS_CLASSES } from './log-filter.ts';

interface FilterProps {
  readonly search: LogsSearch;
  readonly onChange: (next: Partial<LogsSearch>, replace?: boolean) => void;
}

interface FilterBarProps extends FilterProps {
  /** The search, in the address or not. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly input: RefObject<HTMLInputElement | null>;
  /** On narrow screens, whose header has no room for it. */
  readonly refresh: ReactNode;
}

/** Search and filters in one line, and every active filter below. */
export function LiveFilterBar({ search, onChange, text, onText, input, refresh }: FilterBarProps) {
  const { t } = useText();
  const narrow = usePhone();
  const [open, setOpen] = useState(false);
  const chips = useChips({ search, onChange });
  const button = (
    <Button aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)}>
      <Icon name={narrow ? 'filter' : 'plus'} />
      {chips.length === 0 ? t('filter.open') : t('filter.openCount', { count: chips.length })}
    </Button>
  );
  return (
    <>
      <search className="filter-bar">
        <SearchField value={text} onChange={onText} placeholder={t('logs.search')} input={input} />
        {narrow ? (
          <>
            {button}
            <Drawer
              opened={open}
              onClose={() => setOpen(false)}
              position="bottom"
              size="85%"
              title={t('filter.title')}
              closeButtonProps={{ 'aria-label': t('common.close') }}
            >
              <Stack>
                {refresh}
                <FilterFields search={search} onChange={onChange} />
              </Stack>
            </Drawer>
          </>
        ) : (
          <Popover opened={open} onChange={setOpen} position="bottom-end" width={360} trapFocus returnFocus>
            <Popover.Target>{button}</Popover.Target>
            <Popover.Dropdown aria-label={t('filter.title')}>
              {/* Takes the first focus, so that no list of choices opens automatically. */}
              <h2 tabIndex={-1} data-autofocus style={{ marginBottom: 8 }}>
                {t('filter.title')}
              </h2>
              <FilterFields search={search} onChange={onChange} />
            </Popover.Dropdown>
          </Popover>
        )}
      </search>
      <FilterChips
        chips={chips}
        onClear={
          chips.length === 0
            ? null
            : () => onChange({ levels: [], methods: [], statusClasses: [], path: '', hideManagement: false })
        }
      />
    </>
  );
}

function FilterFields({ search, onChange }: FilterProps) {
  const { t } = useText();
  const lists = {
    size: 'sm',
    clearable: true,
    comboboxProps: { withinPortal: false },
    maxDropdownHeight: 220,
  } as const;
  const any = (values: readonly string[]) => (values.length === 0 ? t('filter.any') : '');
  return (
    <Stack>
      <MultiSelect
        {...lists}
        label={t('logs.level')}
        placeholder={any(search.levels)}
        data={[...LEVELS]}
        value={[...search.levels]}
        onChange={(levels) => onChange({ levels })}
      />
      <MultiSelect
        {...lists}
        label={t('logs.statusClass')}
        placeholder={any(search.statusClasses)}
        data={[...STATUS_CLASSES]}
        value={[...search.statusClasses]}
        onChange={(statusClasses) => onChange({ statusClasses })}
      />
      <MultiSelect
        {...lists}
        label={t('logs.method')}
        placeholder={any(search.methods)}
        data={[...METHODS]}
        value={[...search.methods]}
        onChange={(methods) => onChange({ methods })}
      />
      <PathField path={search.path} onChange={(path) => onChange({ path }, true)} />
      <Switch
        checked={search.hideManagement}
        label={t('logs.hideManagement')}
        description={t('logs.hideManagementHint')}
        onChange={(event) => onChange({ hideManagement: event.currentTarget.checked })}
      />
    </Stack>
  );
}

/** Typing takes effect after this pause, ms. */
const TYPING_PAUSE_MS = 350;

function PathField({ path, onChange }: { readonly path: string; readonly onChange: (path: string) => void }) {
  const { t } = useText();
  const [typed, setTyped] = useState(path);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextInput
      size="sm"
      label={t('logs.path')}
      placeholder="/v1/"
      value={typed}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(next.trim()), TYPING_PAUSE_MS);
      }}
    />
  );
}

function useChips({ search, onChange }: FilterProps): readonly FilterChip[] {
  const { t } = useText();
  const list = (name: 'levels' | 'statusClasses' | 'methods', label: string): readonly FilterChip[] =>
    search[name].length === 0
      ? []
      : [{ key: name, label: `${label}: ${search[name].join(', ')}`, onRemove: () => onChange({ [name]: [] }) }];
  return [
    ...list('levels', t('logs.level')),
    ...list('statusClasses', t('logs.statusClass')),
    ...list('methods', t('logs.method')),
    ...(search.path === ''
      ? []
      : [{ key: 'path', label: `${t('logs.path')}: ${search.path}`, onRemove: () => onChange({ path: '' }) }]),
    ...(search.hideManagement
      ? [{ key: 'management', label: t('logs.withoutManagement'), onRemove: () => onChange({ hideManagement: false }) }]
      : []),
  ];
}

/** The filters that show every line. */
export const NO_LOG_FILTER = { ...DEFAULT_LOGS_SEARCH, hideManagement: false };
