import { Input } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { setPreferences, usePreferences } from '../../platform/preferences/preferences.ts';
import { Button } from '../controls/button.tsx';
import { useCopied } from '../controls/copy.tsx';
import { Icon } from '../icons.tsx';
import { saveFile } from '../table/export.ts';
import { useVirtualRows } from '../table/use-virtual-rows.ts';
import { FoundText } from './found-text.tsx';
import { findRows, type TextRow, textRows } from './text-rows.ts';
import { useClientSize } from './use-client-size.ts';
import { useLetterWidth } from './use-letter-width.ts';
import { columnsOf, drawnLine, LOG_LINE_HEIGHT, LOG_SIDE, rowsOf } from './wrapping.ts';

/** A log file in place: search, wrap, copy, and save. Masked as everything on screen, in copies and files too. */
export function LogText({
  text,
  label,
  fileName,
  actions,
}: {
  readonly text: string;
  readonly label: string;
  readonly fileName: string;
  /** Left of the buttons below the text. */
  readonly actions?: ReactNode;
}) {
  const { t } = useText();
  const masker = useMasker();
  const { logWrap } = usePreferences();
  const [copied, copy] = useCopied();
  const [search, setSearch] = useState('');
  const [place, setPlace] = useState(0);
  const masked = useMemo(() => masker.log(text), [masker, text]);
  const box = useRef<HTMLDivElement>(null);
  const { ref: sized, width } = useClientSize();
  const letter = useLetterWidth();
  const columns = Math.max(1, Math.floor((width - 2 * LOG_SIDE) / letter));
  const rows = useMemo(() => textRows(masked, logWrap ? columns : null), [masked, logWrap, columns]);
  const found = useMemo(() => findRows(rows, search), [rows, search]);
  const reveal = useRef<(index: number) => void>(() => {});
  const go = (next: number) => {
    if (found.length === 0) return;
    const index = (next + found.length) % found.length;
    setPlace(index);
    reveal.current(found[index] ?? 0);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      go(place + (event.shiftKey ? -1 : 1));
    }
    if (event.key === 'Escape' && search !== '') {
      event.stopPropagation();
      event.preventDefault();
      setSearch('');
    }
  };
  return (
    <div className="log-text">
      <p className="small ink-2 log-part">{masker.on ? t('log.masked') : t('log.unmasked')}</p>
      <div className="row log-part">
        <Input
          withAria={false}
          size="xs"
          className="filter-search"
          type="search"
          value={search}
          placeholder={t('log.search')}
          aria-label={t('log.search')}
          autoComplete="off"
          spellCheck={false}
          leftSection={<Icon name="search" />}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setSearch(next);
            setPlace(0);
            const [first] = findRows(rows, next);
            if (first !== undefined) reveal.current(first);
          }}
          onKeyDown={onKey}
        />
        {search !== '' && (
          <>
            <span className="small ink-2 nowrap" role="status">
              {found.length === 0
                ? t('log.notFound')
                : t('log.place', { place: formatCount(place + 1), count: formatCount(found.length) })}
            </span>
            <Button
              kind="quiet"
              square
              aria-label={t('log.previous')}
              disabled={found.length === 0}
              onClick={() => go(place - 1)}
            >
              <Icon name="arrowUp" />
            </Button>
            <Button
              kind="quiet"
              square
              aria-label={t('log.next')}
              disabled={found.length === 0}
              onClick={() => go(place + 1)}
            >
              <Icon name="arrowDown" />
            </Button>
          </>
        )}
        <Button aria-pressed={logWrap} onClick={() => setPreferences({ logWrap: !logWrap })}>
          {t('log.wrap')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it. */}
      <section className="log-box" ref={useMergedRef(box, sized)} tabIndex={0} aria-label={label} data-wrap={logWrap}>
        {width > 0 && (
          <Rows
            box={box}
            rows={rows}
            columns={logWrap ? columns : null}
            letter={letter}
            search={search}
            current={found[place] ?? -1}
            reveal={reveal}
          />
        )}
      </section>
      <div className="drawer-foot">
        {actions}
        <span className="spacer" />
        <Button onClick={() => saveFile(fileName, 'text/plain;charset=utf-8', masked)}>{t('log.save')}</Button>
        <Button onClick={() => copy(masked)}>{copied ? t('common.copied') : t('log.copy')}</Button>
      </div>
    </div>
  );
}

function Rows({
  box,
  rows,
  columns,
  letter,
  search,
  current,
  reveal,
}: {
  /** The element that scrolls them. */
  readonly box: RefObject<HTMLElement | null>;
  readonly rows: readonly TextRow[];
  /** Letters per line; null = lines do not break. */
  readonly columns: number | null;
  readonly letter: number;
  readonly search: string;
  readonly current: number;
  readonly reveal: { current: (index: number) => void };
}) {
  const drawn = useMemo(() => rows.map(({ text }) => drawnLine(text)), [rows]);
  const longest = useMemo(
    () => (columns === null ? drawn.reduce((most, row) => Math.max(most, columnsOf(row)), 0) : 0),
    [drawn, columns],
  );
  const heights = useMemo(
    () => drawn.map((row) => (columns === null ? 1 : rowsOf(row, columns)) * LOG_LINE_HEIGHT),
    [drawn, columns],
  );
  const virtual = useVirtualRows({
    count: drawn.length,
    scroller: () => box.current,
    rowHeight: useCallback((index: number) => heights[index] ?? LOG_LINE_HEIGHT, [heights]),
    // biome-ignore lint/correctness/useExhaustiveDependencies: other heights are other positions.
    rowKey: useCallback((index: number) => String(index), [heights]),
    headHeight: 0,
  });
  reveal.current = virtual.reveal;
  return (
    <div
      className="log-rows log-font"
      {...virtual.holder}
      style={{ ...virtual.holder.style, minWidth: longest === 0 ? undefined : longest * letter + 2 * LOG_SIDE }}
    >
      {virtual.items.map(({ index, key, style }) => (
        <div key={key} data-row={key} style={style} {...(index === current ? { 'data-current': '' } : {})}>
          <FoundText text={drawn[index] ?? ''} found={search} />
        </div>
      ))}
    </div>
  );
}
