import type { ConfigurationVersion } from '@manager/core/contract/gateway-configuration';
import { Stack } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import { shortTime } from '../../platform/format/time.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { EmptyState, ErrorState, UnsupportedState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { CONFIGURATION_ADDRESS, type ConfigurationMode, MODES } from './configuration-search.ts';
import { freshDraft, toDraft } from './draft.ts';
import { HistoryMode } from './history/history-mode.tsx';
import type { Misfit } from './model/misfits.ts';
import type { TextProblem } from './model/yaml-text.ts';
import { isCanceled } from './patient-read.ts';
import { problemText } from './problem-text.ts';
import { ResultNote } from './save/result-note.tsx';
import { ReviewDialog } from './save/review-dialog.tsx';
import { useSave } from './save/use-save.ts';
import { type SourceHandle, SourceMode } from './source/source-mode.tsx';
import { type ConfigurationState, useConfiguration } from './use-configuration.ts';
import { VisualMode } from './visual/visual-mode.tsx';
import { WaitNote } from './wait-note.tsx';

const MODE_LABELS: Readonly<Record<ConfigurationMode, TextKey>> = {
  visual: 'config.visual',
  source: 'config.source',
  history: 'config.history',
};
const NO_PROBLEMS: readonly TextProblem[] = [];
const NO_MISFITS: readonly Misfit[] = [];

/** The gateway's configuration: as fields, as its text, and its versions. */
export function ConfigurationPage() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { search, change } = useAddress(CONFIGURATION_ADDRESS);
  const state = useConfiguration();
  const save = useSave(state);
  const source = useRef<SourceHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const [restored, setRestored] = useState<number | null>(null);
  const { question } = useLeaveQuestion(state.dirty);
  const { draft, query } = state;
  // Saved or discarded: what is typed next is no restored version any more, and a new edit is not saved.
  if (restored !== null && !state.dirty) setRestored(null);
  if (state.dirty && (save.result?.kind === 'saved' || save.result?.kind === 'unchanged')) save.dismiss();
  /** Set while the newest typing, or a restored version, is on its way into the draft. */
  const [saving, setSaving] = useState(false);

  const begin = () => {
    source.current?.flush();
    setSaving(true);
  };
  useEffect(() => {
    if (!saving) return;
    setSaving(false);
    save.begin();
  }, [saving, save]);
  useSaveKey(begin, state.dirty);

  const toMode = async (mode: ConfigurationMode) => {
    source.current?.flush();
    if (mode !== 'visual' && draft !== null && draft.edits.size > 0) {
      const edited = await state.thread.editText(draft.text, toDraft(draft).edits);
      // Else the fields stay changed, and the review says why they cannot be written.
      if (edited.ok) state.setDraft((now) => ({ ...now, text: edited.text, edits: new Map() }));
    }
    change({ mode });
  };
  const discard = () => {
    state.setDraft((now) => freshDraft(query.data ?? now.base));
  };
  const { propose } = state;
  const onRestore = useCallback(
    (text: string, version: ConfigurationVersion) => {
      propose(text);
      setRestored(version.firstSeenAtMs);
      change({ mode: 'source' });
      setSaving(true);
    },
    [propose, change],
  );
  const refresh = () => void query.refetch();
  useShortcuts({ r: refresh, '/': () => input.current?.focus() });
  return (
    <Page title={t('nav.config')} refresh={{ busy: query.isFetching, onRefresh: refresh }}>
      <div className="filter-bar">
        <Segmented<ConfigurationMode>
          label={t('config.parts')}
          value={search.mode}
          options={MODES.map((mode) => ({ value: mode, label: t(MODE_LABELS[mode]) }))}
          onChange={(mode) => void toMode(mode)}
        />
        {search.mode === 'visual' && (
          <SearchField
            value={search.text}
            onChange={(text) => change({ text: isPrivateText(text) ? '' : text }, true)}
            placeholder={t('config.search')}
            input={input}
          />
        )}
      </div>
      <Stack gap="sm" role="status">
        {save.prepared === null && <WaitNote wait={state.waits[0]} />}
        {save.result !== null && <ResultNote result={save.result} onDismiss={save.dismiss} onReadAgain={refresh} />}
        {state.changedElsewhere && (
          <Note tone="wait" fact={t('config.elsewhere')}>
            {t('config.elsewhereText')}
          </Note>
        )}
        {state.notKept && <Note tone="warn" fact={t('config.keepFailed')} />}
        {restored !== null && state.dirty && (
          <Note tone="wait" fact={t('config.restoreNote', { time: shortTime(restored, Date.now(), zone, locale) })}>
            {t('config.restoreText')}
          </Note>
        )}
      </Stack>
      <Body state={state} mode={search.mode}>
        {draft !== null && search.mode === 'visual' && (
          <VisualBody state={state} onSource={() => change({ mode: 'source' })}>
            {(summary, before) => (
              <VisualMode
                draft={draft}
                summary={summary}
                before={before}
                thread={state.thread}
                search={search}
                onSection={(section) => change({ section })}
                onDraft={state.setDraft}
              />
            )}
          </VisualBody>
        )}
        {draft !== null && search.mode === 'source' && (
          <SourceMode
            text={draft.text}
            problems={state.summary?.ok === false ? state.summary.problems : NO_PROBLEMS}
            misfits={state.summary?.ok === true ? state.summary.summary.misfits : NO_MISFITS}
            onText={(text) => state.setDraft((now) => ({ ...now, text }))}
            onSave={begin}
            handle={source}
          />
        )}
        {search.mode === 'history' && <HistoryMode state={state} onRestore={onRestore} />}
      </Body>
      {state.dirty && draft !== null && (
        <div className="config-bar">
          <span role="status">
            {draft.text === draft.base
              ? t('config.unsaved', { count: draft.edits.size + draft.unfinished.size })
              : t('config.unsavedText')}
          </span>
          <span className="spacer" />
          <Button large disabled={save.busy} onClick={discard}>
            {t('config.discard')}
          </Button>
          <Button
            large
            kind="primary"
            disabled={save.busy || draft.unfinished.size > 0}
            aria-busy={save.busy}
            onClick={begin}
          >
            {t(save.busy && save.prepared === null ? 'config.preparing' : 'config.review')}
          </Button>
        </div>
      )}
      <ReviewDialog save={save} restored={restored !== null} wait={state.waits[0]} />
      {question}
    </Page>
  );
}

