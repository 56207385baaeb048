import { Group } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type EditOutcome, sameJson } from '../../../platform/gateway/list-edits.ts';
import {
  callableEntry,
  comparableEntry,
  type Entry,
  identityOf,
  isEntrySecret,
  modelsOf,
  titleOf,
  writtenEntry,
} from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { JsonView } from '../../../ui/controls/json-view.tsx';
import { TabLinks } from '../../../ui/controls/tabs.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { failureOf, outcomeText, type Told } from '../../../ui/gateway/edit-outcome.ts';
import { TestTab } from '../probe/test-tab.tsx';
import type { EditProvider } from '../use-providers.ts';
import { draftOf, entryOf } from './draft.ts';
import { EntryForm } from './entry-form.tsx';
import { problemsOf } from './problems.ts';

const TABS = { form: 'providers.form', json: 'providers.json', test: 'providers.test' } as const satisfies Record<
  string,
  TextKey
>;
export type PaneTab = keyof typeof TABS;
const TAB_NAMES = Object.keys(TABS) as readonly PaneTab[];

interface ProviderPaneProps {
  readonly kind: Kind;
  /** As listed now; null = a new one. */
  readonly listed: Entry | null;
  /** The whole list. */
  readonly list: readonly Entry[];
  readonly enabled: boolean;
  readonly docked: boolean;
  readonly tab: PaneTab;
  readonly onTab: (tab: PaneTab) => void;
  /** Its use. */
  readonly children?: ReactNode;
  /** What the page says of the last change. */
  readonly note: ReactNode;
  readonly edit: EditProvider;
  readonly onDirty: (dirty: boolean) => void;
  /** Stored as this entry. */
  readonly onStored: (outcome: Extract<EditOutcome<Entry>, { readonly kind: 'done' }>, told: Told) => void;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

const NEW: Entry = {};

/** Editor of one entry. What is sent is the difference to what was shown. */
export function ProviderPane(props: ProviderPaneProps) {
  const { kind, listed, tab, onTab } = props;
  const { t } = useText();
  const [base, setBase] = useState(listed);
  /** What was shown last: after a save the list may be older than the answer. */
  const [seen, setSeen] = useState(listed);
  const [draft, setDraft] = useState(() => draftOf(listed ?? NEW));
  const [isJson, setIsJson] = useState(true);
  /** Of the text of the JSON view, which starts again with another entry. */
  const [version, setVersion] = useState(0);
  const [told, setTold] = useState(false);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<EditOutcome<Entry> | null>(null);
  const [failure, setFailure] = useState<Told | null>(null);

  const edited = entryOf(draft);
  const dirty = !sameJson(comparableEntry(edited), comparableEntry(base ?? NEW)) || !isJson;
  const isStored = listed !== null && sameJson(comparableEntry(edited), comparableEntry(listed));
  if (listed !== null && !sameJson(listed, seen) && (!dirty || isStored)) {
    // Nothing typed is lost: the form follows what others change, and shows what came of a change without an answer.
    setSeen(listed);
    setBase(listed);
    setDraft(draftOf(listed));
    setAnswer(null);
    setVersion(version + 1);
  }
  const { onDirty } = props;
  useEffect(() => onDirty(dirty), [onDirty, dirty]);
  const own = base === null ? null : identityOf(kind, base);
  // Of several with the same identity one is this one.
  const self = props.list.findIndex((other) => sameJson(comparableEntry(other), comparableEntry(base ?? NEW)));
  const others = props.list.filter((other, at) => (self < 0 ? identityOf(kind, other) !== own : at !== self));
  const changesIdentity = base === null || identityOf(kind, edited) !== own;
  const problems = problemsOf(kind, draft, changesIdentity ? others : []);
  const shownProblems = new Map(told ? problems.map(({ path, text }) => [path, text]) : []);
  const name = (base === null ? titleOf(kind, edited) : titleOf(kind, base)) || kind.name;

  const adopt = (entry: Entry) => {
    setSeen(listed);
    setBase(entry);
    // What was typed meanwhile stays.
    setDraft((now) => (now === draft ? draftOf(entry) : now));
    setIsJson(true);
    setAnswer(null);
    setVersion(version + 1);
  };
  const send = async (from: Entry | null, overrule = false) => {
    setTold(true);
    if (problems.length > 0 || !isJson) {
      onTab(isJson ? 'form' : 'json');
      return;
    }
    setBusy(true);
    setAnswer(null);
    setFailure(null);
    try {
      const entry = comparableEntry(edited);
      const outcome = await props.edit(
        kind,
        from === null ? { kind: 'add', entry } : { kind: 'change', base: from, entry },
        { overrule },
      );
      if (outcome.kind === 'done' && outcome.entry !== null) {
        adopt(outcome.entry);
        setTold(false);
        props.onStored(outcome, outcomeText(outcome, name, t));
      } else setAnswer(outcome);
    } catch (error) {
      setFailure(failureOf(error, name, t));
    }
    setBusy(false);
  };
  const said = failure ?? (answer === null ? null : outcomeText(answer, name, t));
  return (
    <Drawer
      label={t('providers.provider')}
      docked={props.docked}
      entersForm={base === null}
      onClose={props.onClose}
      head={
        <>
          {base !== null && (
            <Status tone={props.enabled ? 'ok' : 'off'} pill>
              {t(props.enabled ? 'providers.on' : 'providers.off')}
            </Status>
          )}
          <b className="ellipsis">
            {base === null ? t('providers.newOf', { type: kind.name }) : `${name} · ${kind.name}`}
          </b>
        </>
      }
      tabs={
        <>
          <TabLinks label={t('providers.parts')} chosen={tab}>
            {TAB_NAMES.map((one) => (
              <button
                key={one}
                type="button"
                className="tab"
                disabled={!isJson}
                {...(one === tab ? { 'aria-current': 'page' as const } : {})}
                onClick={() => onTab(one)}
              >
                {t(TABS[one])}
              </button>
            ))}
          </TabLinks>
          {said === null && props.note && <section>{props.note}</section>}
          {said !== null && (
            <section>
              <Note tone={said.tone} fact={said.fact}>
                {said.text}
              </Note>
              <Group mt="sm">
                {answer?.kind === 'conflict' && (
                  <>
                    <Button onClick={() => adopt(answer.theirs)}>{t('edits.takeTheirs')}</Button>
                    <Button disabled={busy} onClick={() => void send(base, true)}>
                      {t('prices.saveMine')}
                    </Button>
                  </>
                )}
                {answer?.kind === 'gone' && (
                  <Button disabled={busy} onClick={() => void send(null)}>
                    {t('providers.addAgain')}
                  </Button>
                )}
              </Group>
            </section>
          )}
        </>
      }
      foot={
        <>
          <Button kind="primary" disabled={busy || !dirty} aria-busy={busy} onClick={() => void send(base)}>
            {t(base === null ? 'providers.addProvider' : 'providers.save')}
          </Button>
          {base !== null && (
            <Button kind="danger" disabled={busy} onClick={props.onDelete}>
              {t('providers.delete')}
            </Button>
          )}
          {kind.channel === '' && modelsOf(edited).length === 0 && (
            <span className="small tone-warn">{t('providers.modelsHintNone')}</span>
          )}
          {told && problems.length > 0 && (
            <span className="form-error" role="alert">
              {t('providers.problems', { count: problems.length })}
            </span>
          )}
        </>
      }
    >
      {tab === 'form' && (
        <>
          {props.children}
          <EntryForm
            kind={kind}
            draft={draft}
            callable={callableEntry(kind, base, edited)}
            problems={shownProblems}
            onChange={setDraft}
          />
        </>
      )}
      {tab === 'json' && (
        <section>
          <JsonView
            key={version}
            object={writtenEntry(edited)}
            isSecret={isEntrySecret}
            onChange={(entry) => {
              setIsJson(entry !== null);
              if (entry !== null) setDraft(draftOf(entry));
            }}
          />
        </section>
      )}
      {tab === 'test' && <TestTab kind={kind} entry={callableEntry(kind, base, edited)} />}
    </Drawer>
  );
}
