import { useText } from '../../platform/i18n/index.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { GranularityChoice as Choice } from './analytics-search.ts';

/** Length of the buckets. */
export function GranularityChoice({
  value,
  onChange,
}: {
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
}) {
  const { t } = useText();
  return (
    <Segmented
      label={t('analytics.granularity')}
      value={value}
      options={[
        { value: 'auto', label: t('analytics.auto') },
        { value: 'hour', label: t('analytics.hour') },
        { value: 'day', label: t('analytics.day') },
      ]}
      onChange={onChange}
    />
  );
}
