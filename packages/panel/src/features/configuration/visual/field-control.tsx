import { Select, Switch, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { type TextKey, type Translate, useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { KeyField } from '../../../ui/controls/key-field.tsx';
import type { FieldState } from '../draft.ts';
import { type Field, fallbackOf, fieldId } from '../model/fields.ts';
import { renderFlow } from '../model/render.ts';
import type { ConfigValue } from '../model/values.ts';
import type { Thread } from '../worker/thread.ts';
import { isIncomplete, paramsKind, readRules } from './payload-rules.ts';
import { RulesControl } from './rules-control.tsx';
import { YamlInput } from './yaml-input.tsx';

interface FieldControlProps {
  readonly field: Field;
  readonly state: FieldState;
  readonly thread: Thread;
  readonly label: string;
  readonly hint: string | undefined;
  /** undefined = not set. */
  readonly onChange: (value: ConfigValue | undefined) => void;
  readonly onUnfinished: (input: string) => void;
}

const CHOICES: Readonly<Record<string, TextKey>> = {
  false: 'config.choiceOff',
  true: 'config.choiceOn',
  chat: 'config.choiceChat',
  passthrough: 'config.choicePass',
  'round-robin': 'config.roundRobin',
  'weighted-round-robin': 'config.weighted',
  'fill-first': 'config.fillFirst',
};

/** The input of one field, of the kind of its values. */
export function FieldControl(props: FieldControlProps) {
  switch (props.field.kind) {
    case 'boolean':
      return <BooleanControl {...props} />;
    case 'integer':
      return <IntegerControl {...props} field={props.field} />;
    case 'choice':
      return <ChoiceControl {...props} field={props.field} />;
    case 'text':
      return <TextControl {...props} />;
    case 'secret':
      return <SecretControl {...props} />;
    case 'structure':
      return <StructureControl {...props} />;
  }
}

/** What the gateway uses while nothing is set. */
function unsetText(t: Translate, field: Field): string {
  const fallback = fallbackOf(field);
  if (fallback === null) return t('config.unset');
  const choice = CHOICES[String(fallback)];
  const value =
    field.kind === 'boolean'
      ? t(fallback === true ? 'config.on' : 'config.off')
      : field.kind === 'choice' && choice !== undefined
        ? t(choice)
        : String(fallback);
  return t('config.defaultValue', { value });
}

function invalidText(t: Translate, { value }: FieldState): string | undefined {
  return value.state === 'invalid' ? t('config.invalidValue', { value: renderFlow(value.value) }) : undefined;
}

function BooleanControl({ field, state, label, hint, onChange }: FieldControlProps) {
  const { t } = useText();
  const { value } = state;
  const unset = value.state === 'unset' ? unsetText(t, field) : '';
  return (
    <Switch
      checked={value.state === 'set' ? value.value === true : fallbackOf(field) === true}
      label={label}
      description={[hint, unset].filter(Boolean).join(' ')}
      error={invalidText(t, state)}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function IntegerControl({
  field,
  state,
  label,
  hint,
  onChange,
  onUnfinished,
}: FieldControlProps & { readonly field: Extract<Field, { kind: 'integer' }> }) {
  const { t } = useText();
  const { value, unfinished } = state;
  const { min, max, unit } = field;
  return (
    <TextInput
      label={label}
      description={hint}
      inputMode="numeric"
      autoComplete="off"
      placeholder={unsetText(t, field)}
      value={unfinished ?? (value.state === 'unset' ? '' : String(value.value))}
      rightSection={unit === undefined ? undefined : t(unit === 'seconds' ? 'config.seconds' : 'config.megabytes')}
      rightSectionPointerEvents="none"
      error={unfinished === undefined ? invalidText(t, state) : t('config.rangeValue', { min, max })}
      onChange={({ currentTarget }) => {
        const input = currentTarget.value.trim();
        const number = Number(input);
        if (input === '') onChange(undefined);
        else if (/^-?\d+$/.test(input) && number >= min && number <= max) onChange(number);
        else onUnfinished(currentTarget.value);
      }}
    />
  );
}

function ChoiceControl({
  field,
  state,
  label,
  hint,
  onChange,
}: FieldControlProps & { readonly field: Extract<Field, { kind: 'choice' }> }) {
  const { t } = useText();
  const { value } = state;
  const name = (choice: boolean | string) => t(CHOICES[String(choice)] ?? 'config.unset');
  return (
    <Select
      label={label}
      description={hint}
      placeholder={unsetText(t, field)}
      data={field.choices.map((choice) => ({ value: String(choice), label: name(choice) }))}
      value={value.state === 'set' ? String(value.value) : null}
      error={invalidText(t, state)}
      allowDeselect={false}
      onChange={(chosen) => {
        const choice = field.choices.find((one) => String(one) === chosen);
        if (choice !== undefined) onChange(choice);
      }}
    />
  );
}

function TextControl({ state, label, hint, onChange }: FieldControlProps) {
  const { t } = useText();
  const { value } = state;
  return (
    <TextInput
      label={label}
      description={hint}
      placeholder={t('config.unset')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value.state === 'set' ? String(value.value) : ''}
      error={invalidText(t, state)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The hash in the file is never shown, and never written back as a key. */
function SecretControl({ state, label, onChange }: FieldControlProps) {
  const { t } = useText();
  const [replacing, setReplacing] = useState(false);
  const { value, changed } = state;
  if (!replacing && !changed) {
    return (
      <div className="form-row">
        <span className="medium">{label}</span>
        <span className="small ink-2">{t(value.state === 'unset' ? 'config.keyMissing' : 'config.keySet')}</span>
        <span>
          <Button onClick={() => setReplacing(true)}>{t('config.replaceKey')}</Button>
        </span>
      </div>
    );
  }
  return (
    <KeyField
      label={t('config.newKey')}
      autoComplete="off"
      value={changed && value.state === 'set' ? String(value.value) : ''}
      onChange={(key) => onChange(key)}
    />
  );
}

/** A form of its own for payload rules; other parts, and rules of unknown form, as YAML. */
function StructureControl({ field, state, thread, label, hint, onChange, onUnfinished }: FieldControlProps) {
  const { t } = useText();
  const value = state.value.state === 'unset' ? undefined : state.value.value;
  const kind = paramsKind(fieldId(field));
  const rules = kind === null ? null : readRules(value, kind);
  const [asText, setAsText] = useState(false);
  // Undone while something typed was no value: the inputs begin anew.
  const inputs = useRef({ changed: state.changed, number: 0 });
  if (inputs.current.changed && !state.changed) inputs.current.number += 1;
  inputs.current.changed = state.changed;
  const key = inputs.current.number;
  if (kind === null || rules === null || asText) {
    return (
      <YamlInput
        key={key}
        label={label}
        hint={[hint, t('config.yamlHint')].filter(Boolean).join(' ')}
        value={value}
        thread={thread}
        onValue={onChange}
        onUnfinished={onUnfinished}
      />
    );
  }
  return (
    <>
      <RulesControl
        key={key}
        label={label}
        hint={hint}
        rules={rules}
        kind={kind}
        thread={thread}
        onRules={(changed) => {
          onChange(changed);
          if (isIncomplete(changed)) onUnfinished('');
        }}
        onUnfinished={onUnfinished}
      />
      {state.unfinished !== undefined && <p className="form-error">{t('config.ruleIncomplete')}</p>}
      <Button kind="quiet" onClick={() => setAsText(true)}>
        {t('config.asYaml')}
      </Button>
    </>
  );
}
