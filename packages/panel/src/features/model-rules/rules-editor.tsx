import { Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { shown } from '../../platform/format/shown.ts';
import { type EditOutcome, type ListEdit, sameJson, undoOf } from '../../platform/gateway/list-edits.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { ERROR_RULES, errorRuleProblems } from '../../ui/forms/error-rules.ts';
import { FieldInput } from '../../ui/forms/field-input.tsx';
import type { Field } from '../../ui/forms/fields.ts';
import { failureOf, outcomeText, type Told } from '../../ui/gateway/edit-outcome.ts';
import {
  aliasesIn,
  aliasProblems,
  type ChannelRules,
  excludedBy,
  objectsIn,
  patternsIn,
  type RuleKind,
  unmatched,
  withExcluded,
} from './model/rules.ts';
import type { EditRules } from './use-rules.ts';

const FIELDS: Readonly<Record<RuleKind, Field>> = {
  excluded: { name: 'rules', kind: 'words', label: 'modelRules.excluded', hint: 'modelRules.excludedHint' },
  alias: {
    name: 'rules',
    kind: 'rows',
    label: 'modelRules.alias',
    hint: 'modelRules.aliasHint',
    fields: [
      { name: 'name', kind: 'text', label: 'providers.modelName' },
      { name: 'alias', kind: 'text', label: 'providers.modelAlias' },
      { name: 'display-name', kind: 'text', label: 'providers.modelTitle' },
      { name: 'fork', kind: 'flag', label: 'modelRules.fork' },
      { name: 'force-mapping', kind: 'flag', label: 'providers.modelForce' },
    ],
  },
  errors: { ...ERROR_RULES, name: 'rules' },
};

/** With the known models as suggestions. */
const withNames = (field: Field, suggestions: readonly string[]): Field => ({
  ...field,
  fields: (field.fields ?? []).map((one) => (one.name === 'name' ? { ...one, suggestions } : one)),
});

const NOBODY: readonly string[] = [];

function problemsOf(
  kind: RuleKind,
  rules: readonly unknown[],
): readonly { readonly path: string; readonly text: TextKey }[] {
  if (kind === 'excluded') return [];
  return kind === 'alias' ? aliasProblems(objectsIn(rules)) : errorRuleProblems(objectsIn(rules));
}

/** Rules of one kind for the accounts of one provider. */
export function RulesEditor({
  kind,
  stored,
  known,
  edit,
  onDirty,
}: {
  readonly kind: RuleKind;
  readonly stored: ChannelRules;
  /** Its models, where the gateway knows them. */
  readonly known: readonly string[] | undefined;
  readonly edit: EditRules;
  readonly onDirty: (dirty: boolean) => void;
}) {
  const { t } = useText();
  const [base, setBase] = useState(stored);
  const [rules, setRules] = useState(stored.rules);
  const [told, setTold] = useState(false);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<EditOutcome<ChannelRules> | null>(null);
  const [said, setSaid] = useState<Told | null>(null);
  /** What was shown last: after a save the list may be older than the answer. */
  const [seen, setSeen] = useState(stored);
  const dirty = !sameJson(rules, base.rules);
  if (!sameJson(stored, seen) && (!dirty || sameJson(rules, stored.rules))) {
    setSeen(stored);
    setBase(stored);
    setRules(stored.rules);
  }
  useEffect(() => onDirty(dirty), [onDirty, dirty]);
  const problems = problemsOf(kind, rules);
  const hidden =
    kind === 'excluded' ? (known ?? NOBODY).filter((model) => excludedBy(patternsIn(rules), model) !== null) : NOBODY;
  const lost =
    known === undefined || known.length === 0
      ? NOBODY
      : kind === 'excluded'
        ? unmatched(patternsIn(rules), known)
        : kind === 'alias'
          ? unmatched(
              aliasesIn(rules).map(({ name }) => name),
              known,
            )
          : NOBODY;
  const hidesAll = known !== undefined && known.length > 0 && hidden.length === known.length;

  const undo = answer && undoOf(answer);

  const send = async (change: ListEdit<ChannelRules>, overrule = false) => {
    setBusy(true);
    setAnswer(null);
    try {
      const outcome = await edit(change, overrule);
      setSaid(outcomeText(outcome, base.channel, t));
      // What was taken back is not offered once more, and where others changed the rules since, there is nothing to choose.
      if (change !== undo) setAnswer(outcome);
      if (outcome.kind === 'done' && outcome.entry !== null) {
        setSeen(stored);
        setBase(outcome.entry);
        // What was typed meanwhile stays.
        const { entry } = outcome;
        setRules((now) => (now === rules ? entry.rules : now));
        setTold(false);
      }
    } catch (error) {
      setSaid(failureOf(error, base.channel, t));
    }
    setBusy(false);
  };
  const sendRules = (overrule = false) => send({ kind: 'change', base, entry: { ...base, rules } }, overrule);
  const save = () => {
    setTold(true);
    if (problems.length > 0) return;
    if (hidesAll) setAsking(true);
    else void sendRules();
  };
  const change = (value: unknown) => setRules(Array.isArray(value) ? value : []);
  return (
    <div className="form-fields panel-body" style={{ paddingTop: 12 }}>
      {said !== null && (
        <>
          <Note
            tone={said.tone}
            fact={said.fact}
            action={
              undo !== null &&
              !dirty && (
                <Button disabled={busy} onClick={() => void send(undo)}>
                  {t('accounts.undo')}
                </Button>
              )
            }
          >
            {said.text}
          </Note>
          {answer?.kind === 'conflict' && (
            <Group>
              <Button
                onClick={() => {
                  setBase(answer.theirs);
                  setRules(answer.theirs.rules);
                  setAnswer(null);
                  setSaid(null);
                }}
              >
                {t('edits.takeTheirs')}
              </Button>
              <Button disabled={busy} onClick={() => void sendRules(true)}>
                {t('prices.saveMine')}
              </Button>
            </Group>
          )}
        </>
      )}
      <FieldInput
        field={kind === 'alias' && known !== undefined ? withNames(FIELDS.alias, known) : FIELDS[kind]}
        value={rules}
        path=""
        problems={new Map(told ? problems.map(({ path, text }) => [`.${path}`, text]) : [])}
        onChange={change}
      />
      {lost.length > 0 && (
        <p className="tone-warn" role="status">
          {t('modelRules.unmatched', { names: [...new Set(lost)].map((name) => shown(name)).join(', ') })}
        </p>
      )}
      {kind === 'excluded' && known !== undefined && known.length > 0 && (
        <KnownModels known={known} rules={rules} onChange={setRules} />
      )}
      {kind === 'excluded' && known !== undefined && (
        <p className={hidesAll ? 'tone-warn' : 'ink-2'} role="status">
          {t('modelRules.hides', { count: known.length, hidden: hidden.length })}{' '}
          {hidden
            .slice(0, 12)
            .map((model) => shown(model))
            .join(', ')}
        </p>
      )}
      {kind === 'alias' && (
        <ul className="mono small">
          {aliasesIn(rules).map(({ name, alias, fork }) => (
            <li key={`${name} ${alias}`}>
              {shown(name)} → {shown(alias)}
              {fork && `, ${shown(name)}`}
            </li>
          ))}
        </ul>
      )}
      <Group>
        <Button kind="primary" disabled={busy || !dirty} aria-busy={busy} onClick={save}>
          {t('modelRules.save')}
        </Button>
        <Button
          disabled={busy || !dirty}
          onClick={() => {
            setRules(base.rules);
            setTold(false);
          }}
        >
          {t('common.cancel')}
        </Button>
        {told && problems.length > 0 && (
          <span className="form-error" role="alert">
            {t('providers.problems', { count: problems.length })}
          </span>
        )}
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('modelRules.hideAll')}
        confirmLabel={t('modelRules.hideAll')}
        danger
        onConfirm={() => sendRules()}
      >
        {t('modelRules.hideAllText', { channel: base.channel })}
      </ConfirmDialog>
    </div>
  );
}

/** To see and to pick from. A model that a pattern excludes cannot be unpicked. */
function KnownModels({
  known,
  rules,
  onChange,
}: {
  readonly known: readonly string[];
  readonly rules: readonly unknown[];
  readonly onChange: (rules: readonly unknown[]) => void;
}) {
  const { t } = useText();
  return (
    <details className="form-part">
      <summary>{t('modelRules.known', { count: known.length })}</summary>
      <ul className="pick-list">
        {known.map((model) => {
          const without = withExcluded(rules, model, false);
          return (
            <li key={model}>
              <label className="tick">
                <input
                  type="checkbox"
                  checked={excludedBy(patternsIn(rules), model) !== null}
                  disabled={excludedBy(patternsIn(without), model) !== null}
                  onChange={(event) => onChange(withExcluded(without, model, event.currentTarget.checked))}
                />
                <span className="mono">{shown(model)}</span>
              </label>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
