import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { timeFromTyping } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';

interface MomentFieldProps {
  readonly label: string;
  /** As of `toInputValue`; the time may be what was typed so far. */
  readonly value: string;
  /** Latest day, in the same form. */
  readonly max?: string;
  /** true = marked without a text. */
  readonly error: ReactNode;
  readonly onChange: (value: string) => void;
}

/** A day and a time of 24 hours: a browser's own field for both follows its language, with `AM` and `PM`. */
export function MomentField({ label, value, max, error, onChange }: MomentFieldProps) {
  const { t } = useText();
  const [day = '', time = ''] = value.split('T');
  return (
    <fieldset className="moment-field">
      <TextInput
        size="xs"
        type="date"
        label={label}
        value={day}
        {...(max === undefined ? {} : { max: max.split('T')[0] ?? '' })}
        error={error}
        onChange={(event) => onChange(`${event.currentTarget.value}T${time}`)}
      />
      <TextInput
        size="xs"
        label={t('range.time')}
        aria-label={`${t('range.time')}, ${label}`}
        inputMode="numeric"
        placeholder="00:00"
        maxLength={5}
        value={time}
        error={Boolean(error)}
        onChange={(event) => onChange(`${day}T${event.currentTarget.value}`)}
        onBlur={() => onChange(`${day}T${timeFromTyping(time) ?? time}`)}
      />
    </fieldset>
  );
}
