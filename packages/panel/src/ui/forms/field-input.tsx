import { Input, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { isRecord } from '../../platform/browser/storage.ts';
import { type Entry, hasPassword, withMember } from '../../platform/gateway/providers/entry.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { Button } from '../controls/button.tsx';
import { ChoiceMenu } from '../controls/choice-menu.tsx';
import { KeyField } from '../controls/key-field.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Icon } from '../icons.tsx';
import type { Field } from './fields.ts';

export interface FieldProps {
  readonly field: Field;
  /** Unchecked; undefined = not set. */
  readonly value: unknown;
  readonly path: string;
  readonly problems: ReadonlyMap<string, TextKey>;
  readonly onChange: (value: unknown) => void;
  /** Beside the button that adds a row. */
  readonly action?: ReactNode;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The control of one member. */
export function FieldInput(props: FieldProps) {
  const { field, value, path, problems, onChange } = props;
  const { t } = useText();
  const list = useId();
  // An address with a password. Decided once: the control must not change while it is typed into.
  const [isPrivate] = useState(() => hasPassword(textOf(value)));
  const change = (typed: string) => onChange(typed || undefined);
  const problem = problems.get(path);
  const label = t(field.label);
  const described = {
    label,
    description: field.hint !== undefined && t(field.hint),
    error: problem !== undefined && t(problem),
  };
  switch (field.kind) {
    case 'secret':
      return <KeyField size="sm" {...described} value={textOf(value)} autoComplete="off" onChange={change} />;
    case 'text':
      return isPrivate ? (
        <KeyField size="sm" {...described} value={textOf(value)} autoComplete="off" onChange={change} />
      ) : (
        <TextInput
          {...described}
          value={textOf(value)}
          autoComplete="off"
          spellCheck={false}
          {...(field.suggestions === undefined ? {} : { list })}
          onChange={(event) => change(event.currentTarget.value)}
          rightSection={
            field.suggestions !== undefined && (
              <datalist id={list}>
                {field.suggestions.map((suggestion) => (
                  <option key={suggestion} value={suggestion} />
                ))}
              </datalist>
            )
          }
        />
      );
    case 'integer':
      return (
        <TextInput
          {...described}
          type="number"
          inputMode="numeric"
          step={1}
          {...(Number.isFinite(field.min) ? { min: field.min } : {})}
          value={textOf(value)}
          onChange={({ currentTarget: { valueAsNumber } }) =>
            onChange(Number.isNaN(valueAsNumber) ? undefined : Math.trunc(valueAsNumber))
          }
        />
      );
    case 'flag':
      return (
        <Switch
          label={label}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked || undefined)}
        />
      );
    case 'tristate':
      return (
        <div className="form-row">
          <span className="medium">{label}</span>
          <span>
            <Segmented
              label={label}
              value={value === true ? 'on' : value === false ? 'off' : 'inherit'}
              options={[
                { value: 'inherit', label: t('configTab.inherit') },
                { value: 'on', label: t('common.on') },
                { value: 'off', label: t('common.off') },
              ]}
              onChange={(choice) => onChange(choice === 'inherit' ? undefined : choice === 'on')}
            />
          </span>
        </div>
      );
    case 'choice':
      return (
        <Input.Wrapper error={described.error}>
          <ChoiceMenu
            title={label}
            value={textOf(value)}
            choices={['', ...(field.choices ?? [])]}
            name={(choice) => choice || t('providers.unset')}
            onChange={(choice) => onChange(choice || undefined)}
          />
        </Input.Wrapper>
      );
    case 'words':
      return <WordsInput {...props} />;
    case 'group':
      return <GroupInput {...props} />;
    default:
      return <RowsInput {...props} />;
  }
}

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** One text a line. What is typed stays as it is while it means the same. */
function WordsInput({ field, value, path, problems, onChange }: FieldProps) {
  const { t } = useText();
  const words = Array.isArray(value) ? value.map(String) : [];
  const [typed, setTyped] = useState('');
  const text = lines(typed).join('\n') === words.join('\n') ? typed : words.join('\n');
  const problem = problems.get(path);
  return (
    <Input.Wrapper
      label={t(field.label)}
      description={t(field.hint ?? 'providers.linesHint')}
      error={problem !== undefined && t(problem)}
    >
      <Input
        component="textarea"
        multiline
        classNames={{ input: 'mono' }}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        value={text}
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          const next = lines(event.currentTarget.value);
          onChange(next.length === 0 ? undefined : next);
        }}
      />
    </Input.Wrapper>
  );
}

function Members({
  fields,
  entry,
  path,
  problems,
  onChange,
}: Omit<FieldProps, 'field' | 'value' | 'onChange'> & {
  readonly fields: readonly Field[];
  readonly entry: Entry;
  readonly onChange: (entry: Entry) => void;
}) {
  return fields.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={entry[field.name]}
      path={path === '' ? field.name : `${path}.${field.name}`}
      problems={problems}
      onChange={(value) => onChange(withMember(entry, field.name, value))}
    />
  ));
}

function GroupInput({ field, value, path, problems, onChange }: FieldProps) {
  const { t } = useText();
  const entry = isRecord(value) ? value : {};
  return (
    <details className="form-part" {...(Object.keys(entry).length > 0 ? { open: true } : {})}>
      <summary>{t(field.label)}</summary>
      <Members
        fields={field.fields ?? []}
        entry={entry}
        path={path}
        problems={problems}
        onChange={(next) => onChange(Object.keys(next).length === 0 ? undefined : next)}
      />
    </details>
  );
}

/** A list of objects. Members without a field stay in their row. */
function RowsInput({ field, value, path, problems, onChange, action }: FieldProps) {
  const { t } = useText();
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const fields = field.fields ?? [];
  const more = fields.filter((one) => one.more === true);
  return (
    <fieldset className="form-list">
      <legend>{t(field.label)}</legend>
      {field.hint !== undefined && <p className="small ink-3">{t(field.hint)}</p>}
      {rows.map((row, at) => {
        const entry = isRecord(row) ? row : {};
        const change = (next: Entry) => onChange(rows.with(at, next));
        const shared = { entry, path: `${path}.${at}`, problems, onChange: change };
        return (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: the inputs keep no state of a row.
            key={at}
            className="form-line"
            aria-label={t('providers.rowOf', { name: t(field.label), number: at + 1 })}
          >
            <Members {...shared} fields={fields.filter((one) => one.more !== true)} />
            {more.length > 0 && (
              <details className="form-part">
                <summary>{t('providers.moreFields')}</summary>
                <Members {...shared} fields={more} />
              </details>
            )}
            <Button
              kind="quiet"
              aria-label={t('providers.removeRow', { name: t(field.label), number: at + 1 })}
              onClick={() => onChange(rows.length === 1 ? undefined : rows.toSpliced(at, 1))}
            >
              {t('providers.remove')}
            </Button>
          </fieldset>
        );
      })}
      <span className="row">
        <Button onClick={() => onChange([...rows, {}])}>
          <Icon name="plus" />
          {t('providers.add')}
        </Button>
        {action}
      </span>
    </fieldset>
  );
}
