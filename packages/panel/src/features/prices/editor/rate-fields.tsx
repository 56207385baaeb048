import { SimpleGrid, TextInput } from '@mantine/core';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { type Problems, RATE_NAMES, type RateTexts } from '../price-form.ts';
import { RATE_LABELS } from '../price-words.ts';

/** One input with its label and error. */
export function TextField({
  label,
  value,
  problem,
  numeric = false,
  placeholder,
  autoFocus = false,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly problem?: TextKey | undefined;
  /** Numbers: a phone shows its numeric keys. */
  readonly numeric?: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly onChange: (value: string) => void;
}) {
  const { t } = useText();
  return (
    <TextInput
      size="xs"
      label={label}
      value={value}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={placeholder}
      error={problem !== undefined && t(problem)}
      {...(numeric ? { inputMode: 'decimal' as const } : {})}
      {...(autoFocus ? { 'data-autofocus': true } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The fields of a price or of one of its tiers, US dollars per 1,000,000 tokens. */
export function RateFields({
  rates,
  path,
  problems,
  overlay = false,
  onChange,
}: {
  readonly rates: RateTexts;
  /** First part of the names in `problems`. */
  readonly path: string;
  readonly problems: Problems;
  /** Unset fields use the base price. */
  readonly overlay?: boolean;
  readonly onChange: (rates: RateTexts) => void;
}) {
  const { t } = useText();
  return (
    <SimpleGrid minColWidth={140} verticalSpacing="sm" my="sm">
      {RATE_NAMES.map((name) => (
        <TextField
          key={name}
          label={t(RATE_LABELS[name])}
          value={rates[name]}
          problem={problems[path + name]}
          placeholder={t(overlay ? 'prices.inherited' : 'prices.notSet')}
          numeric
          onChange={(value) => onChange({ ...rates, [name]: value })}
        />
      ))}
    </SimpleGrid>
  );
}
