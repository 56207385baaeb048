import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { failingFirst, formatCount, formatShare } from '../../../platform/format/format.ts';
import type { TextKey, TextValues } from '../../../platform/i18n/index.ts';
import { failureRate } from '../../../platform/requests/usage-sums.ts';
import type { AnalyticsTab, RankMeasure } from '../analytics-search.ts';
import { modelRow, ranked, rankTotal, shareOf, type UsageRow } from '../usage/usage-rows.ts';

const MOST = 4;
const TOP_MODEL_FROM = 0.45;
const TOP_KEY_FROM = 0.25;
const SMALL_BELOW = 0.08;
const SMALL_TOGETHER_FROM = 0.12;
const TOP_PROVIDER_FROM = 0.45;
const LOW_HITS_BELOW = 0.08;

/** A notable fact with its numbers, without advice. */
export interface Insight {
  readonly id: string;
  readonly text: TextKey;
  readonly values: TextValues;
  readonly tab: AnalyticsTab;
}

interface Names {
  readonly keys: readonly UsageRow[];
  readonly accounts: readonly UsageRow[];
  readonly providers: readonly UsageRow[];
}

const share = (value: number | null): string => formatShare(value);

/** At most four, in a fixed order, so that each keeps its position. `rates` = whether requests of both outcomes are counted. */
export function insightsOf(
  answer: AnalyticsResponse,
  { keys, accounts, providers }: Names,
  by: RankMeasure,
  rates: boolean,
): readonly Insight[] {
  const { summary, model_stats = [] } = answer;
  if (summary === undefined || summary.total_calls === 0) return [];
  const total = rankTotal(summary, by);
  const found: Insight[] = [];
  const top = (rows: readonly UsageRow[], from: number) => {
    const first = ranked(rows, by)[0];
    const part = first === undefined ? null : shareOf(first, total, by);
    return first === undefined || part === null || part < from ? null : { first, part };
  };
  const models = model_stats.map(modelRow);
  const model = top(models, TOP_MODEL_FROM);
  if (model !== null) {
    found.push({
      id: 'model',
      text: 'insight.model',
      values: { name: model.first.name, share: share(model.part) },
      tab: 'models',
    });
  }
  const key = top(
    keys.filter((row) => row.plainName !== ''),
    TOP_KEY_FROM,
  );
  if (key !== null) {
    found.push({
      id: 'key',
      text: 'insight.key',
      values: { name: key.first.name, share: share(key.part) },
      tab: 'apiKeys',
    });
  }
  // With a filter on one outcome, every account fails always or never.
  const failing = accounts.filter(({ failed }) => failed > 0).sort((one, other) => other.failed - one.failed);
  const worst = rates ? failingFirst(failing, (row) => row)[0] : undefined;
  if (worst !== undefined) {
    found.push({
      id: 'account',
      text: 'insight.account',
      values: { name: worst.name, failed: formatCount(worst.failed), share: share(failureRate(worst)) },
      tab: 'credentials',
    });
  }
  const small = models.filter((row) => (shareOf(row, total, by) ?? 1) < SMALL_BELOW);
  const together = small.reduce((sum, row) => sum + (shareOf(row, total, by) ?? 0), 0);
  if (together >= SMALL_TOGETHER_FROM) {
    found.push({
      id: 'small',
      text: 'insight.small',
      values: { models: formatCount(small.length), share: share(together), below: share(SMALL_BELOW) },
      tab: 'models',
    });
  }
  const provider = top(
    providers.filter((row) => row.plainName !== ''),
    TOP_PROVIDER_FROM,
  );
  if (provider !== null) {
    found.push({
      id: 'provider',
      text: 'insight.provider',
      values: { name: provider.first.name, share: share(provider.part) },
      tab: 'credentials',
    });
  }
  if (summary.input_tokens > 0 && summary.cache_hit_rate < LOW_HITS_BELOW) {
    found.push({ id: 'hits', text: 'insight.hits', values: { share: share(summary.cache_hit_rate) }, tab: 'trends' });
  }
  return found.slice(0, MOST);
}
