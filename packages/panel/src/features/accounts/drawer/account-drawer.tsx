import { Link } from '@tanstack/react-router';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { accountTitle, type CellContext } from '../../../ui/accounts/account-text.ts';
import { STATE_WORDS } from '../../../ui/accounts/availability-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TabLinks } from '../../../ui/controls/tabs.tsx';
import { DrawerSkeleton } from '../../../ui/dialog/drawer-skeleton.tsx';
import { useDrawerFocus } from '../../../ui/dialog/use-drawer-focus.ts';
import { Status } from '../../../ui/display/status.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import type { Asked } from '../account-dialogs.tsx';
import { AccountMenu, type MenuChoice } from '../account-menu.tsx';
import { DRAWER_TABS, type DrawerTab } from '../accounts-search.ts';
import { canAskQuota } from '../refresh/ask-provider.ts';
import { ConfigTab } from './config-tab.tsx';
import { DiagnosticsTab } from './diagnostics-tab.tsx';
import { ModelsTab } from './models-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { QuotaTab } from './quota-tab.tsx';

const TAB_LABELS: Readonly<Record<DrawerTab, TextKey>> = {
  overview: 'accountTab.overview',
  quota: 'accountTab.quota',
  config: 'accountTab.config',
  models: 'accountTab.models',
  diagnostics: 'accountTab.diagnostics',
};

interface AccountDrawerProps {
  /** null = loading, or missing. */
  readonly row: AccountRow | null;
  readonly loading: boolean;
  readonly tab: DrawerTab;
  readonly docked: boolean;
  readonly busy: boolean;
  readonly refreshing: boolean;
  readonly context: CellContext;
  readonly onTab: (tab: DrawerTab) => void;
  readonly onChoose: (choice: MenuChoice, row: AccountRow) => void;
  readonly onAsk: (asked: Asked) => void;
  readonly onClose: () => void;
}

/** Details of one account, and all its actions. */
export function AccountDrawer(props: AccountDrawerProps) {
  const { row, loading, tab, docked, busy, refreshing, context, onTab, onChoose, onClose } = props;
  const { t } = useText();
  const panel = useDrawerFocus(docked);
  useShortcuts(
    Object.fromEntries(DRAWER_TABS.map((name, index) => [String(index + 1), () => onTab(name)])),
    row !== null,
  );
  const word = row === null ? null : STATE_WORDS[row.availability.state];
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('filter.account')}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head row">
        {word !== null && (
          <Status tone={word.tone} pill>
            {t(word.label)}
          </Status>
        )}
        <b className="ellipsis">{row === null ? t('filter.account') : accountTitle(row.account, context.masker)}</b>
        <span className="spacer" />
        {row !== null && <AccountMenu row={row} busy={busy} context={context} onChoose={onChoose} />}
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <TabLinks label={t('accounts.drawerTabs')} chosen={tab}>
        {DRAWER_TABS.map((name) => (
          <button
            key={name}
            type="button"
            className="tab"
            {...(name === tab ? { 'aria-current': 'page' as const } : {})}
            onClick={() => onTab(name)}
          >
            {t(TAB_LABELS[name])}
          </button>
        ))}
      </TabLinks>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, keys could not scroll a tab that holds text only. */}
      <section className="drawer-scroll" tabIndex={0} aria-label={t(TAB_LABELS[tab])}>
        {row === null ? (
          loading ? (
            <DrawerSkeleton />
          ) : (
            <EmptyState
              title={t('accounts.gone')}
              text={t('accounts.goneText')}
              action={
                <Link to="/providers" search={{}} className="link">
                  {t('nav.providers')}
                </Link>
              }
            />
          )
        ) : (
          <Tab key={row.account.key} {...props} row={row} />
        )}
      </section>
      {row !== null && (
        <div className="drawer-foot">
          <Button
            disabled={busy || row.account.switchScope === null}
            aria-busy={busy}
            onClick={() => onChoose('switch', row)}
          >
            {t(row.account.listed.disabled ? 'accounts.enable' : 'accounts.disable')}
          </Button>
          {canAskQuota(row.account) && (
            <Button kind="quiet" disabled={refreshing} aria-busy={refreshing} onClick={() => onChoose('refresh', row)}>
              {t('accounts.refreshQuota')}
            </Button>
          )}
        </div>
      )}
    </aside>
  );
}

function Tab({ row, tab, busy, context, onChoose }: AccountDrawerProps & { readonly row: AccountRow }) {
  switch (tab) {
    case 'overview':
      return <OverviewTab row={row} context={context} busy={busy} onChoose={onChoose} />;
    case 'quota':
      return <QuotaTab row={row} context={context} />;
    case 'config':
      return <ConfigTab row={row} context={context} />;
    case 'models':
      return <ModelsTab row={row} context={context} />;
    case 'diagnostics':
      return <DiagnosticsTab row={row} context={context} />;
  }
}
