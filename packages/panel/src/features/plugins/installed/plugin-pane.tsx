import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { NONE } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { FactLines } from '../../../ui/display/fact-lines.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { type Plugin, stateOf } from '../model/plugin.ts';
import { STATE_WORDS } from '../plugin-words.ts';
import { SettingsEditor } from './settings-editor.tsx';

/** One installed plugin: what it is, what it adds, and its settings. */
export function PluginPane({
  plugin,
  pluginsEnabled,
  docked,
  onDirty,
  onDelete,
  onClose,
}: {
  readonly plugin: Plugin;
  readonly pluginsEnabled: boolean;
  readonly docked: boolean;
  readonly onDirty: (dirty: boolean) => void;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const word = STATE_WORDS[stateOf(plugin, pluginsEnabled)];
  const facts: ComponentProps<typeof FactLines>['facts'] = [
    [t('plugin.id'), plugin.id],
    [t('plugin.version'), plugin.version || NONE],
    [t('plugin.author'), plugin.author || NONE],
    [t('plugin.repository'), <Repository key="repository" url={plugin.repository} />],
    [t('plugin.oauth'), <SignIn key="oauth" plugin={plugin} />],
    [t('plugin.pages'), <Pages key="pages" plugin={plugin} />],
  ];
  return (
    <Drawer
      label={t('plugin.plugin')}
      docked={docked}
      onClose={onClose}
      head={
        <>
          <Status tone={word.tone} pill>
            {t(word.label)}
          </Status>
          <b className="ellipsis">{plugin.name}</b>
        </>
      }
      foot={
        <Button kind="danger" onClick={onDelete}>
          {t('plugin.delete')}
        </Button>
      }
    >
      <section>
        <dl className="definitions">
          <FactLines facts={facts} />
        </dl>
      </section>
      <SettingsEditor key={plugin.id} plugin={plugin} onDirty={onDirty} />
    </Drawer>
  );
}

function Repository({ url }: { readonly url: string }) {
  if (url === '') return NONE;
  return (
    <a className="link" href={url} target="_blank" rel="noreferrer noopener">
      {url.replace('https://', '')}
    </a>
  );
}

function SignIn({ plugin: { oauthProvider, running } }: { readonly plugin: Plugin }) {
  if (oauthProvider === '' || !running) return oauthProvider || NONE;
  return (
    <Link to="/oauth" search={{}} className="link">
      {oauthProvider}
    </Link>
  );
}

function Pages({ plugin: { id, menus, running } }: { readonly plugin: Plugin }) {
  const { t } = useText();
  if (menus.length === 0) return NONE;
  return (
    <>
      {menus.map(({ index, label, description, path }) => (
        <span key={index} style={{ display: 'block' }} title={description}>
          {path === null ? (
            `${label} · ${t('plugin.pageRefused')}`
          ) : running ? (
            <Link
              to="/plugin-pages/$pluginId/$menuIndex"
              params={{ pluginId: id, menuIndex: String(index) }}
              search={{}}
              className="link"
            >
              {label}
            </Link>
          ) : (
            label
          )}
        </span>
      ))}
    </>
  );
}
