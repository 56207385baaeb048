import { Group, Input } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import type { CellContext } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { type ConfigField, type ConfigValue, holdsSecret, typedValue } from '../model/config-form.ts';

/** One field: a value, an empty value, or not set, which differs from empty. */
export function ConfigFieldRow({
  field,
  value,
  invalid,
  disabled,
  context,
  onChange,
}: {
  readonly field: ConfigField;
  readonly value: ConfigValue;
  readonly invalid: boolean;
  readonly disabled: boolean;
  readonly context: CellContext;
  readonly onChange: (value: ConfigValue) => void;
}) {
  const { t } = useText();
  const { kind, label, hint } = field;
  // The stored value: what is typed stays visible.
  const [isHidden, setHidden] = useState(() => holdsSecret(field, value));
  if (isHidden && context.masker.on) {
    return (
      <div style={{ marginBottom: 12 }} className="form-row">
        <span className="medium">{t(label)}</span>
        <span className="small ink-2">{t('config.hiddenValue')}</span>
        <span>
          <Button
            disabled={disabled}
            aria-label={t('config.showValue', { name: t(label) })}
            onClick={() => setHidden(false)}
          >
            {t('config.show')}
          </Button>
        </span>
      </div>
    );
  }
  if (kind === 'flag') {
    return (
      <div style={{ marginBottom: 12 }} className="form-row">
        <span className="medium">{t(label)}</span>
        <Segmented
          label={t(label)}
          value={value === null ? 'unset' : value === true ? 'on' : 'off'}
          options={[
            { value: 'unset', label: t('configTab.inherit') },
            { value: 'on', label: t('common.on') },
            { value: 'off', label: t('common.off') },
          ]}
          onChange={(choice) => onChange(choice === 'unset' ? null : choice === 'on')}
        />
      </div>
    );
  }
  const text = typeof value === 'string' ? value : '';
  const many = kind === 'list' || kind === 'headers' || kind === 'aliases';
  return (
    <Input.Wrapper
      mb="md"
      label={t(label)}
      description={!invalid && hint !== undefined && t(hint)}
      error={invalid && t(hint ?? 'configTab.invalid')}
    >
      <Group wrap="nowrap">
        {many ? (
          <Input
            component="textarea"
            multiline
            error={invalid}
            flex={1}
            classNames={{ input: 'mono' }}
            rows={Math.min(6, Math.max(2, text.split('\n').length))}
            value={text}
            placeholder={value === null ? t('configTab.unset') : t('configTab.empty')}
            spellCheck={false}
            disabled={disabled}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <Input
            size="xs"
            error={invalid}
            flex={1}
            value={text}
            placeholder={value === null ? t('configTab.unset') : t('configTab.empty')}
            autoComplete="off"
            spellCheck={false}
            inputMode={kind === 'integer' ? 'numeric' : 'text'}
            disabled={disabled}
            onChange={(event) => onChange(typedValue(kind, event.currentTarget.value))}
          />
        )}
        <Button
          kind="quiet"
          disabled={disabled || value === null}
          aria-label={t('configTab.unsetField', { field: t(label) })}
          onClick={() => onChange(null)}
        >
          {t('configTab.unsetShort')}
        </Button>
      </Group>
    </Input.Wrapper>
  );
}
