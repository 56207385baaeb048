import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Icon } from '../icons.tsx';
import { Button } from './button.tsx';

interface KeyFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoComplete: 'current-password' | 'off';
}

/** A secret with show and hide. The input stays the same element for password managers. */
export function KeyField({ onChange, ...field }: KeyFieldProps) {
  const { t } = useText();
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      size="md"
      {...field}
      classNames={{ input: 'mono' }}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        <Button
          kind="quiet"
          square
          aria-pressed={shown}
          aria-label={shown ? t('common.hideKey') : t('common.showKey')}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eye' : 'eyeOff'} />
        </Button>
      }
    />
  );
}
