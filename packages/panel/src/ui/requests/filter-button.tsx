import { Drawer, Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../controls/button.tsx';
import { Icon } from '../icons.tsx';
import { usePhone } from '../use-phone.ts';

interface FilterButtonProps {
  /** Active filters. */
  readonly count: number;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  /** Which filters they are, where a page has two buttons. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

/** Opens the filters of a page, a sheet on a narrow screen. */
export function FilterButton({ count, open, onOpen, label, children }: FilterButtonProps) {
  const { t } = useText();
  const narrow = usePhone();
  const title = label === undefined ? t('filter.title') : `${label}: ${t('filter.title')}`;
  const button = (
    <Button aria-expanded={open} aria-haspopup="dialog" onClick={() => onOpen(!open)}>
      {label !== undefined && <span className="visually-hidden">{label}: </span>}
      <Icon name={narrow ? 'filter' : 'plus'} />
      {count === 0 ? t('filter.open') : t('filter.openCount', { count })}
    </Button>
  );
  if (narrow) {
    return (
      <>
        {button}
        <Drawer
          opened={open}
          onClose={() => onOpen(false)}
          position="bottom"
          size="85%"
          title={title}
          closeButtonProps={{ 'aria-label': t('common.close') }}
        >
          {children}
        </Drawer>
      </>
    );
  }
  return (
    <Popover opened={open} onChange={onOpen} position="bottom-end" width={420} trapFocus returnFocus>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={title}>
        {/* Takes the first focus, so that no list of choices opens automatically. */}
        <h2 tabIndex={-1} data-autofocus style={{ marginBottom: 8 }}>
          {title}
        </h2>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
