import { Link, useRouterState } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { useMode, useServices } from '../platform/api/services.ts';
import type { UrlSearch } from '../platform/browser/url-search.ts';
import { useText } from '../platform/i18n/index.ts';
import { usePendingCandidates } from '../platform/queries/account-actions.ts';
import { useHost } from '../platform/queries/queries.ts';
import { Button } from '../ui/controls/button.tsx';
import { BrandMark, Icon } from '../ui/icons.tsx';
import { LanguageMenu, ThemeMenu } from '../ui/page/display-menus.tsx';
import { activeEntry, isServed, NAVIGATION, type NavigationEntry, SETTINGS } from './navigation.ts';
import { Jump } from './palette/jump.tsx';
import { PluginLinks } from './plugin-links.tsx';

export function useActiveEntry(): NavigationEntry | undefined {
  return useRouterState({
    select: (state) => {
      const search = state.location.search as UrlSearch;
      return activeEntry(state.location.pathname, search.view?.[0]);
    },
  });
}

function NavigationLink({
  entry,
  active,
  waiting,
  onFollow,
}: {
  readonly entry: NavigationEntry;
  readonly active: boolean;
  /** Number of open decisions on its page. */
  readonly waiting: number;
  readonly onFollow: () => void;
}) {
  const { t } = useText();
  const label = t(entry.label);
  const name = waiting === 0 ? label : t('shell.waiting', { page: label, count: waiting });
  return (
    <Link
      to={entry.path}
      search={entry.view === undefined ? {} : { view: [entry.view] }}
      className="nav-item"
      title={name}
      aria-label={name}
      // The router matches by path alone, which does not distinguish entries that share or extend a path.
      activeOptions={{ exact: true, includeSearch: true }}
      activeProps={{ 'aria-current': undefined }}
      {...(active ? { 'aria-current': 'page' as const } : {})}
      onClick={onFollow}
    >
      <Icon name={entry.icon} />
      <span className="ellipsis nav-text">{label}</span>
      {/* Drawn by CSS: as text it would be part of the accessible name. */}
      {waiting > 0 && <span className="nav-count" data-count={waiting > 99 ? '99+' : waiting} />}
    </Link>
  );
}

export function Sidebar({ onFollow = () => {} }: { readonly onFollow?: () => void }) {
  const { t } = useText();
  const { session } = useServices();
  const active = useActiveEntry();
  const host = useHost();
  const demo = host.data?.kind === 'manager' && host.data.info.demo === true;
  const [jumping, setJumping] = useState(false);
  const pending = usePendingCandidates();
  const mode = useMode();
  const groups = NAVIGATION.map(({ label, entries }) => ({
    label,
    entries: entries.filter((entry) => isServed(entry, mode)),
  })).filter(({ entries }) => entries.length > 0);
  return (
    <nav className="sidebar" aria-label={t('shell.mainNavigation')}>
      <div className="sidebar-brand">
        <BrandMark />
        <span className="ellipsis nav-text" title={window.location.host}>
          {window.location.hostname || t('shell.product')}
        </span>
        {demo && <span className="tag nav-text">{t('shell.demo')}</span>}
      </div>
      <Jump opened={jumping} onOpen={() => setJumping(true)} onClose={() => setJumping(false)} onFollow={onFollow} />
      <div className="sidebar-scroll">
        {groups.map((group) => (
          <Fragment key={group.label}>
            <div className="nav-group" aria-hidden="true">
              <span>{t(group.label)}</span>
            </div>
            <ul aria-label={t(group.label)}>
              {group.entries.map((entry) => (
                <li key={entry.label}>
                  <NavigationLink
                    entry={entry}
                    active={entry === active}
                    waiting={entry.path === '/accounts/actions' ? pending : 0}
                    onFollow={onFollow}
                  />
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
        <PluginLinks onFollow={onFollow} />
      </div>
      <div className="sidebar-foot">
        <Link
          to={SETTINGS.path}
          search={{}}
          className="button quiet square"
          aria-label={t('nav.settings')}
          title={t('nav.settings')}
          onClick={onFollow}
        >
          <Icon name="settings" />
        </Link>
        <ThemeMenu />
        <LanguageMenu />
        <Button kind="quiet" square aria-label={t('shell.signOut')} onClick={() => session.signOut()}>
          <Icon name="signOut" />
        </Button>
      </div>
    </nav>
  );
}
