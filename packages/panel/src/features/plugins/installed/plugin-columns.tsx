import { Switch } from '@mantine/core';
import { NONE } from '../../../platform/format/format.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { Status } from '../../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import { type Plugin, stateOf } from '../model/plugin.ts';
import { type Store, updateOf } from '../model/store.ts';
import { STATE_WORDS } from '../plugin-words.ts';

export interface PluginCellContext {
  readonly t: Translate;
  readonly pluginsEnabled: boolean;
  /** undefined = not known. */
  readonly store: Store | undefined;
  readonly busy: ReadonlySet<string>;
  /** Ids that wait for a restart of the gateway. */
  readonly restarts: ReadonlySet<string>;
  readonly onSwitch: (plugin: Plugin) => void;
}

function EnabledSwitch({ plugin, context }: { readonly plugin: Plugin; readonly context: PluginCellContext }) {
  return (
    <Switch
      aria-label={context.t('plugin.switch', { name: plugin.name })}
      checked={plugin.enabled}
      disabled={context.busy.has(plugin.id)}
      onChange={() => context.onSwitch(plugin)}
    />
  );
}

function StateOf({ plugin, context }: { readonly plugin: Plugin; readonly context: PluginCellContext }) {
  const { t, pluginsEnabled, restarts } = context;
  const word = STATE_WORDS[stateOf(plugin, pluginsEnabled)];
  if (restarts.has(plugin.id)) return <Status tone="warn">{t('plugin.restart')}</Status>;
  return <Status tone={word.tone}>{t(word.label)}</Status>;
}

const adds = ({ oauthProvider, menus }: Plugin, t: Translate): string =>
  [
    oauthProvider === '' ? '' : t('plugin.addsSignIn', { name: oauthProvider }),
    menus.length === 0 ? '' : t('plugin.addsPages', { count: menus.length }),
  ]
    .filter(Boolean)
    .join(' · ');

function versionText(plugin: Plugin, { t, store }: PluginCellContext): string {
  const update = updateOf(store, plugin.id);
  return update === '' ? plugin.version || NONE : t('plugin.updateTo', { from: plugin.version || '?', to: update });
}

export function pluginColumns(context: PluginCellContext): readonly TableColumn<Plugin>[] {
  const { t } = context;
  return [
    {
      id: 'name',
      label: t('plugin.plugin'),
      width: null,
      minWidth: 150,
      cell: (plugin) => (
        <span className="two-lines" title={plugin.name}>
          <span className="ellipsis medium">{plugin.name}</span>
          <span className="ellipsis second-line">{[plugin.id, plugin.author].filter(Boolean).join(' · ')}</span>
        </span>
      ),
      sort: ({ name }) => name,
      exported: ({ id }) => id,
    },
    {
      id: 'state',
      label: t('plugin.state'),
      width: 190,
      cell: (plugin) => <StateOf plugin={plugin} context={context} />,
      sort: (plugin) => stateOf(plugin, context.pluginsEnabled),
      exported: (plugin) => stateOf(plugin, context.pluginsEnabled),
    },
    {
      id: 'version',
      label: t('plugin.version'),
      width: 170,
      priority: 1,
      cell: (plugin) => versionText(plugin, context),
      title: (plugin) => versionText(plugin, context),
      exported: ({ version }) => version,
    },
    {
      id: 'adds',
      label: t('plugin.adds'),
      width: null,
      minWidth: 150,
      priority: 2,
      cell: (plugin) => adds(plugin, t) || NONE,
      title: (plugin) => adds(plugin, t) || undefined,
    },
    {
      id: 'enabled',
      label: t('providers.enabled'),
      width: 80,
      cell: (plugin) => <EnabledSwitch plugin={plugin} context={context} />,
      exported: ({ enabled }) => enabled,
    },
  ];
}

export function narrowPlugin(plugin: Plugin, context: PluginCellContext): NarrowRow {
  return {
    main: plugin.name,
    mainBelow: <StateOf plugin={plugin} context={context} />,
    value: plugin.version,
    valueBelow: updateOf(context.store, plugin.id) === '' ? '' : context.t('plugin.update'),
    action: (
      <span className="row" style={{ paddingRight: 12 }}>
        <EnabledSwitch plugin={plugin} context={context} />
      </span>
    ),
  };
}
