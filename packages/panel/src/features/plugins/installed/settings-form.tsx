import { Select, Textarea, TextInput } from '@mantine/core';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { KeyField } from '../../../ui/controls/key-field.tsx';
import type { PluginField } from '../model/plugin.ts';
import { isSecretSetting, type SettingsDraft, textOf, typeInto } from '../model/settings.ts';

/** The settings that a plugin describes. An empty field is not set: the plugin uses its own value. */
export function SettingsForm({
  fields,
  draft,
  onChange,
}: {
  readonly fields: readonly PluginField[];
  readonly draft: SettingsDraft;
  readonly onChange: (draft: SettingsDraft) => void;
}) {
  return (
    <div className="form-fields">
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          text={textOf(draft, field)}
          unfinished={draft.unfinished[field.name] !== undefined}
          onType={(typed) => onChange(typeInto(draft, field, typed))}
        />
      ))}
    </div>
  );
}

function FieldInput({
  field,
  text,
  unfinished,
  onType,
}: {
  readonly field: PluginField;
  readonly text: string;
  readonly unfinished: boolean;
  readonly onType: (typed: string) => void;
}) {
  const { t } = useText();
  const { type, name, description, choices } = field;
  const shared = {
    label: shown(name, 100),
    description,
    placeholder: t('providers.unset'),
    autoComplete: 'off',
  } as const;
  if (type === 'boolean' || (type === 'enum' && choices.length > 0)) {
    const options =
      type === 'boolean'
        ? [
            { value: 'true', label: t('common.on') },
            { value: 'false', label: t('common.off') },
          ]
        : [...new Set(choices)].map((value) => ({ value, label: shown(value, 100) }));
    // A stored value outside the choices stays visible.
    const data =
      text === '' || options.some(({ value }) => value === text) ? options : [...options, { value: text, label: text }];
    return (
      <Select
        {...shared}
        data={data}
        value={text === '' ? null : text}
        clearable
        onChange={(value) => onType(value ?? '')}
      />
    );
  }
  if (type === 'array' || type === 'object') {
    return (
      <Textarea
        {...shared}
        classNames={{ input: 'mono' }}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        value={text}
        error={unfinished && t(type === 'array' ? 'plugin.badArray' : 'providers.jsonInvalid')}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    );
  }
  if (type === 'string' && isSecretSetting(name, '')) {
    return <KeyField {...shared} size="sm" value={text} onChange={onType} />;
  }
  return (
    <TextInput
      {...shared}
      autoCapitalize="none"
      spellCheck={false}
      {...(type === 'string' ? {} : { inputMode: 'decimal' as const })}
      value={text}
      error={unfinished && t(type === 'integer' ? 'plugin.badInteger' : 'plugin.badNumber')}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
