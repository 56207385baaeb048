import { useText } from '../../platform/i18n/index.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { RankMeasure } from './analytics-search.ts';

/** The measure of shares and ranks. */
export function RankChoice({
  by,
  onChange,
}: {
  readonly by: RankMeasure;
  readonly onChange: (by: RankMeasure) => void;
}) {
  const { t } = useText();
  return (
    <Segmented
      label={t('analytics.rankBy')}
      value={by}
      options={[
        { value: 'cost', label: t('analytics.cost') },
        { value: 'requests', label: t('analytics.requests') },
        { value: 'tokens', label: t('analytics.tokens') },
      ]}
      onChange={onChange}
    />
  );
}
