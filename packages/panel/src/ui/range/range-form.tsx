import { Stack } from '@mantine/core';
import { useState } from 'react';
import { fromInputValue, toInputValue } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { RANGE_LABELS } from '../../platform/range/labels.ts';
import { namedRange, type RangeChoice, type RangeName, type ResolvedRange } from '../../platform/range/range.ts';
import { Button } from '../controls/button.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { MomentField } from './moment-field.tsx';

/** The first event is no useful start for typing; this long before the end is. */
const LONGEST_START_MS = 30 * 86_400_000;

interface SpanFormProps {
  /** Initial values of the fields. */
  readonly initial: Pick<ResolvedRange, 'fromMs' | 'toMs'>;
  /** Key of the source of `initial`: a change resets the typed values. */
  readonly about: string;
  readonly onApply: (fromMs: number, toMs: number) => void;
}

/** Two instants in the panel's time zone; a start that is not before the end is refused here. */
export function SpanForm({ initial, about, onApply }: SpanFormProps) {
  const { t } = useText();
  const zone = useTimeZone();
  const [typed, setTyped] = useState({ about: '', from: '', to: '' });
  const untouched = {
    about,
    from: toInputValue(Math.max(initial.fromMs, initial.toMs - LONGEST_START_MS), zone),
    to: toInputValue(initial.toMs, zone),
  };
  const shown = typed.about === about ? typed : untouched;
  const { from, to } = shown;
  const fromMs = fromInputValue(from, zone);
  const toMs = fromInputValue(to, zone);
  const span = fromMs !== null && toMs !== null && fromMs < toMs ? { fromMs, toMs } : null;
  const fields = [
    [t('range.from', { zone }), 'from'],
    [t('range.to', { zone }), 'to'],
  ] as const;
  return (
    <>
      {fields.map(([label, name]) => (
        <MomentField
          key={name}
          label={label}
          value={shown[name]}
          error={span === null && (name === 'from' || t('range.invalid'))}
          onChange={(value) => setTyped((now) => ({ ...(now.about === about ? now : untouched), [name]: value }))}
        />
      ))}
      <Button disabled={span === null} onClick={() => span !== null && onApply(span.fromMs, span.toMs)}>
        {t('range.apply')}
      </Button>
    </>
  );
}

/** Named ranges and a custom one, one below the other. */
export function RangeForm({
  value,
  resolved,
  names,
  onChoose,
}: {
  readonly value: RangeName;
  readonly resolved: ResolvedRange;
  readonly names: readonly Exclude<RangeName, 'custom'>[];
  readonly onChoose: (range: RangeChoice) => void;
}) {
  const { t } = useText();
  return (
    <Stack>
      {names.length > 0 && (
        <div className="range-names">
          <Segmented
            label={t('range.label')}
            value={value}
            options={names.map((name) => ({ value: name, label: t(RANGE_LABELS[name]) }))}
            onChange={(name) => {
              if (name !== 'custom') onChoose(namedRange(name));
            }}
          />
        </div>
      )}
      <SpanForm
        initial={resolved}
        about={value === 'custom' ? `${resolved.fromMs} ${resolved.toMs}` : value}
        onApply={(fromMs, toMs) => onChoose({ name: 'custom', fromMs, toMs })}
      />
    </Stack>
  );
}
