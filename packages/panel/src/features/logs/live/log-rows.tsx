import { useMergedRef } from '@mantine/hooks';
import {
  type CSSProperties,
  type MouseEvent,
  memo,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ROW_HEIGHTS, usePreferences } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { FoundText } from '../../../ui/logs/found-text.tsx';
import { useClientSize } from '../../../ui/logs/use-client-size.ts';
import { useLetterWidth } from '../../../ui/logs/use-letter-width.ts';
import { columnsOf, LOG_SIDE } from '../../../ui/logs/wrapping.ts';
import { fittingColumns } from '../../../ui/table/columns.ts';
import { gridColumns, ROLES } from '../../../ui/table/grid-rows.ts';
import { type ShownRow, toggled } from '../../../ui/table/rows.ts';
import { useRowFocus } from '../../../ui/table/use-row-focus.ts';
import { useVirtualRows } from '../../../ui/table/use-virtual-rows.ts';
import { usePhone } from '../../../ui/use-phone.ts';
import type { LogBuffer, LogEntry } from './log-buffer.ts';
import { type LineColumn, type LineContext, lineColumns, RequestLink, toneOf } from './log-columns.tsx';
import { drawnLines, gridHeight, rowAt, startsOf, textHeight } from './log-heights.ts';
import type { LogHead } from './log-line.ts';

const HEAD_HEIGHT = 28;
/** Closer to the end than this counts as the end, px. */
const AT_END = 24;
/** Closer to the start than this loads older lines, px. */
const NEAR_START = 200;
const LONG_PRESS_MS = 650;

interface LogRowsProps {
  readonly label: string;
  /** Those that pass the filters. */
  readonly entries: readonly LogEntry[];
  readonly divider: LogBuffer['divider'];
  readonly raw: boolean;
  readonly context: LineContext;
  /** Stays at the newest line. */
  readonly following: boolean;
  readonly onFollowing: (following: boolean) => void;
  /** The oldest lines are in view. */
  readonly onStart: () => void;
  readonly onCopy: (entry: LogEntry) => void;
}

interface LogRow {
  readonly id: number;
  /** null = the divider before the entry `id`. */
  readonly entry: LogEntry | null;
}

const NONE_OPEN: ReadonlySet<string> = new Set();

