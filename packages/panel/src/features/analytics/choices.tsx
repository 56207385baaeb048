import { Select } from '@mantine/core';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { ComparePart, GranularityChoice as Granularity, RankMeasure } from './analytics-search.ts';

interface ChoiceProps<V extends string> {
  readonly value: V;
  readonly onChange: (value: V) => void;
}

function Choice<V extends string>({
  label,
  texts,
  ...choice
}: ChoiceProps<V> & { readonly label: string; readonly texts: Readonly<Record<V, TextKey>> }) {
  const { t } = useText();
  const options = (Object.keys(texts) as V[]).map((value) => ({ value, label: t(texts[value]) }));
  return <Segmented {...choice} label={label} options={options} />;
}

const GRANULARITIES = { auto: 'analytics.auto', hour: 'analytics.hour', day: 'analytics.day' } as const;
const RANKS = { cost: 'analytics.cost', requests: 'analytics.requests', tokens: 'analytics.tokens' } as const;

/** Length of the buckets. */
export function GranularityChoice(props: ChoiceProps<Granularity>) {
  const { t } = useText();
  return <Choice {...props} label={t('analytics.granularity')} texts={GRANULARITIES} />;
}

/** The measure of shares and ranks. */
export function RankChoice(props: ChoiceProps<RankMeasure>) {
  const { t } = useText();
  return <Choice {...props} label={t('analytics.rankBy')} texts={RANKS} />;
}

const PARTS = {
  models: 'compare.byModel',
  keys: 'compare.byKey',
  accounts: 'compare.byAccount',
  providers: 'compare.byProvider',
} as const satisfies Record<ComparePart, TextKey>;

/** What a difference is split into. */
export function PartChoice({
  value,
  options,
  onChange,
}: ChoiceProps<ComparePart> & { readonly options: readonly ComparePart[] }) {
  const { t } = useText();
  return (
    <Select
      size="xs"
      w={132}
      aria-label={t('compare.split')}
      allowDeselect={false}
      data={options.map((part) => ({ value: part, label: t(PARTS[part]) }))}
      value={value}
      onChange={(next) => {
        const part = options.find((one) => one === next);
        if (part !== undefined) onChange(part);
      }}
    />
  );
}
