import { Link } from '@tanstack/react-router';
import { useManaged } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { usePendingCandidates } from '../../platform/queries/account-actions.ts';
import { TabLinks } from '../controls/tabs.tsx';

const VIEWS = [
  { name: 'list', to: '/accounts', search: {}, label: 'accounts.list', managed: false },
  { name: 'health', to: '/accounts', search: { view: ['health'] }, label: 'nav.inspection', managed: true },
  { name: 'actions', to: '/accounts/actions', search: {}, label: 'nav.accountActions', managed: true },
  { name: 'rules', to: '/accounts', search: { view: ['oauth'] }, label: 'modelRules.title', managed: false },
] as const;

/** The account pages: the list, the inspection, the action queue, the model rules. */
export function AccountTabs({
  view,
  count,
}: {
  readonly view: (typeof VIEWS)[number]['name'];
  /** Number of accounts, where known. */
  readonly count?: number | undefined;
}) {
  const { t } = useText();
  const pending = usePendingCandidates();
  const managed = useManaged();
  const counts = { list: count, health: undefined, actions: pending || undefined, rules: undefined };
  return (
    <TabLinks label={t('accounts.views')} chosen={view}>
      {VIEWS.filter((one) => managed || !one.managed).map(({ name, to, search, label }) => (
        <Link
          key={name}
          to={to}
          search={search}
          className="tab"
          // The router matches by path alone, and all share a prefix.
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'aria-current': undefined }}
          {...(name === view ? { 'aria-current': 'page' as const } : {})}
        >
          {t(label)} {counts[name] !== undefined && <span className="ink-3">{counts[name]}</span>}
        </Link>
      ))}
    </TabLinks>
  );
}
