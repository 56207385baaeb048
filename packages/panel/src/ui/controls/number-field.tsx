import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { fitsRange, type NumberRange, rangeText } from '../../platform/wording/number-range.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'min' | 'max' | 'onChange' | 'onBlur'> {
  /** null and NaN stand for an empty field. */
  readonly value: number | null;
  readonly range: NumberRange;
  /** May be left empty. */
  readonly optional?: boolean;
  /** Shows what is wrong before the field was left: a form was sent. */
  readonly insist?: boolean;
  readonly unit?: string | undefined;
  /** Called at every change with what was typed, in the range or not; NaN while the field holds no number. */
  readonly onChange: (value: number) => void;
}

/**
 * A number with its unit on the right. Nothing typed is ever changed: what is outside the range is marked with the range while it is typed, so
 * that a form which refuses it never points at an unmarked field. An empty field is marked once it was left or emptied.
 */
export function NumberField({ value, range, optional, insist, unit, onChange, ...field }: NumberFieldProps) {
  const { t } = useText();
  // The text being typed; otherwise the field shows its value.
  const [draft, setDraft] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  const known = value !== null && !Number.isNaN(value);
  const fits = known || draft ? fitsRange(value, range) : optional === true;
  const wrong = !fits && (insist === true || known || left || draft !== null);
  const { key, values } = rangeText(range);
  return (
    <TextInput
      {...field}
      type="number"
      inputMode={range.decimals === undefined ? 'numeric' : 'decimal'}
      min={range.least}
      {...(range.most === undefined ? {} : { max: range.most })}
      step={range.decimals === undefined ? 1 : 'any'}
      aria-valuetext={known && unit !== undefined ? `${value} ${unit}` : undefined}
      rightSection={unit}
      {...(unit === undefined ? {} : { rightSectionWidth: `max(32px, ${unit.length * 8 + 16}px)` })}
      rightSectionPointerEvents="none"
      description={wrong ? undefined : field.description}
      error={wrong && field.disabled !== true ? t(key, values) : undefined}
      value={draft ?? (known ? value : '')}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value);
        onChange(currentTarget.valueAsNumber);
      }}
      onBlur={() => {
        setDraft(null);
        setLeft(true);
      }}
    />
  );
}
