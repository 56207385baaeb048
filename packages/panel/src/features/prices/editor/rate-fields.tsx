import { useId } from 'react';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { type Problems, RATE_NAMES, type RateTexts } from '../price-form.ts';
import { RATE_LABELS } from '../price-words.ts';

/** One input with its label and what is wrong with it. */
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
  const id = useId();
  return (
    <div className="form-row">
      <label className="form-label small" htmlFor={id}>
        {label}
      </label>
      <span className="field" {...(problem === undefined ? {} : { 'data-invalid': '' })}>
        <input
          id={id}
          value={value}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          {...(numeric ? { inputMode: 'decimal' as const } : {})}
          {...(autoFocus ? { 'data-autofocus': true } : {})}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </span>
      {problem !== undefined && (
        <span className="form-error" id={`${id}-problem`}>
          {t(problem)}
        </span>
      )}
    </div>
  );
}

/** The five rates of a price or of one of its tiers, US dollars per 1,000,000 tokens. */
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
  /** What is not set is taken from the base rates. */
  readonly overlay?: boolean;
  readonly onChange: (rates: RateTexts) => void;
}) {
  const { t } = useText();
  return (
    <div className="rate-fields">
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
    </div>
  );
}
