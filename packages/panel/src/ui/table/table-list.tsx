import { Group, Menu } from '@mantine/core';
import { type ReactNode, useCallback, useRef } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { readSort, writeSort } from '../../platform/sort.ts';
import { Button } from '../controls/button.tsx';
import { ChoiceItems } from '../controls/choice-items.tsx';
import { Icon } from '../icons.tsx';
import type { TableBodyProps } from './rows.ts';
import { SelectAll, SelectRow } from './select-box.tsx';
import type { DataTableProps, NarrowRow } from './types.ts';
import { useRangeSelect } from './use-range-select.ts';
import { useRowFocus } from './use-row-focus.ts';
import { scrollingAncestor, useVirtualRows } from './use-virtual-rows.ts';

const LIST_ROW_HEIGHT = 57;

/** Two-line rows for narrow screens; sorting, selection and child rows stay available. */
export function TableList<R>(props: TableBodyProps<R>) {
  const { t } = useText();
  const { shownRows, selection, onOpen } = props;
  const list = useRef<HTMLUListElement>(null);
  const { narrowHeight } = props;
  const heightOf = useCallback(
    (index: number) => {
      const row = shownRows[index]?.row;
      return row === undefined || narrowHeight === undefined ? LIST_ROW_HEIGHT : narrowHeight(row);
    },
    [shownRows, narrowHeight],
  );
  const virtual = useVirtualRows({
    count: shownRows.length,
    scroller: () => scrollingAncestor(list.current),
    rowHeight: heightOf,
    rowKey: useCallback((index: number) => shownRows[index]?.key ?? String(index), [shownRows]),
    headHeight: 0,
    onEnd: props.onEnd,
  });
  const select = useRangeSelect(selection, shownRows);
  const { rowProps, hrefOf } = useRowFocus(props, shownRows, virtual, list);
  return (
    <>
      <ListHead {...props} />
      <ul
        className="rows"
        aria-label={props.label}
        {...virtual.holder}
        ref={(element) => {
          list.current = element;
          virtual.holder.ref(element);
        }}
      >
        {virtual.items.map(({ index, key, style }) => {
          const shown = shownRows[index];
          if (shown === undefined) return null;
          const narrow = props.narrow(shown.row);
          const { className, ...rest } = rowProps(shown);
          const classes = [
            'list-row',
            className,
            narrow.lead === undefined ? 'no-lead' : narrow.wideLead ? 'wide-lead' : undefined,
          ];
          const lines = <Lines {...narrow} />;
          const href = hrefOf(shown);
          const open = props.openRows.has(shown.key);
          return (
            <li key={key} className="list-item" style={style} {...(shown.depth === 1 ? { 'data-below': '' } : {})}>
              {selection !== undefined && shown.depth === 0 && (
                <SelectRow
                  name={props.rowName(shown.row)}
                  checked={selection.keys.has(shown.key)}
                  onToggle={(range) => select(shown.key, range)}
                />
              )}
              {onOpen === undefined ? (
                <div {...rest} className={classes.filter(Boolean).join(' ')}>
                  {lines}
                </div>
              ) : href !== null ? (
                <a href={href} {...rest} className={[...classes, 'row-link'].filter(Boolean).join(' ')}>
                  {lines}
                </a>
              ) : (
                <button type="button" {...rest} className={classes.filter(Boolean).join(' ')}>
                  {lines}
                </button>
              )}
              {shown.foldable && (
                <Button
                  kind="quiet"
                  square
                  aria-expanded={open}
                  aria-label={t('grid.fold', { name: props.rowName(shown.row) })}
                  onClick={() => props.onFold(shown.key)}
                >
                  <Icon name={open ? 'chevronDown' : 'chevronRight'} />
                </Button>
              )}
              {narrow.action}
            </li>
          );
        })}
      </ul>
      {props.totalLabel !== undefined && <ListTotals {...props} />}
    </>
  );
}

function Lines({ lead, leadBelow, main, mainBelow, value, valueBelow, more }: NarrowRow) {
  return (
    <>
      {lead !== undefined && <TwoLines first={lead} second={leadBelow} className="ink-2" />}
      <TwoLines first={main} second={mainBelow} />
      <TwoLines first={value} second={valueBelow} end />
      {more !== undefined && <span style={{ gridColumn: '1 / -1', minWidth: 0, paddingTop: 4 }}>{more}</span>}
    </>
  );
}

function TwoLines({
  first,
  second,
  className = '',
  end = false,
}: {
  readonly first: ReactNode;
  readonly second: ReactNode;
  readonly className?: string;
  readonly end?: boolean;
}) {
  return (
    <span className={`two-lines ${className}`} style={end ? { textAlign: 'right', justifyItems: 'end' } : undefined}>
      <span className="ellipsis" title={titleOf(first)}>
        {first}
      </span>
      <span className="ellipsis second-line" title={titleOf(second)}>
        {second}
      </span>
    </span>
  );
}

/** Text may end in an ellipsis; other content has its own name. */
const titleOf = (content: ReactNode): string | undefined => (typeof content === 'string' ? content : undefined);

/** The controls of the column headers on a wide screen. */
function ListHead<R>({ columns, rows, rowKey, selection, sort = null, onSort }: DataTableProps<R>) {
  const { t } = useText();
  const sortable = columns.filter((column) => column.sort !== undefined);
  if (selection === undefined && (onSort === undefined || sortable.length === 0)) return null;
  const ids = sortable.map((column) => column.id);
  const current = sortable.find((column) => column.id === sort?.column);
  return (
    <Group className="list-head" mih={44}>
      {selection !== undefined && <SelectAll selection={selection} rows={rows} rowKey={rowKey} />}
      <span className="spacer" />
      {onSort !== undefined && sortable.length > 0 && (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <Button kind="quiet">
              {current === undefined ? t('grid.sort') : t('grid.sortedBy', { column: current.label })}
              <Icon name={sort?.direction === 'asc' ? 'arrowUp' : 'arrowDown'} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
            <ChoiceItems
              title={t('grid.sort')}
              value={writeSort(sort, null) ?? ''}
              options={sortable.flatMap((column) => [
                { value: `-${column.id}`, label: t('grid.descending', { column: column.label }) },
                { value: column.id, label: t('grid.ascending', { column: column.label }) },
              ])}
              onChange={(value) => {
                const next = readSort(value, ids, null);
                if (next !== null) onSort(next);
              }}
            />
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}

function ListTotals<R>({ columns, totalLabel }: DataTableProps<R>) {
  return (
    <Group component="dl" gap="4px 16px" p="8px 12px" bg="var(--sunken)" className="small">
      <dt className="bold">{totalLabel}</dt>
      {columns
        .filter((column) => column.total !== undefined && column.total !== null)
        .map((column) => (
          <dd key={column.id}>
            <span className="ink-3">{column.label}</span> {column.total}
          </dd>
        ))}
    </Group>
  );
}
