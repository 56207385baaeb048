import { Popover } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { type Change, changeNumber, type GoodDirection, verdictOfChange } from '../../platform/wording/changes.ts';
import { Icon } from '../icons.tsx';

/** How a number was reckoned, behind a small button beside it. */
export function Explain({ name, text }: { readonly name: string; readonly text: TextKey }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const label = t('analytics.explain', { name });
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
      shadow="none"
      transitionProps={{ duration: 120 }}
    >
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
      <Popover.Dropdown className="padded small ink-2 explain-text" aria-label={label} tabIndex={-1} data-autofocus>
        {t(text)}
      </Popover.Dropdown>
    </Popover>
  );
}

/** `+16.9%`; measures with a good direction say whether that is better, in colour and word. */
export function ChangeText({ change, good = null }: { readonly change: Change; readonly good?: GoodDirection }) {
  const { t } = useText();
  if (change.kind === 'none') return null;
  if (change.kind === 'new') return <span className="tag">{t('change.new')}</span>;
  const verdict = verdictOfChange(change, good);
  const tone = verdict === null ? 'ink-3' : verdict === 'better' ? 'tone-ok' : 'tone-bad';
  return (
    <small className={`change ${tone}`}>
      {changeNumber(change)}
      {verdict !== null && ` ${t(verdict === 'better' ? 'change.better' : 'change.worse')}`}
    </small>
  );
}

/** A number that leads to the requests behind it. */
export function RequestsLink({
  search,
  className = 'stat-link',
  children,
}: {
  readonly search: UrlSearch;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <Link to="/monitoring" search={search} className={className}>
      {children}
    </Link>
  );
}

/** Share of a whole as a bar with its number. */
export function ShareBar({ share, text }: { readonly share: number | null; readonly text: string }) {
  return (
    <span className="share-cell">
      <span className="share-bar" aria-hidden="true">
        <i style={{ width: `${Math.min(1, share ?? 0) * 100}%` }} />
      </span>
      <span>{text}</span>
    </span>
  );
}

/** Flat block in the size of what will come. */
export function Block({ height }: { readonly height: number }) {
  return <span className="skeleton" style={{ display: 'block', height }} />;
}
