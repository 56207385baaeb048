import type { Summary } from '@manager/core/contract/monitoring/sections';
import { formatCostSum, formatCount, formatShare } from '../../../platform/format/format.ts';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { tokenParts } from '../../../ui/requests/token-structure.tsx';
import type { MonitoringSearch } from '../monitoring-search.ts';

export const SUM_NAMES = ['requests', 'success', 'failed', 'cost', 'tokens', 'input', 'output', 'cached'] as const;
export type SumName = (typeof SUM_NAMES)[number];

/** Calculation of a sum: what is counted, its parts, and its requests. */
export interface SumExplanation {
  readonly text: TextKey;
  readonly lines: readonly { readonly label: TextKey; readonly value: string }[];
  readonly show: TextKey;
  /** Requests behind the sum. */
  readonly count: number;
  readonly filter: (search: MonitoringSearch) => MonitoringSearch;
}

const rows = (search: MonitoringSearch): MonitoringSearch => ({ ...search, tab: 'realtime', sort: '' });
const failedRows = (search: MonitoringSearch): MonitoringSearch => ({ ...rows(search), status: 'failed' });
const goodRows = (search: MonitoringSearch): MonitoringSearch => ({ ...rows(search), status: 'success' });
const hitRows = (search: MonitoringSearch): MonitoringSearch => ({ ...rows(search), cache: 'hit' });

/** @param rates false where a filter leaves only failed or only successful requests, so that rates are meaningless */
export function explainSum(name: SumName, sums: Summary, rates = true): SumExplanation {
  const line = (label: TextKey, value: number) => ({ label, value: formatCount(value) });
  const requests = line('stat.requests', sums.total_calls);
  const all = { show: 'why.showAll', count: sums.total_calls, filter: rows } as const;
  switch (name) {
    case 'requests':
      return {
        text: 'why.requests',
        lines: [
          line('filter.succeeded', sums.success_calls),
          line('stat.failed', sums.failure_calls),
          { ...requests, label: 'tokens.total' },
        ],
        ...all,
      };
    case 'success':
      return {
        text: 'why.success',
        lines: [
          line('filter.succeeded', sums.success_calls),
          requests,
          {
            label: 'stat.success',
            value: formatShare(sums.total_calls === 0 || !rates ? null : sums.success_rate),
          },
        ],
        show: 'why.showSucceeded',
        count: sums.success_calls,
        filter: goodRows,
      };
    case 'failed':
      return {
        text: 'why.failed',
        lines: [
          line('stat.failed', sums.failure_calls),
          requests,
          { label: 'why.share', value: formatShare(sums.total_calls === 0 || !rates ? null : 1 - sums.success_rate) },
        ],
        show: 'why.showFailed',
        count: sums.failure_calls,
        filter: failedRows,
      };
    case 'cost':
      return {
        text: 'why.cost',
        lines: [
          line('why.priced', sums.total_calls - sums.unpriced_calls),
          line('why.unpriced', sums.unpriced_calls),
          { label: 'why.perRequest', value: formatCostSum(sums.average_cost_per_call, sums.unpriced_calls) },
          { label: 'tokens.total', value: formatCostSum(sums.total_cost, sums.unpriced_calls) },
        ],
        ...all,
      };
    case 'tokens':
      return {
        text: 'why.tokens',
        lines: [
          line('why.zero', sums.zero_token_calls),
          ...tokenParts(sums).map(({ label, tokens }) => line(label, tokens)),
          line('tokens.total', sums.total_tokens),
        ],
        ...all,
      };
    case 'input': {
      const cached = sums.cache_read_tokens + sums.cache_creation_tokens + sums.cached_tokens;
      return {
        text: 'why.input',
        lines: [
          line('cost.uncached', Math.max(0, sums.input_tokens - cached)),
          line('tokens.cacheRead', sums.cache_read_tokens),
          line('tokens.cacheCreation', sums.cache_creation_tokens),
          line('tokens.cached', sums.cached_tokens),
          line('tokens.total', sums.input_tokens),
        ],
        ...all,
      };
    }
    case 'output':
      return {
        text: 'why.output',
        lines: [line('tokens.output', sums.output_tokens), line('tokens.reasoning', sums.reasoning_tokens)],
        ...all,
      };
    case 'cached':
      return {
        text: 'why.cached',
        lines: [
          line('tokens.cacheRead', sums.cache_read_tokens),
          line('tokens.cached', sums.cached_tokens),
          line('tokens.input', sums.input_tokens),
          { label: 'stat.cacheHits', value: formatShare(sums.input_tokens === 0 ? null : sums.cache_hit_rate) },
        ],
        show: 'why.showHits',
        // Only the list knows their number.
        count: 0,
        filter: hitRows,
      };
  }
}