/** Lines of the log, newest last; only those in view are in the document, and the reader's place does not move. */
export const LogRows = memo(function LogRows(props: LogRowsProps) {
  const { entries, divider, context, following, onFollowing, onStart, onCopy } = props;
  const { t, masker } = context;
  const raw = usePhone() || props.raw;
  const { density, logWrap } = usePreferences();
  const wrap = usePhone() || logWrap;
  const oneLine = ROW_HEIGHTS[density];
  const box = useRef<HTMLElement>(null);
  const { ref: sized, width, height } = useClientSize();
  const ref = useMergedRef(box, sized);
  const table = useRef<HTMLTableElement>(null);
  const kept = useRef<string | null>(null);
  const letter = useLetterWidth();
  const [open, setOpen] = useState(NONE_OPEN);

  const rows = useMemo(() => toRows(entries, divider), [entries, divider]);
  const columnCount = Math.max(1, Math.floor((width - 2 * LOG_SIDE) / letter));
  const heights = useMemo(
    () =>
      rows.map(({ id, entry }) => {
        if (entry === null) return HEAD_HEIGHT;
        if (raw) return textHeight(drawnLines(entry, masker.log), wrap ? columnCount : null);
        return entry.lines.length === 1 ? oneLine : gridHeight(entry, open.has(String(id)), oneLine);
      }),
    [rows, raw, wrap, columnCount, open, oneLine, masker],
  );
  const starts = useMemo(() => startsOf(heights), [heights]);
  const longest = useMemo(() => {
    if (!raw || wrap) return 0;
    let most = 0;
    for (const { entry } of rows) {
      if (entry !== null) for (const line of drawnLines(entry, masker.log)) most = Math.max(most, columnsOf(line));
    }
    return most * letter + 2 * LOG_SIDE;
  }, [rows, raw, wrap, masker, letter]);
  const shownRows = useMemo(
    () => rows.map((row): ShownRow<LogRow> => ({ row, key: keyOf(row), depth: 0, foldable: false })),
    [rows],
  );
  /** Oldest row in view, and how much of it is above the view, px. */
  const place = useRef({ id: Number.NEGATIVE_INFINITY, above: 0 });
  const placeNow = (): number | null => {
    if (following) return Number.POSITIVE_INFINITY;
    const index = rows.findIndex(({ id }) => id >= place.current.id);
    const exact = rows[index]?.id === place.current.id;
    return index < 0 ? null : (starts[index] ?? 0) + (exact ? place.current.above : 0);
  };
  const settled = useRef<{ readonly rows: readonly LogRow[]; readonly starts: Float64Array } | null>(null);
  const isMoving = rows.length > 0 && (settled.current?.rows !== rows || settled.current.starts !== starts);
  const virtual = useVirtualRows({
    count: width === 0 ? 0 : rows.length,
    scroller: () => box.current,
    rowHeight: useCallback((index: number) => heights[index] ?? oneLine, [heights, oneLine]),
    // biome-ignore lint/correctness/useExhaustiveDependencies: other heights are other positions.
    rowKey: useCallback((index: number) => shownRows[index]?.key ?? String(index), [shownRows, heights]),
    headHeight: raw ? 0 : HEAD_HEIGHT,
    movingTo: isMoving ? placeNow() : null,
  });
  const fold = (id: number) => setOpen((before) => toggled(before, String(id)));
  const { rowProps } = useRowFocus<LogRow>(
    {
      keys: true,
      kept,
      onOpen: ({ id, entry }) => {
        if (!raw && entry !== null && entry.lines.length > 1) fold(id);
      },
    },
    shownRows,
    virtual,
    table,
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another size moves the end.
  useLayoutEffect(() => {
    settled.current = { rows, starts };
    const to = rows.length === 0 ? null : placeNow();
    if (to !== null) virtual.moveTo(to);
  }, [rows, starts, following, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows.
  useEffect(() => {
    if (box.current !== null && height > 0 && box.current.scrollTop < NEAR_START) onStart();
  }, [rows, height, onStart]);
  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const index = rowAt(starts, scrollTop);
    place.current = { id: rows[index]?.id ?? 0, above: scrollTop - (starts[index] ?? 0) };
    const atEnd = scrollHeight - scrollTop - clientHeight < AT_END;
    if (atEnd !== following) onFollowing(atEnd);
    if (scrollTop < NEAR_START) onStart();
  };

  const entryAt = (target: EventTarget) => {
    const key = target instanceof Element ? target.closest('[data-row]')?.getAttribute('data-row') : null;
    return rows.find((row) => keyOf(row) === key)?.entry ?? null;
  };
  const press = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(press.current), []);
  const onPointerDown = (event: PointerEvent) => {
    clearTimeout(press.current);
    const entry = event.pointerType === 'mouse' ? null : entryAt(event.target);
    if (entry !== null) press.current = setTimeout(() => onCopy(entry), LONG_PRESS_MS);
  };
  const release = () => clearTimeout(press.current);
  const onDoubleClick = (event: MouseEvent) => {
    const entry = entryAt(event.target);
    if (entry !== null) onCopy(entry);
  };

  const columns = useMemo(() => fittingColumns(lineColumns(context), width), [context, width]);
  const style = {
    '--columns': raw ? 'minmax(0, 1fr)' : gridColumns(columns),
    ...(longest === 0 ? {} : { minWidth: longest }),
  } as CSSProperties;
  return (
    <section
      className="log-box"
      ref={ref}
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
      tabIndex={0}
      onScroll={onScroll}
      onDoubleClick={onDoubleClick}
      onPointerDown={onPointerDown}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerMove={(event) => {
        if (Math.abs(event.movementX) + Math.abs(event.movementY) > 4) release();
      }}
    >
      <table
        ref={table}
        className="data virtual log-table"
        {...ROLES.table}
        style={style}
        data-wrap={wrap}
        aria-label={props.label}
        aria-rowcount={rows.length + (raw ? 0 : 1)}
      >
        {!raw && (
          <thead {...ROLES.group}>
            <tr {...ROLES.row} aria-rowindex={1}>
              {columns.map((column) => (
                <th
                  key={column.id}
                  {...ROLES.head}
                  scope="col"
                  className={column.right ? 'right' : undefined}
                  title={column.hint ?? column.label}
                >
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody {...ROLES.group} className="rows" {...virtual.holder}>
          {virtual.items.map(({ index, key, style: place }) => {
            const shownRow = shownRows[index];
            if (shownRow === undefined) return null;
            const { entry, id } = shownRow.row;
            const own = { ...ROLES.row, 'aria-rowindex': index + (raw ? 1 : 2), style: place, ...rowProps(shownRow) };
            if (entry === null) {
              return (
                <tr key={key} {...own} className="log-divider">
                  <td {...ROLES.cell} className="log-alone" aria-colspan={raw ? 1 : columns.length}>
                    {t(divider?.kind === 'skipped' ? 'logs.skipped' : 'logs.restarted')}
                  </td>
                </tr>
              );
            }
            const tone = toneOf(entry.head);
            const isOpen = open.has(String(id));
            const more = entry.lines.length - 1;
            return (
              <tr key={key} {...own} {...(tone === null ? {} : { 'data-tone': tone })}>
                {raw ? (
                  <td {...ROLES.cell} className="log-raw">
                    <RawText entry={entry} context={context} />
                  </td>
                ) : entry.head === null ? (
                  <td {...ROLES.cell} className="ink-3" style={{ gridColumn: '1 / -1' }} aria-colspan={columns.length}>
                    {more > 0 && <Fold open={isOpen} more={more} onFold={() => fold(id)} context={context} />}
                    <FoundText text={drawnLines(entry, masker.log)[0] ?? ''} found={context.found} />
                  </td>
                ) : (
                  cellsOf(entry.head, columns).map(({ column, span }) => (
                    <td
                      key={column.id}
                      {...ROLES.cell}
                      className={column.right ? 'right' : undefined}
                      title={entry.head === null ? undefined : column.title?.(entry.head)}
                      {...(span > 1 ? { 'aria-colspan': span, style: { gridColumn: `span ${span}` } } : {})}
                    >
                      {column.id === 'message' && more > 0 && (
                        <Fold open={isOpen} more={more} onFold={() => fold(id)} context={context} />
                      )}
                      {entry.head !== null && column.cell(entry.head)}
                    </td>
                  ))
                )}
                {!raw && isOpen && more > 0 && (
                  <td {...ROLES.cell} className="log-more">
                    <FoundText text={drawnLines(entry, masker.log).slice(1).join('\n')} found={context.found} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
});

/** Cells of a line: a message takes the room of what only requests have. */
function cellsOf(
  { access }: LogHead,
  columns: readonly LineColumn[],
): readonly { readonly column: LineColumn; readonly span: number }[] {
  if (access !== null) return columns.map((column) => ({ column, span: 1 }));
  const free = columns.filter(({ id }) => id === 'latency' || id === 'ip').length;
  return columns
    .filter(({ id }) => id !== 'latency' && id !== 'ip')
    .map((column) => ({ column, span: column.id === 'message' ? 1 + free : 1 }));
}

const keyOf = ({ id, entry }: LogRow): string => (entry === null ? 'divider' : String(id));

/** Entries with the divider before the first one that is after it. */
function toRows(entries: readonly LogEntry[], divider: LogBuffer['divider']): readonly LogRow[] {
  const rows: LogRow[] = entries.map((entry) => ({ id: entry.id, entry }));
  if (divider === null) return rows;
  const at = rows.findIndex(({ id }) => id >= divider.before);
  rows.splice(at < 0 ? rows.length : at, 0, { id: divider.before - 0.5, entry: null });
  return rows;
}

function Fold({
  open,
  more,
  onFold,
  context,
}: {
  readonly open: boolean;
  readonly more: number;
  readonly onFold: () => void;
  readonly context: LineContext;
}) {
  return (
    <Button
      kind="quiet"
      className="log-fold"
      aria-expanded={open}
      aria-label={context.t('logs.moreLines', { count: more })}
      title={context.t('logs.moreLines', { count: more })}
      onClick={onFold}
    >
      <Icon name={open ? 'chevronDown' : 'chevronRight'} />+{more}
    </Button>
  );
}

/** An entry as it is written; the id of its request is a link. */
function RawText({ entry, context }: { readonly entry: LogEntry; readonly context: LineContext }) {
  const text = drawnLines(entry, context.masker.log).join('\n');
  const id = entry.head?.requestId ?? '';
  const before = `[${entry.head?.stamp ?? ''}] [`;
  if (id === '' || !text.startsWith(`${before}${id}]`)) return <FoundText text={text} found={context.found} />;
  return (
    <>
      {before}
      <RequestLink id={id} stamp={entry.head?.stamp ?? ''} context={context} />
      <FoundText text={text.slice(before.length + id.length)} found={context.found} />
    </>
  );
}
