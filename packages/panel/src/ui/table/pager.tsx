import { Menu } from '@mantine/core';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../controls/button.tsx';
import { ChoiceItems } from '../controls/choice-items.tsx';
import { Icon } from '../icons.tsx';
import type { ListPage } from './pages.ts';

/** Address parameters of a paged list. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  /** Rows per page; 0 = all. */
  readonly pageSize: number;
}

/** Shown rows, steps to other pages, and the page size. */
export function Pager<R>({
  page,
  count,
  size,
  sizes,
  onChange,
}: {
  readonly page: ListPage<R>;
  /** Rows of all pages. */
  readonly count: number;
  readonly size: number;
  readonly sizes: readonly number[];
  readonly onChange: (next: Partial<Paging>) => void;
}) {
  const { t } = useText();
  const last = page.first + page.rows.length - 1;
  const steps = [
    { name: t('grid.previousPage'), icon: 'chevronLeft', to: page.page - 1 },
    { name: t('grid.nextPage'), icon: 'chevronRight', to: page.page + 1 },
  ] as const;
  const sizeName = (rows: number) => (rows === 0 ? t('grid.allRows') : t('grid.pageSize', { count: rows }));
  return (
    <span className="row nowrap">
      {count > 0 &&
        t('grid.rowsOf', { first: formatCount(page.first), last: formatCount(last), all: formatCount(count) })}
      {page.pages > 1 &&
        steps.map(({ name, icon, to }) => (
          <Button
            key={icon}
            kind="quiet"
            square
            aria-label={name}
            disabled={to < 1 || to > page.pages}
            onClick={() => onChange({ page: to })}
          >
            <Icon name={icon} />
          </Button>
        ))}
      <Menu position="top-start" width={160}>
        <Menu.Target>
          <Button kind="quiet">
            {sizeName(size)}
            <Icon name="chevronDown" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ChoiceItems
            title={t('grid.rowsTitle')}
            value={String(size)}
            options={sizes.map((value) => ({ value: String(value), label: sizeName(value) }))}
            onChange={(value) => onChange({ pageSize: Number(value), page: 1 })}
          />
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
