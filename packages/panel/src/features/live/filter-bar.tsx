import { Drawer, Popover } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTimeZone } from '../../app/preferences.ts';
import { type TextKey, useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Segmented, type SegmentedOption } from '../../ui/segmented.tsx';
import { fromInputValue, toInputValue } from '../../ui/time.ts';
import { countFilters, type LiveSearch } from './live-search.ts';
import { type RangeChoice, type RangeName, resolveRange } from './range.ts';

export const RANGE_LABELS = {
  '1h': 'range.1h',
  today: 'range.today',
  yesterday: 'range.yesterday',
  '24h': 'range.24h',
  '7d': 'range.7d',
  '14d': 'range.14d',
  '30d': 'range.30d',
  all: 'range.all',
  custom: 'range.custom',
} as const satisfies Record<RangeName, TextKey>;

const IN_BAR: readonly RangeName[] = ['1h', 'today', '24h', '7d', '30d', 'all'];
/** On a narrow screen the others are in the sheet. */
const NARROW: readonly RangeName[] = ['1h', 'today', '24h', '7d'];

interface FilterBarProps {
  readonly search: LiveSearch;
  readonly onChange: (next: LiveSearch, replace?: boolean) => void;
  readonly searchInput: RefObject<HTMLInputElement | null>;
  readonly menu: ReactNode;
  readonly onMenu: (open: boolean) => void;
  readonly menuOpen: boolean;
}

/** Range, search, filters: one line of controls. */
export function FilterBar({ search, onChange, searchInput, menu, onMenu, menuOpen }: FilterBarProps) {
  const { t } = useText();
  const narrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const count = countFilters(search) - (search.search === '' ? 0 : 1);
  const options: SegmentedOption<RangeName>[] = IN_BAR.map((name) => ({
    value: name,
    label: t(RANGE_LABELS[name]),
    wide: !NARROW.includes(name),
  }));
  const choose = (range: RangeChoice) => onChange({ ...search, range });
  const filterButton = (
    <Button aria-expanded={menuOpen} aria-haspopup="dialog" onClick={() => onMenu(!menuOpen)}>
      <Icon name={narrow ? 'filter' : 'plus'} />
      {count === 0 ? t('filter.open') : t('filter.openCount', { count })}
    </Button>
  );
  return (
    <search className="filter-bar">
      <Segmented
        label={t('range.label')}
        value={search.range.name}
        options={options}
        onChange={(name) => choose({ name, fromMs: null, toMs: null })}
      >
        <CustomRange search={search} onChoose={choose} />
      </Segmented>
      {narrow && filterButton}
      <SearchField search={search} onChange={onChange} input={searchInput} />
      {narrow ? (
        <Drawer
          opened={menuOpen}
          onClose={() => onMenu(false)}
          position="bottom"
          size="85%"
          title={t('filter.title')}
          classNames={{ content: 'sheet' }}
          closeButtonProps={{ 'aria-label': t('common.close') }}
          transitionProps={{ duration: 160 }}
        >
          <div style={{ display: 'flex', flexDirection: 'column', gap: 16 }}>
            <RangeForm search={search} onChoose={choose} all />
            {menu}
          </div>
        </Drawer>
      ) : (
        <Popover
          opened={menuOpen}
          onChange={onMenu}
          position="bottom-end"
          width={420}
          trapFocus
          returnFocus
          shadow="none"
          transitionProps={{ duration: 120 }}
        >
          <Popover.Target>{filterButton}</Popover.Target>
          <Popover.Dropdown className="padded" aria-label={t('filter.title')}>
            {/* Takes the first focus, so that no list of choices opens by itself. */}
            <h2 tabIndex={-1} data-autofocus style={{ marginBottom: 8 }}>
              {t('filter.title')}
            </h2>
            {menu}
          </Popover.Dropdown>
        </Popover>
      )}
    </search>
  );
}

/** Typing waits for a pause before it asks the server; Enter asks at once. */
const TYPING_PAUSE_MS = 350;

function SearchField({
  search,
  onChange,
  input,
}: Pick<FilterBarProps, 'search' | 'onChange'> & { readonly input: RefObject<HTMLInputElement | null> }) {
  const { t } = useText();
  const [text, setText] = useState(search.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(search.search);
  // Back, forward and Clear all change the address; typing that is under way stays.
  useEffect(() => {
    if (search.search === sent.current) return;
    sent.current = search.search;
    setText(search.search);
  }, [search.search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (value: string) => {
    clearTimeout(timer.current);
    if (value.trim() === sent.current) return;
    sent.current = value.trim();
    onChange({ ...search, search: value.trim() }, true);
  };
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(value), TYPING_PAUSE_MS);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') send(text);
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (text === '') event.currentTarget.blur();
    setText('');
    send('');
  };
  return (
    <div className="field filter-search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        value={text}
        placeholder={t('search.placeholder')}
        aria-label={t('search.label')}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      {text === '' ? (
        <kbd className="key-cap only-wide">/</kbd>
      ) : (
        <Button
          kind="quiet"
          square
          aria-label={t('search.clear')}
          onClick={() => {
            setText('');
            send('');
            input.current?.focus();
          }}
        >
          <Icon name="close" />
        </Button>
      )}
    </div>
  );
}

interface RangeProps {
  readonly search: LiveSearch;
  readonly onChoose: (range: RangeChoice) => void;
}

function CustomRange({ search, onChoose }: RangeProps) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const { name } = search.range;
  const own = !IN_BAR.includes(name);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      width={300}
      trapFocus
      returnFocus
      shadow="none"
      transitionProps={{ duration: 120 }}
    >
      <Popover.Target>
        <button
          type="button"
          className="only-wide"
          aria-pressed={own}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          {own ? t(RANGE_LABELS[name]) : t('range.custom')}
        </button>
      </Popover.Target>
      <Popover.Dropdown className="padded" aria-label={t('range.custom')}>
        <RangeForm
          search={search}
          onChoose={(range) => {
            setOpen(false);
            onChoose(range);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function RangeForm({ search, onChoose, all = false }: RangeProps & { readonly all?: boolean }) {
  const { t } = useText();
  const zone = useTimeZone();
  const [initial] = useState(() => resolveRange(search.range, Date.now(), zone));
  const [from, setFrom] = useState(() => toInputValue(Math.max(initial.fromMs, Date.now() - 30 * 86_400_000), zone));
  const [to, setTo] = useState(() => toInputValue(initial.toMs, zone));
  const fromMs = fromInputValue(from, zone);
  const toMs = fromInputValue(to, zone);
  const valid = fromMs !== null && toMs !== null && fromMs < toMs;
  const quick: readonly RangeName[] = all ? ['yesterday', '14d', '30d', 'all'] : ['yesterday', '14d'];
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: 12 }}>
      <Segmented
        label={t('range.label')}
        value={search.range.name}
        options={quick.map((name) => ({ value: name, label: t(RANGE_LABELS[name]) }))}
        onChange={(name) => onChoose({ name, fromMs: null, toMs: null })}
      />
      <label className="form-row small ink-2 medium">
        {t('range.from', { zone })}
        <span className="field">
          <input type="datetime-local" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        </span>
      </label>
      <label className="form-row small ink-2 medium">
        {t('range.to', { zone })}
        <span className="field">
          <input type="datetime-local" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
        </span>
      </label>
      {!valid && <span className="form-error">{t('range.invalid')}</span>}
      <Button disabled={!valid} onClick={() => onChoose({ name: 'custom', fromMs, toMs })}>
        {t('range.apply')}
      </Button>
    </div>
  );
}
