import { useId } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import type { CellContext } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import type { ConfigField, ConfigValue } from '../model/config-form.ts';

/** One member: a value, an empty value, or none at all, which is something else. */
export function ConfigFieldRow({
  field,
  value,
  invalid,
  disabled,
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
  const id = useId();
  const { kind, label, hint } = field;
  if (kind === 'flag') {
    return (
      <div className="form-row config-row">
        <span className="form-label">{t(label)}</span>
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
  const many = kind === 'list' || kind === 'headers';
  return (
    <div className="form-row config-row">
      <label className="form-label" htmlFor={id}>
        {t(label)}
      </label>
      <span className="row">
        {many ? (
          <textarea
            id={id}
            className="config-lines"
            rows={Math.min(6, Math.max(2, text.split('\n').length))}
            value={text}
            placeholder={value === null ? t('configTab.unset') : t('configTab.empty')}
            spellCheck={false}
            aria-invalid={invalid}
            disabled={disabled}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <span className="field config-input">
            <input
              id={id}
              value={text}
              placeholder={value === null ? t('configTab.unset') : t('configTab.empty')}
              autoComplete="off"
              spellCheck={false}
              inputMode={kind === 'integer' ? 'numeric' : 'text'}
              aria-invalid={invalid}
              disabled={disabled}
              onChange={(event) => onChange(event.currentTarget.value)}
            />
          </span>
        )}
        <Button
          kind="quiet"
          disabled={disabled || value === null}
          aria-label={t('configTab.unsetField', { field: t(label) })}
          onClick={() => onChange(null)}
        >
          {t('configTab.unsetShort')}
        </Button>
      </span>
      {(hint !== undefined || invalid) && (
        <p className={invalid ? 'form-error' : 'form-hint'}>{hint === undefined ? t('configTab.invalid') : t(hint)}</p>
      )}
    </div>
  );
}