/** Ctrl S opens the review, and never saves the page itself. */
function useSaveKey(save: () => void, dirty: boolean): void {
  const current = useRef({ save, dirty });
  useEffect(() => {
    current.current = { save, dirty };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (current.current.dirty) current.current.save();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** The history needs no configuration that can be read; the other parts do. */
function Body({
  state,
  mode,
  children,
}: {
  readonly state: ConfigurationState;
  readonly mode: ConfigurationMode;
  readonly children: ReactNode;
}) {
  const { t } = useText();
  const { query, draft } = state;
  if (mode === 'history' || draft !== null) return children;
  return (
    <section className="panel" aria-busy={query.isFetching}>
      {query.error === null ? (
        <div className="panel-body">
          {[240, 320, 200, 280].map((width) => (
            <div key={width} className="skeleton" style={{ width, margin: '8px 0 16px' }} />
          ))}
        </div>
      ) : isUnsupported(query.error) ? (
        <UnsupportedState title={t('config.unsupported')} text={t('config.unsupportedText')} />
      ) : isCanceled(query.error) ? (
        <EmptyState
          title={t('config.loadFailed')}
          text={t('config.canceled')}
          action={<Button onClick={() => void query.refetch()}>{t('common.tryAgain')}</Button>}
        />
      ) : (
        <ErrorState title={t('config.loadFailed')} error={query.error} onRetry={() => void query.refetch()} />
      )}
    </section>
  );
}

type SummaryOf = Extract<NonNullable<ConfigurationState['summary']>, { ok: true }>['summary'];

/** A text that is no configuration cannot be shown as fields: where, and what to do. */
function VisualBody({
  state: { summary, before },
  onSource,
  children,
}: {
  readonly state: ConfigurationState;
  readonly onSource: () => void;
  readonly children: (summary: SummaryOf, before: SummaryOf | null) => ReactNode;
}) {
  const { t } = useText();
  if (summary === null) return <section className="panel" aria-busy style={{ minHeight: 240 }} />;
  if (summary.ok) return children(summary.summary, before?.ok === true ? before.summary : null);
  const [problem] = summary.problems;
  return (
    <section className="panel">
      <UnsupportedState
        title={t('config.broken')}
        text={problem === undefined ? '' : problemText(t, problem)}
        action={<Button onClick={onSource}>{t('config.toSource')}</Button>}
      />
    </section>
  );
}
