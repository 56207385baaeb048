import type { EventRow } from '@manager/core/contract/monitoring';
import { useElementSize } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../../i18n/index.ts';
import { formatCompact, NONE } from '../../ui/format.ts';
import { DotsIcon } from '../../ui/icons.tsx';
import { shortTime } from '../../ui/time.ts';
import { type Column, TWO_LINE_WIDTH, visibleColumns } from './columns.ts';
import { type CellContext, Elapsed, EventStatus, eventCell } from './event-cells.tsx';
import type { DisplayEntry } from './event-list.ts';
import { eventNames, requestedModel } from './event-view.ts';

const ROW_HEIGHT = 28;
const LIST_ROW_HEIGHT = 57;

interface EventTableProps {
  readonly entries: readonly DisplayEntry[];
  readonly scroller: RefObject<HTMLElement | null>;
  readonly context: CellContext;
  readonly fresh: ReadonlySet<string>;
  /** Row under the keyboard, by hash. */
  readonly activeHash: string | null;
  readonly openHash: string | null;
  readonly onOpen: (event: EventRow) => void;
  readonly onActive: (event: EventRow) => void;
  readonly onLoadGap: (segment: number) => void;
  readonly gapBusy: number | null;
  /** Rows near the end came into view. */
  readonly onEnd: () => void;
  readonly rowCount: number;
}

/** Rows of requests; only those in view are in the document. Narrow tables become lists of two-line rows. */
export function EventTable(props: EventTableProps) {
  const { ref, width } = useElementSize();
  return (
    <div ref={ref}>
      {width > 0 && (width < TWO_LINE_WIDTH ? <EventRows {...props} /> : <EventGrid {...props} width={width} />)}
    </div>
  );
}

function useRows(props: EventTableProps, rowHeight: number) {
  const { entries, scroller, onEnd, activeHash } = props;
  const top = useRef<HTMLElement | null>(null);
  const [margin, setMargin] = useState(0);
  // What stands above the rows changes (notes, chips), and with it where they begin.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (top.current === null || box === null) return;
    const next = Math.round(top.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop);
    if (next !== margin) setMargin(next);
  });
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: margin,
    getItemKey: (index) => {
      const entry = entries[index];
      return entry?.kind === 'row' ? entry.row.event_hash : `gap-${index}`;
    },
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0 && last >= entries.length - 40) onEnd();
  }, [last, entries.length, onEnd]);
  const activeIndex = useMemo(
    () =>
      activeHash === null
        ? -1
        : entries.findIndex((entry) => entry.kind === 'row' && entry.row.event_hash === activeHash),
    [entries, activeHash],
  );
  const lastActive = useRef(activeHash);
  useEffect(() => {
    if (activeHash === lastActive.current) return;
    lastActive.current = activeHash;
    if (activeIndex >= 0) virtualizer.scrollToIndex(activeIndex, { align: 'auto' });
  }, [activeHash, activeIndex, virtualizer]);
  return {
    top,
    items,
    before: (items[0]?.start ?? margin) - margin,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
  };
}

function rowProps(props: EventTableProps, event: EventRow) {
  return {
    'data-row': event.event_hash,
    tabIndex: 0,
    'aria-selected': event.event_hash === props.openHash,
    className: props.fresh.has(event.event_hash) ? 'new-row' : undefined,
    onClick: () => props.onOpen(event),
    onFocus: () => props.onActive(event),
    onKeyDown: (key: KeyboardEvent) => {
      if (key.key !== 'Enter' && key.key !== ' ') return;
      key.preventDefault();
      props.onOpen(event);
    },
  };
}

function EventGrid(props: EventTableProps & { readonly width: number }) {
  const { t } = useText();
  const columns = useMemo(() => visibleColumns(props.width, props.context.dated), [props.width, props.context.dated]);
  const { top, items, before, after } = useRows(props, ROW_HEIGHT);
  return (
    <table className="data" aria-rowcount={props.rowCount + 1} aria-label={t('table.label')}>
      <colgroup>
        {columns.map((column) => (
          <col key={column.id} style={column.width === null ? undefined : { width: column.width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={column.right ? 'right' : undefined} title={t(column.label)}>
              {t(column.label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        ref={(body) => {
          top.current = body;
        }}
      >
        <SpacerRow height={before} columns={columns.length} />
        {items.map((item) => {
          const entry = props.entries[item.index];
          if (entry === undefined) return null;
          return entry.kind === 'gap' ? (
            <tr key={item.key} className="gap-row" aria-rowindex={item.index + 2}>
              <td colSpan={columns.length}>
                <Gap entry={entry} {...props} />
              </td>
            </tr>
          ) : (
            <tr key={item.key} aria-rowindex={item.index + 2} {...rowProps(props, entry.row)}>
              {columns.map((column) => (
                <Cell key={column.id} column={column} event={entry.row} context={props.context} />
              ))}
            </tr>
          );
        })}
        <SpacerRow height={after} columns={columns.length} />
      </tbody>
    </table>
  );
}

function Cell({
  column,
  event,
  context,
}: {
  readonly column: Column;
  readonly event: EventRow;
  readonly context: CellContext;
}) {
  return <td className={column.right ? 'right' : undefined}>{eventCell(column.id, event, context)}</td>;
}

function SpacerRow({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className="spacer-row">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function EventRows(props: EventTableProps) {
  const { t } = useText();
  const { top, items, before, after } = useRows(props, LIST_ROW_HEIGHT);
  const { context } = props;
  return (
    <ul
      className="plain-list"
      aria-label={t('table.label')}
      ref={(element) => {
        top.current = element;
      }}
    >
      <li style={{ height: before }} />
      {items.map((item) => {
        const entry = props.entries[item.index];
        if (entry === undefined) return null;
        if (entry.kind === 'gap') {
          return (
            <li
              key={item.key}
              className="list-row"
              style={{ display: 'flex', alignItems: 'center', background: 'var(--sunken)' }}
            >
              <Gap entry={entry} {...props} />
            </li>
          );
        }
        const event = entry.row;
        const { className, 'aria-selected': selected, ...rest } = rowProps(props, event);
        return (
          <li key={item.key}>
            <button
              type="button"
              {...rest}
              aria-pressed={selected}
              className={className === undefined ? 'list-row' : `list-row ${className}`}
            >
              <span className="ink-2">
                {eventCell('time', event, { ...context, dated: false })}
                <br />
                <EventStatus event={event} />
              </span>
              <span className="ellipsis">
                {requestedModel(event) || NONE}
                <br />
                <span className="second-line">
                  {eventNames(event, context.aliases, context.masker).account || NONE}
                </span>
              </span>
              <span style={{ textAlign: 'right' }}>
                <Elapsed ms={event.latency_ms} />
                <br />
                <span className="second-line">
                  {event.total_tokens > 0
                    ? t('event.tokensShort', { tokens: formatCompact(event.total_tokens) })
                    : NONE}
                </span>
              </span>
            </button>
          </li>
        );
      })}
      <li style={{ height: after }} />
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
