import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'min' | 'max' | 'onChange' | 'onBlur'> {
  /** null and NaN stand for an empty field. */
  readonly value: number | null;
  readonly min: number;
  readonly max?: number;
  /** Digits after the point. */
  readonly decimals?: number;
  readonly unit?: string | undefined;
  /** Called at every change; null while the field holds no number. */
  readonly onChange: (value: number | null) => void;
}

/** A number with its unit on the right; arrow keys step by one, and values out of bounds are corrected on blur. */
export function NumberField({
  value,
  min,
  max = Number.MAX_SAFE_INTEGER,
  decimals = 0,
  unit,
  onChange,
  ...field
}: NumberFieldProps) {
  // The text being typed; otherwise the field shows its value.
  const [draft, setDraft] = useState<string | null>(null);
  const known = value !== null && !Number.isNaN(value);
  return (
    <TextInput
      {...field}
      type="number"
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      min={min}
      max={max}
      step={decimals === 0 ? 1 : 'any'}
      aria-valuetext={known && unit !== undefined ? `${value} ${unit}` : undefined}
      rightSection={unit}
      rightSectionPointerEvents="none"
      value={draft ?? (known ? value : '')}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value);
        onChange(Number.isNaN(currentTarget.valueAsNumber) ? null : currentTarget.valueAsNumber);
      }}
      onBlur={() => {
        setDraft(null);
        if (!known) return;
        const mended = Math.min(max, Math.max(min, Number(value.toFixed(decimals))));
        if (mended !== value) onChange(mended);
      }}
    />
  );
}
