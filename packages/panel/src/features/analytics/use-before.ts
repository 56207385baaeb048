import type { SummaryComparison } from '@manager/core/contract/monitoring/sections';
import { useServices } from '../../platform/api/services.ts';
import { comparesEqual } from '../../platform/range/range.ts';
import type { Scope } from './analytics-search.ts';
import { resolveScope, SUMS } from './question.ts';
import { type Answered, useAnalytics } from './use-scope.ts';

/** Sums of the comparison range. */
export type Before = Pick<
  SummaryComparison,
  'from_ms' | 'to_ms' | 'total_calls' | 'failure_calls' | 'total_tokens' | 'total_cost' | 'unpriced_calls'
>;

/** The previous time: from the answer about the range, or loaded separately where the calendar requires another one. */
export function useBefore(
  scope: Scope,
  zone: string,
  known: readonly string[] | undefined,
  answered: Answered | undefined,
): Before | undefined {
  const { client } = useServices();
  const equal = comparesEqual(resolveScope(scope, client.now(), zone), zone);
  const { data } = useAnalytics({
    part: 'before',
    scope,
    zone,
    granularity: 'day',
    before: true,
    known,
    enabled: !equal && answered !== undefined,
    include: () => SUMS,
  });
  if (equal) return answered?.answer.summary_comparison;
  const sums = data?.answer.summary;
  return data === undefined || sums === undefined ? undefined : { ...sums, from_ms: data.fromMs, to_ms: data.toMs };
}
