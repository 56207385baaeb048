import { type Ref, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Icon } from '../icons.tsx';
import { Button } from './button.tsx';

/** A secret with show and hide. The input stays the same element, so that password managers keep their hold on it. */
export function KeyField({
  id,
  value,
  onChange,
  autoComplete,
  invalid = false,
  disabled = false,
  describedBy,
  placeholder,
  inputRef,
}: {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoComplete: 'current-password' | 'off';
  readonly invalid?: boolean;
  readonly disabled?: boolean;
  readonly describedBy?: string | undefined;
  readonly placeholder?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
}) {
  const { t } = useText();
  const [shown, setShown] = useState(false);
  return (
    <div className="field large">
      <input
        id={id}
        ref={inputRef}
        className="mono"
        type={shown ? 'text' : 'password'}
        value={value}
        autoComplete={autoComplete}
        spellCheck={false}
        autoCapitalize="none"
        disabled={disabled}
        placeholder={placeholder}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        kind="quiet"
        square
        aria-pressed={shown}
        aria-label={shown ? t('common.hideKey') : t('common.showKey')}
        onClick={() => setShown(!shown)}
      >
        <Icon name={shown ? 'eye' : 'eyeOff'} />
      </Button>
    </div>
  );
}
