import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isUnsupported } from '../../../platform/api/data-source.ts';
import { useMode, useServices } from '../../../platform/api/services.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useStatus } from '../../../platform/queries/queries.ts';
import { useSession } from '../../../platform/session/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Block } from '../../../ui/feedback/block.tsx';
import { EmptyState, ErrorState, UnsupportedState } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { PageFrame } from '../../../ui/page/page.tsx';
import { usePlugins } from '../use-plugins.ts';
import { type FrameRules, frameRules } from './frame-rules.ts';

const LOAD_LIMIT_MS = 15_000;
/** How soon an open page notices that its plugin stopped, ms. */
const STILL_RUNNING_MS = 30_000;

/** A page that a plugin publishes, kept away from everything of the panel. */
export function PluginPage() {
  const { t } = useText();
  const { pluginId = '', menuIndex = '' } = useParams({ strict: false });
  const plugins = usePlugins(false, STILL_RUNNING_MS);
  const plugin = plugins.data?.plugins.find(({ id }) => id === pluginId);
  const menu = plugin?.menus.find(({ index }) => String(index) === menuIndex);
  if (plugins.data === undefined) {
    return (
      <PageFrame title={t('nav.plugins')}>
        <section className="panel">
          {plugins.error === null ? (
            <Block height={240} />
          ) : isUnsupported(plugins.error) ? (
            <UnsupportedState title={t('plugin.old')} text={t('clientKeys.oldText')} />
          ) : (
            <ErrorState title={t('plugin.loadFailed')} error={plugins.error} onRetry={() => void plugins.refetch()} />
          )}
        </section>
      </PageFrame>
    );
  }
  // A plugin that stopped has no pages; its place in the list shows why.
  if (plugin === undefined || !plugin.running) {
    return <Navigate to="/plugins" search={{ plugin: [pluginId] }} replace />;
  }
  if (menu === undefined || menu.path === null) {
    return (
      <PageFrame title={plugin.name}>
        <section className="panel">
          <EmptyState
            title={t('plugin.pageMissing')}
            text={t(menu === undefined ? 'plugin.pageMissingText' : 'plugin.pageRefusedText')}
            action={
              <Link to="/plugins" search={{ plugin: [pluginId] }} className="link">
                {t('nav.plugins')}
              </Link>
            }
          />
        </section>
      </PageFrame>
    );
  }
  return <OpenPage key={`${pluginId} ${menuIndex}`} plugin={plugin.name} title={menu.label} path={menu.path} />;
}

function OpenPage({ plugin, title, path }: { readonly plugin: string; readonly title: string; readonly path: string }) {
  const { t } = useText();
  const { session, client } = useServices();
  const mode = useMode();
  const base = useSession(session)?.base ?? client.page;
  const status = useStatus();
  const [loads, setLoads] = useState(0);
  const trusted = status.data?.trustedPluginPages === true;
  const rules = frameRules(base, path, mode, window.location.origin, trusted);
  const reload = () => setLoads((before) => before + 1);
  return (
    <PageFrame
      title={title}
      state={<span className="tag">{t('plugin.pageOf', { name: plugin })}</span>}
      actions={
        <>
          {rules.canOpenTab && (
            <a className="button" href={rules.url} target="_blank" rel="noreferrer noopener">
              {t('plugin.newTab')}
            </a>
          )}
          <Button onClick={reload}>
            <Icon name="refresh" />
            {t('plugin.reload')}
          </Button>
        </>
      }
      narrowActions={
        <Button kind="quiet" square aria-label={t('plugin.reload')} onClick={reload}>
          <Icon name="refresh" />
        </Button>
      }
    >
      {/* A trusted page needs the status first: it decides the sandbox, which a loaded frame keeps. */}
      {mode === 'manager' && status.data === undefined && status.error === null ? (
        <Block height={240} />
      ) : (
        <Frame
          key={`${loads} ${rules.sandbox}`}
          load={loads}
          rules={rules}
          path={path}
          title={title}
          onReload={reload}
        />
      )}
    </PageFrame>
  );
}

function Frame({
  load,
  rules,
  path,
  title,
  onReload,
}: {
  /** Each one asks again. */
  readonly load: number;
  readonly rules: FrameRules;
  readonly path: string;
  readonly title: string;
  readonly onReload: () => void;
}) {
  const { t } = useText();
  const { client } = useServices();
  const [state, setState] = useState<'loading' | 'loaded' | 'late'>('loading');
  // A frame does not tell what the server answered. Asked without a key: a page gets no rights from being shown here.
  const probe = useQuery({
    queryKey: ['plugin-page', rules.url, load],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const call = { signal, key: null, timeoutMs: LOAD_LIMIT_MS, headers: { Accept: 'text/html, */*' } };
      const answer = await client.open(path, call);
      void answer.body?.cancel();
      return true;
    },
  });
  useEffect(() => {
    const timer = setTimeout(() => setState((now) => (now === 'loading' ? 'late' : now)), LOAD_LIMIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const retry = <Button onClick={onReload}>{t('plugin.reload')}</Button>;
  if (rules.sandbox === null) {
    return (
      <section className="panel">
        <UnsupportedState title={t('plugin.otherAddress')} text={t('plugin.otherAddressText')} />
      </section>
    );
  }
  if (isUnsupported(probe.error)) {
    return (
      <section className="panel">
        <EmptyState title={t('plugin.pageMissing')} text={t('plugin.pageMissingText')} action={retry} />
      </section>
    );
  }
  if (probe.error !== null) {
    return (
      <section className="panel">
        <ErrorState title={t('plugin.pageFailed')} error={probe.error} onRetry={onReload} />
      </section>
    );
  }
  if (state === 'late') {
    return (
      <section className="panel">
        <UnsupportedState title={t('plugin.pageLate')} text={t('plugin.pageLateText')} action={retry} />
      </section>
    );
  }
  if (probe.data === undefined) return <Block height={240} />;
  return (
    <iframe
      className="plugin-frame"
      title={title}
      src={rules.url}
      sandbox={rules.sandbox}
      referrerPolicy="no-referrer"
      onLoad={() => setState('loaded')}
    />
  );
}
