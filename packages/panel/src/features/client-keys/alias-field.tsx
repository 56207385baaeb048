import { ALIAS_MAX_CODE_POINTS } from '@manager/core/contract/constants';
import { TextInput } from '@mantine/core';
import type { Ref } from 'react';
import { hashPrefix } from '../../platform/format/mask.ts';
import { useText } from '../../platform/i18n/index.ts';
import type { AliasVerdict } from './alias-rules.ts';

/** Name of a key, its error, and the confirmation to take a name over from a deleted key. */
export function AliasField({
  value,
  onChange,
  label,
  verdict,
  told,
  error,
  takeOver,
  onTakeOver,
  disabled,
  inputRef,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly verdict: AliasVerdict;
  /** Errors are shown after the first attempt to save. */
  readonly told: boolean;
  /** The manager's answer, '' = none. */
  readonly error: string;
  readonly takeOver: boolean;
  readonly onTakeOver: (takeOver: boolean) => void;
  readonly disabled: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}) {
  const { t } = useText();
  const problem = verdict.kind === 'problem' && told ? t(verdict.text, { most: ALIAS_MAX_CODE_POINTS }) : error;
  return (
    <div className="form-row">
      <TextInput
        size="md"
        ref={inputRef}
        label={label}
        description={problem === '' && t('clientKeys.aliasHint', { most: ALIAS_MAX_CODE_POINTS })}
        error={problem !== '' && <span role="alert">{problem}</span>}
        value={value}
        autoComplete="off"
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {verdict.kind === 'orphan' && (
        <label className="row tick">
          <input
            type="checkbox"
            checked={takeOver}
            disabled={disabled}
            onChange={(event) => onTakeOver(event.currentTarget.checked)}
          />
          <span>{t('clientKeys.takeOver', { hash: hashPrefix(verdict.hash) })}</span>
        </label>
      )}
      {verdict.kind === 'orphan' && told && !takeOver && (
        <span className="form-error" role="alert">
          {t('clientKeys.takeOverNeeded')}
        </span>
      )}
    </div>
  );
}
