import { Popover } from '@mantine/core';
import { useState } from 'react';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { Icon } from '../icons.tsx';

/** How a number is calculated, behind a small button beside it. */
export function Explain({ name, text }: { readonly name: string; readonly text: TextKey }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const label = t('analytics.explain', { name });
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className="explain"
          aria-label={label}
          title={label}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          <Icon name="system" />
        </button>
      </Popover.Target>
      <Popover.Dropdown className="small ink-2" aria-label={label} tabIndex={-1} data-autofocus>
        {t(text)}
      </Popover.Dropdown>
    </Popover>
  );
}
