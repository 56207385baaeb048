import { useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { type EditOutcome, editList, type ListEdit } from '../../../platform/gateway/list-edits.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { outcomeText, type Told } from '../../../ui/gateway/edit-outcome.ts';
import type { Plugin } from '../model/plugin.ts';
import { editablePlugins } from '../plugin-calls.ts';
import { changeFailure } from '../plugin-words.ts';
import { useReloadPlugins } from '../use-plugins.ts';

/** What the page says of the last change; `undo` = it can be taken back. */
interface Said extends Told {
  readonly undo: (() => Promise<void>) | null;
}

/** Switching and deleting single plugins, each with its outcome. */
export function usePluginActions() {
  const { t } = useText();
  const { client } = useServices();
  const reload = useReloadPlugins();
  const [said, setSaid] = useState<Said | null>(null);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const edit = async (change: ListEdit<Plugin>, overrule = false): Promise<EditOutcome<Plugin>> => {
    try {
      return await editList(editablePlugins(client), change, { overrule });
    } finally {
      await reload();
    }
  };

  const switchPlugin = async (plugin: Plugin, enabled: boolean, canUndo = true): Promise<void> => {
    setBusy((before) => new Set([...before, plugin.id]));
    try {
      // Whoever switched it meanwhile, to switch it is still the same.
      const outcome = await edit({ kind: 'change', base: plugin, entry: { ...plugin, enabled } }, true);
      const told = outcomeText(outcome, plugin.name, t);
      const after = outcome.kind === 'done' ? outcome.entry : null;
      if (after === null) setSaid({ ...told, undo: null });
      else {
        setSaid({
          tone: 'ok',
          fact: t(enabled ? 'plugin.switchedOn' : 'plugin.switchedOff', { name: plugin.name }),
          text: enabled ? '' : t('plugin.switchedOffText'),
          undo: canUndo ? () => switchPlugin(after, !enabled, false) : null,
        });
      }
    } catch (error) {
      setSaid({ ...changeFailure(error, plugin.name, t), undo: null });
    }
    setBusy((before) => new Set([...before].filter((id) => id !== plugin.id)));
  };

  return {
    said,
    say: (told: Told) => setSaid({ ...told, undo: null }),
    dismiss: () => setSaid(null),
    busy,
    switchPlugin,
    /** @throws what the gateway answered, when it was not deleted */
    remove: async (plugin: Plugin): Promise<void> => {
      setSaid({ ...outcomeText(await edit({ kind: 'remove', base: plugin }, true), plugin.name, t), undo: null });
    },
  };
}
