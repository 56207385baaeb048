import { Link, useRouterState } from '@tanstack/react-router';
import { usePluginPages } from '../features/plugins/use-plugins.ts';
import { useText } from '../platform/i18n/index.ts';
import { Icon } from '../ui/icons.tsx';

/** Pages of the gateway's running plugins, below the panel's own. */
export function PluginLinks({ onFollow }: { readonly onFollow: () => void }) {
  const { t } = useText();
  const pages = usePluginPages();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (pages.length === 0) return null;
  return (
    <>
      <div className="nav-group" aria-hidden="true">
        <span>{t('nav.pluginPages')}</span>
      </div>
      <ul aria-label={t('nav.pluginPages')}>
        {pages.map(({ plugin, menu }) => (
          <li key={`${plugin.id} ${menu.index}`}>
            <Link
              to="/plugin-pages/$pluginId/$menuIndex"
              params={{ pluginId: plugin.id, menuIndex: String(menu.index) }}
              search={{}}
              className="nav-item"
              title={menu.label === plugin.name ? menu.label : `${menu.label} · ${plugin.name}`}
              aria-label={menu.label}
              activeProps={{ 'aria-current': undefined }}
              {...(path === `/plugin-pages/${plugin.id}/${menu.index}` ? { 'aria-current': 'page' as const } : {})}
              onClick={onFollow}
            >
              <Icon name="plugins" />
              <span className="ellipsis nav-text">{menu.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
