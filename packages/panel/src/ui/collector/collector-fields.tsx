import { Select, Switch, TextInput } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { fitsRange } from '../../platform/wording/number-range.ts';
import { NumberField } from '../controls/number-field.tsx';
import { COLLECTOR_RANGES } from './collector-defaults.ts';

export interface CollectorValues {
  readonly mode: 'auto' | 'subscribe' | 'http' | 'resp';
  readonly queue: string;
  readonly popSide: 'left' | 'right';
  readonly batchSize: number;
  readonly queryLimit: number;
  readonly tlsSkipVerify: boolean;
}

/** Whether every number is in its range. */
export function collectorNumbersFit({ batchSize, queryLimit }: CollectorValues): boolean {
  return fitsRange(batchSize, COLLECTOR_RANGES.batchSize) && fitsRange(queryLimit, COLLECTOR_RANGES.queryLimit);
}

/** Transport and sizes, at setup and in the settings. */
export function CollectorFields({
  form,
  onChange,
  locked = false,
  insist = false,
}: {
  readonly form: CollectorValues;
  readonly onChange: (change: Partial<CollectorValues>) => void;
  /** Set by the environment; the query limit is never locked. */
  readonly locked?: boolean;
  /** The form was sent: numbers outside of their range are marked at once. */
  readonly insist?: boolean;
}) {
  const { t } = useText();
  return (
    <div className="form-grid">
      <Select
        label={t('setup.mode')}
        data={[
          { value: 'auto', label: t('mode.auto') },
          { value: 'subscribe', label: t('mode.subscribe') },
          { value: 'http', label: t('mode.http') },
          { value: 'resp', label: t('mode.resp') },
        ]}
        value={form.mode}
        allowDeselect={false}
        disabled={locked}
        onChange={(value) => {
          if (value === 'auto' || value === 'subscribe' || value === 'http' || value === 'resp')
            onChange({ mode: value });
        }}
      />
      <TextInput
        label={t('setup.queue')}
        value={form.queue}
        disabled={locked}
        onChange={(event) => onChange({ queue: event.currentTarget.value })}
      />
      <Select
        label={t('setup.popSide')}
        data={[
          { value: 'right', label: t('setup.popRight') },
          { value: 'left', label: t('setup.popLeft') },
        ]}
        value={form.popSide}
        allowDeselect={false}
        disabled={locked}
        onChange={(value) => {
          if (value === 'left' || value === 'right') onChange({ popSide: value });
        }}
      />
      <NumberField
        label={t('setup.batchSize')}
        value={form.batchSize}
        range={COLLECTOR_RANGES.batchSize}
        insist={insist}
        disabled={locked}
        onChange={(batchSize) => onChange({ batchSize })}
      />
      <NumberField
        label={t('setup.queryLimit')}
        value={form.queryLimit}
        range={COLLECTOR_RANGES.queryLimit}
        insist={insist}
        onChange={(queryLimit) => onChange({ queryLimit })}
      />
      <Switch
        style={{ alignSelf: 'end', paddingBottom: 6 }}
        checked={form.tlsSkipVerify}
        disabled={locked}
        label={t('setup.tlsSkip')}
        onChange={(event) => onChange({ tlsSkipVerify: event.currentTarget.checked })}
      />
    </div>
  );
}
