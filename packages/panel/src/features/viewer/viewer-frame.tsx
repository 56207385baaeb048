import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import { useText } from '../../platform/i18n/index.ts';
import { leaveViewer, VIEWER_START } from '../../platform/session/viewer-token.ts';
import { createStore, type Store, useStore } from '../../platform/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { BrandMark, Icon, type IconName } from '../../ui/icons.tsx';
import { LanguageMenu, ThemeMenu } from '../../ui/page/display-menus.tsx';
import { useViewer } from './use-viewer.ts';

/** True once the manager refused the token: expired, or revoked. */
export const ViewerEndedContext = createContext<Store<boolean>>(createStore(false));

const ENTRIES: readonly { readonly path: string; readonly label: TextKey; readonly icon: IconName }[] = [
  { path: VIEWER_START, label: 'clientKeys.use', icon: 'analytics' },
  { path: '/viewer-requests', label: 'stat.requests', icon: 'monitoring' },
];

/** The pages of a viewer beside their navigation, or why there is nothing to see. */
export function ViewerFrame() {
  const { t } = useText();
  const ended = useStore(useContext(ViewerEndedContext));
  if (ended) {
    return (
      <main className="plain-main">
        <div className="card">
          <EmptyState
            title={t('viewer.ended')}
            text=""
            action={<Button onClick={leaveViewer}>{t('viewer.leave')}</Button>}
          />
        </div>
      </main>
    );
  }
  return (
    <div className="app">
      <ViewerSidebar />
      <Outlet />
    </div>
  );
}

export function ViewerSidebar({ onFollow = () => {} }: { readonly onFollow?: () => void }) {
  const { t } = useText();
  const { data } = useViewer();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const name = data?.name ?? t('shell.product');
  return (
    <nav className="sidebar" aria-label={t('shell.mainNavigation')}>
      <div className="sidebar-brand">
        <BrandMark />
        <span className="ellipsis nav-text" title={name}>
          {name}
        </span>
      </div>
      <div className="sidebar-scroll">
        <ul aria-label={t('nav.observe')}>
          {ENTRIES.map(({ path: to, label, icon }) => (
            <li key={to}>
              <Link
                to={to}
                search={(before: UrlSearch) => before}
                className="nav-item"
                title={t(label)}
                activeProps={{ 'aria-current': undefined }}
                {...(path === to ? { 'aria-current': 'page' as const } : {})}
                onClick={onFollow}
              >
                <Icon name={icon} />
                <span className="ellipsis nav-text">{t(label)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div className="sidebar-foot">
        <ThemeMenu />
        <LanguageMenu />
        <Button kind="quiet" square aria-label={t('viewer.leave')} title={t('viewer.leave')} onClick={leaveViewer}>
          <Icon name="signOut" />
        </Button>
      </div>
    </nav>
  );
}
