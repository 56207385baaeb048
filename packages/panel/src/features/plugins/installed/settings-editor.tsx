import { Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fromQuery } from '../../../platform/api/data-source.ts';
import { useServices } from '../../../platform/api/services.ts';
import { type EditOutcome, editList, sameJson } from '../../../platform/gateway/list-edits.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { JsonView } from '../../../ui/controls/json-view.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { DrawerSkeleton } from '../../../ui/dialog/drawer-skeleton.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import { outcomeText, type Told } from '../../../ui/gateway/edit-outcome.ts';
import type { Plugin } from '../model/plugin.ts';
import { draftOf, isSecretSetting, type Settings } from '../model/settings.ts';
import { editableSettings } from '../plugin-calls.ts';
import { changeFailure } from '../plugin-words.ts';
import { usePluginSettings, useReloadPlugins } from '../use-plugins.ts';
import { SettingsForm } from './settings-form.tsx';

interface SettingsEditorProps {
  readonly plugin: Plugin;
  readonly onDirty: (dirty: boolean) => void;
}

/** The settings of a plugin: a form where the plugin describes them, and all of them as JSON. */
export function SettingsEditor({ plugin, onDirty }: SettingsEditorProps) {
  const { t } = useText();
  const settings = usePluginSettings(plugin.id);
  return (
    <section className="form-fields" aria-label={t('plugin.settings')}>
      <h2>{t('plugin.settings')}</h2>
      <SourceView
        source={fromQuery(settings)}
        loading={<DrawerSkeleton />}
        errorTitle={t('plugin.settingsFailed')}
        unsupported={{ title: t('plugin.settingsOld'), text: t('clientKeys.oldText') }}
      >
        {(stored) => <Editor plugin={plugin} stored={stored} onDirty={onDirty} />}
      </SourceView>
    </section>
  );
}

function Editor({ plugin, stored, onDirty }: SettingsEditorProps & { readonly stored: Settings }) {
  const { t } = useText();
  const { client } = useServices();
  const reload = useReloadPlugins();
  const hasForm = plugin.fields.length > 0;
  const [base, setBase] = useState(stored);
  /** What was shown last: after a save the list may be older than the answer. */
  const [seen, setSeen] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const [view, setView] = useState<'form' | 'json'>(hasForm ? 'form' : 'json');
  /** A new one for the text to be read again. */
  const [edition, setEdition] = useState(0);
  const [isJson, setIsJson] = useState(true);
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Extract<EditOutcome<Settings>, { readonly kind: 'conflict' }> | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const unfinished = Object.keys(draft.unfinished).length > 0 || !isJson;
  const dirty = unfinished || !sameJson(draft.settings, base);
  useEffect(() => onDirty(dirty), [onDirty, dirty]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the editor closes.
  useEffect(() => () => onDirty(false), []);

  const adopt = (settings: Settings) => {
    setSeen(stored);
    setBase(settings);
    // What was typed meanwhile stays.
    setDraft((now) => (now === draft ? draftOf(settings) : now));
    setConflict(null);
    setIsJson(true);
    setEdition((before) => before + 1);
  };
  if (!dirty && !sameJson(stored, seen)) adopt(stored);

  const save = async (overrule = false) => {
    setBusy(true);
    setTold(null);
    setConflict(null);
    try {
      const edit = { kind: 'change', base, entry: draft.settings } as const;
      const outcome = await editList(editableSettings(client, plugin.id), edit, { overrule });
      setTold(outcomeText(outcome, plugin.name, t));
      if (outcome.kind === 'conflict') setConflict(outcome);
      if (outcome.kind === 'same') setBase(draft.settings);
      if (outcome.kind === 'done' && outcome.entry !== null) adopt(outcome.entry);
    } catch (error) {
      setTold(changeFailure(error, plugin.name, t));
    }
    await reload();
    setBusy(false);
  };
  return (
    <>
      {told !== null && (
        <Note tone={told.tone} fact={told.fact}>
          {told.text}
        </Note>
      )}
      {conflict !== null && (
        <Group>
          <Button onClick={() => adopt(conflict.theirs)}>{t('edits.takeTheirs')}</Button>
          <Button disabled={busy} onClick={() => void save(true)}>
            {t('prices.saveMine')}
          </Button>
        </Group>
      )}
      {hasForm && (
        <Segmented
          label={t('plugin.settings')}
          value={view}
          options={[
            { value: 'form', label: t('plugin.fields') },
            { value: 'json', label: t('providers.json') },
          ]}
          onChange={(next) => {
            if (!isJson) return;
            setView(next);
          }}
        />
      )}
      {view === 'form' ? (
        <SettingsForm fields={plugin.fields} draft={draft} onChange={setDraft} />
      ) : (
        <JsonView
          key={edition}
          object={draft.settings}
          isSecret={isSecretSetting}
          rows={12}
          onChange={(settings) => {
            setIsJson(settings !== null);
            if (settings !== null) setDraft(draftOf(settings));
          }}
        />
      )}
      <Group>
        <Button kind="primary" disabled={busy || unfinished || !dirty} aria-busy={busy} onClick={() => void save()}>
          {t('providers.save')}
        </Button>
        <Button disabled={busy || !dirty} onClick={() => adopt(stored)}>
          {t('plugin.discard')}
        </Button>
      </Group>
    </>
  );
}
