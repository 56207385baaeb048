import { MAX_BATCH_SIZE } from '@manager/core/contract/constants';
import { Select, Switch, TextInput } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { NumberField } from '../controls/number-field.tsx';
import { DEFAULT_COLLECTOR } from './collector-defaults.ts';

export interface CollectorValues {
  readonly mode: 'auto' | 'subscribe' | 'http' | 'resp';
  readonly queue: string;
  readonly popSide: 'left' | 'right';
  readonly batchSize: number;
  readonly queryLimit: number;
  readonly tlsSkipVerify: boolean;
}

/** Transport and sizes, at setup and in the settings. */
export function CollectorFields({
  form,
  onChange,
  locked = false,
}: {
  readonly form: CollectorValues;
  readonly onChange: (change: Partial<CollectorValues>) => void;
  /** Set by the environment; the query limit is never locked. */
  readonly locked?: boolean;
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
        min={1}
        max={MAX_BATCH_SIZE}
        disabled={locked}
        onChange={(value) => onChange({ batchSize: value ?? DEFAULT_COLLECTOR.batchSize })}
      />
      <NumberField
        label={t('setup.queryLimit')}
        value={form.queryLimit}
        min={1}
        onChange={(value) => onChange({ queryLimit: value ?? DEFAULT_COLLECTOR.queryLimit })}
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
