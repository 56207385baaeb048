import { ApiError } from '../../platform/api/errors.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import type { Word } from '../../ui/display/status.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { failureOf, type Told } from '../../ui/gateway/edit-outcome.ts';
import type { PluginState } from './model/plugin.ts';
import { pluginCode, pluginMessage } from './plugin-calls.ts';

export const STATE_WORDS: Readonly<Record<PluginState, Word>> = {
  running: { tone: 'ok', label: 'plugin.running' },
  off: { tone: 'off', label: 'providers.off' },
  allOff: { tone: 'off', label: 'plugin.allOff' },
  notLoaded: { tone: 'wait', label: 'plugin.notLoaded' },
  missing: { tone: 'warn', label: 'plugin.missing' },
};

const CODE_TEXTS: Readonly<Record<string, TextKey>> = {
  plugin_not_found: 'plugin.notFound',
  plugin_store_source_not_found: 'plugin.sourceGone',
  plugin_store_source_required: 'plugin.sourceConflict',
  plugin_store_source_conflict: 'plugin.sourceConflict',
  plugin_store_installed_source_unknown: 'plugin.sourceConflict',
  plugin_update_requires_restart: 'plugin.updateRestart',
  plugin_delete_requires_restart: 'plugin.deleteRestart',
  plugin_store_registry_failed: 'plugin.registryFailed',
  plugin_install_failed: 'plugin.installFailed',
  plugin_manifest_invalid: 'plugin.manifestInvalid',
};

/** Why the gateway did not do it: its code in words, and what it says beside it. */
export function pluginFailure(error: unknown, t: Translate): string {
  const code = pluginCode(error);
  const known = CODE_TEXTS[code];
  const said = pluginMessage(error);
  if (known !== undefined) return said === '' ? t(known) : `${t(known)} (${said})`;
  if (code !== '') return said === '' ? code : said;
  const { key, values } = failureText(error);
  return t(key, values);
}

/** A change that was not made, or of which nothing is known. */
export function changeFailure(error: unknown, name: string, t: Translate): Told {
  if (pluginCode(error) === '') return failureOf(error, name, t);
  return {
    tone: 'bad',
    fact: t('edits.notSaved', { name }),
    text: `${pluginFailure(error, t)} ${t('edits.notWritten')}`,
  };
}

/** Without any answer the plugin may be installed or not. */
export function installFailure(error: unknown, t: Translate): string {
  const unknown = !(error instanceof ApiError) || error.kind !== 'status' || error.status >= 502;
  const text = pluginFailure(error, t);
  return unknown && pluginCode(error) === '' ? `${text} ${t('plugin.installUnknown')}` : text;
}
