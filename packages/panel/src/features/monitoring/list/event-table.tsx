import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { useElementSize } from '@mantine/hooks';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { formatCompact, NONE } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { hourAndMinute, shortDate, shortTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { eventNames, requestedModel } from '../../../platform/requests/event-view.ts';
import { usePricing } from '../../../platform/requests/use-pricing.ts';
import { DotsIcon } from '../../../ui/icons.tsx';
import { gridColumns, ROLES } from '../../../ui/table/grid-rows.ts';
import { RowLink, rowClicks } from '../../../ui/table/row-link.tsx';
import { useVirtualRows } from '../../../ui/table/use-virtual-rows.ts';
import { eventAddress } from '../event-address.ts';
import { type Column, type ColumnId, TWO_LINE_WIDTH, visibleColumns } from './columns.ts';
import { Cause, type CellContext, cellTitle, costText, Elapsed, EventStatus, eventCell } from './event-cells.tsx';
import type { DisplayEntry } from './event-list.ts';
import { runningOf } from './running.ts';

const LIST_ROW_HEIGHT = 57;

interface EventTableProps {
  readonly entries: readonly DisplayEntry[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly context: CellContext;
  readonly fresh: ReadonlySet<string>;
  /** Row to scroll into view; a new object repeats it. */
  readonly reveal: { readonly hash: string } | null;
  readonly openHash: string | null;
  /** Row under the keyboard. */
  readonly activeHash: string | null;
  readonly onOpen: (event: EventRow) => void;
  readonly onActive: (event: EventRow) => void;
  readonly onLoadGap: (segment: number) => void;
  readonly gapBusy: number | null;
  /** Rows near the end scrolled into view. */
  readonly onEnd: () => void;
  readonly rowCount: number;
  /** undefined = the default ones. */
  readonly columns: readonly ColumnId[] | undefined;
  /** px */
  readonly rowHeight: number;
}

/** Rows of requests; only visible ones are in the document. Narrow tables become lists of two-line rows. */
export function EventTable(props: EventTableProps) {
  const { ref, width } = useElementSize();
  return (
    <div ref={ref}>
      {width > 0 && (width < TWO_LINE_WIDTH ? <EventRows {...props} /> : <EventGrid {...props} width={width} />)}
    </div>
  );
}

function useRows(props: EventTableProps, rowHeight: number) {
  const { entries, scroller, onEnd, reveal } = props;
  const virtual = useVirtualRows({
    count: entries.length,
    scroller: () => scroller.current,
    rowHeight: () => rowHeight,
    rowKey: useCallback(
      (index: number) => {
        const entry = entries[index];
        return entry?.kind === 'row' ? entry.row.event_hash : `gap-${index}`;
      },
      [entries],
    ),
    headHeight: rowHeight + 4,
    onEnd,
  });
  // Only keyboard steps scroll: a row focused by a click must stay under the pointer.
  const revealed = useRef(reveal);
  useEffect(() => {
    if (reveal === revealed.current) return;
    revealed.current = reveal;
    const index = entries.findIndex((entry) => entry.kind === 'row' && entry.row.event_hash === reveal?.hash);
    if (index >= 0) virtual.reveal(index);
  });
  return {
    ...virtual,
    tabHash: tabStop(
      props,
      virtual.items.map((item) => item.index),
    ),
  };
}

/** One row is in the tab order: the one under the keyboard, else the first in view. */
function tabStop({ entries, activeHash }: EventTableProps, indexes: readonly number[]): string | undefined {
  const inView = indexes.flatMap((index) => {
    const entry = entries[index];
    return entry?.kind === 'row' ? [entry.row.event_hash] : [];
  });
  return inView.find((hash) => hash === activeHash) ?? inView[0];
}

interface RowState extends Pick<EventTableProps, 'onOpen' | 'onActive'> {
  readonly event: EventRow;
  readonly isTabStop: boolean;
  readonly isOpen: boolean;
  readonly isFresh: boolean;
}

function rowState(props: EventTableProps, event: EventRow, tabHash: string | undefined): RowState {
  return {
    event,
    isTabStop: event.event_hash === tabHash,
    isOpen: event.event_hash === props.openHash,
    isFresh: props.fresh.has(event.event_hash),
    onOpen: props.onOpen,
    onActive: props.onActive,
  };
}

function rowProps({ event, isTabStop, isOpen, isFresh, onOpen, onActive }: RowState) {
  return {
    'data-row': event.event_hash,
    tabIndex: isTabStop ? 0 : -1,
    'aria-current': isOpen,
    className: isFresh ? 'new-row' : undefined,
    ...rowClicks(
      () => eventAddress(event),
      () => onOpen(event),
    ),
    onFocus: () => onActive(event),
    onKeyDown: (key: KeyboardEvent) => {
      if (key.key !== 'Enter' && key.key !== ' ') return;
      key.preventDefault();
      onOpen(event);
    },
  };
}

function EventGrid(props: EventTableProps & { readonly width: number }) {
  const { t } = useText();
  const { entries, width, rowHeight } = props;
  const columns = useMemo(
    () => visibleColumns(width, props.context.dated, props.columns),
    [width, props.context.dated, props.columns],
  );
  const pricing = usePricing(columns.some((column) => column.id === 'cost')).data;
  const counts = columns.some((column) => column.id === 'pattern' || column.id === 'running');
  const running = useMemo(
    () => (counts ? runningOf(entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row] : []))) : undefined),
    [counts, entries],
  );
  const context = useMemo(() => ({ ...props.context, pricing, running }), [props.context, pricing, running]);
  const { holder, items, tabHash } = useRows(props, rowHeight);
  return (
    <table
      className="data virtual"
      {...ROLES.table}
      style={{ '--columns': gridColumns(columns) } as CSSProperties}
      aria-rowcount={props.rowCount + 1}
      aria-label={t('table.label')}
    >
      <thead {...ROLES.group}>
        <tr {...ROLES.row} aria-rowindex={1}>
          {columns.map((column) => (
            <th
              key={column.id}
              {...ROLES.head}
              scope="col"
              className={column.right ? 'right' : undefined}
              title={t(column.label)}
            >
              {t(column.label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.group} className="rows" {...holder}>
        {items.map((item) => {
          const entry = props.entries[item.index];
          if (entry === undefined) return null;
          return entry.kind === 'gap' ? (
            <tr key={item.key} {...ROLES.row} className="gap-row" aria-rowindex={item.index + 2} style={item.style}>
              <td {...ROLES.cell} colSpan={columns.length}>
                <Gap entry={entry} {...props} />
              </td>
            </tr>
          ) : (
            <GridRow
              key={item.key}
              {...rowState(props, entry.row, tabHash)}
              rowIndex={item.index + 2}
              columns={columns}
              context={context}
              top={Number(item.style.top)}
              height={rowHeight}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface GridRowProps extends RowState {
  readonly rowIndex: number;
  readonly columns: readonly Column[];
  readonly context: CellContext;
  /** px */
  readonly top: number;
  /** px */
  readonly height: number;
}

/** Scrolling renders the table for each frame; rows that stay in view are memoized. */
const GridRow = memo(function GridRow({ rowIndex, columns, context, top, height, ...state }: GridRowProps) {
  return (
    <tr {...ROLES.row} aria-rowindex={rowIndex} style={{ top, height }} {...rowProps(state)}>
      {columns.map((column, position) => (
        <Cell key={column.id} column={column} event={state.event} context={context} isLink={position === 0} />
      ))}
    </tr>
  );
});

/** Numbers, times and states fit their columns. */
function cellClass({ id, right }: Column): string | undefined {
  if (right === true) return 'right fits';
  return id === 'time' || id === 'status' ? 'fits' : undefined;
}

function Cell({
  column,
  event,
  context,
  isLink,
}: {
  readonly column: Column;
  readonly event: EventRow;
  readonly context: CellContext;
  readonly isLink: boolean;
}) {
  return (
    <td {...ROLES.cell} className={cellClass(column)} title={cellTitle(column.id, event, context)}>
      <RowLink href={isLink ? eventAddress(event) : null}>{eventCell(column.id, event, context)}</RowLink>
    </td>
  );
}

function EventRows(props: EventTableProps) {
  const { t } = useText();
  const { holder, items, tabHash } = useRows(props, LIST_ROW_HEIGHT);
  const { context } = props;
  const pricing = usePricing(true).data;
  return (
    <ul className="rows" aria-label={t('table.label')} {...holder}>
      {items.map((item) => {
        const entry = props.entries[item.index];
        if (entry === undefined) return null;
        if (entry.kind === 'gap') {
          return (
            <li
              key={item.key}
              className="list-item list-row"
              style={{ ...item.style, display: 'flex', alignItems: 'center', background: 'var(--sunken)' }}
            >
              <Gap entry={entry} {...props} />
            </li>
          );
        }
        const event = entry.row;
        const { className, ...rest } = rowProps(rowState(props, event, tabHash));
        const classes = ['list-row', className, context.dated ? 'dated' : undefined];
        return (
          <li key={item.key} className="list-item" style={item.style}>
            <a href={eventAddress(event)} {...rest} className={[...classes, 'row-link'].filter(Boolean).join(' ')}>
              <span className="ink-2">
                {context.dated
                  ? `${shortDate(event.timestamp_ms, context.zone, context.locale)} ${hourAndMinute(event.timestamp_ms, context.zone)}`
                  : eventCell('time', event, context)}
                <br />
                <EventStatus event={event} />
              </span>
              <span className="ellipsis">
                {shown(requestedModel(event)) || NONE}
                <br />
                <span className="second-line">
                  {eventNames(event, context.keyNames, context.masker).account || NONE}
                </span>
              </span>
              <span style={{ textAlign: 'right' }}>
                <Elapsed ms={event.latency_ms} />
                <br />
                <span className="second-line">
                  {event.failed ? (
                    <Cause event={event} />
                  ) : event.total_tokens > 0 ? (
                    [t('event.tokensShort', { tokens: formatCompact(event.total_tokens) }), costText(event, pricing)]
                      .filter((part) => part !== null)
                      .join(' · ')
                  ) : (
                    NONE
                  )}
                </span>
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Gap({
  entry,
  context,
  onLoadGap,
  gapBusy,
}: EventTableProps & { readonly entry: Extract<DisplayEntry, { kind: 'gap' }> }) {
  const { t } = useText();
  const now = Date.now();
  return (
    <span className="row">
      <DotsIcon />
      <span className="ellipsis">
        {t('table.gap', {
          from: shortTime(entry.fromMs, now, context.zone, context.locale),
          to: shortTime(entry.toMs, now, context.zone, context.locale),
        })}
      </span>
      <button type="button" className="link" disabled={gapBusy !== null} onClick={() => onLoadGap(entry.segment)}>
        {gapBusy === entry.segment ? t('table.loading') : t('table.loadGap')}
      </button>
    </span>
  );
}
