import type { DashboardResponse } from '@manager/core/contract/dashboard';
import { byBytes } from '../../facts/answers/sort.ts';
import { ratio, unpricedMember } from '../../facts/ratios.ts';

export interface ModelSums {
  readonly model: string;
  readonly calls: number;
  readonly failures: number;
  readonly tokens: number;
  /** USD. */
  readonly cost: number;
  /** Unpriced requests, which are missing in the cost. */
  readonly unpricedCalls: number;
}

/** Most requests first. */
export function topModels(models: readonly ModelSums[], limit: number): DashboardResponse['top_models_today'] {
  return models
    .toSorted((left, right) => right.calls - left.calls || byBytes(left.model, right.model))
    .slice(0, limit)
    .map(modelMembers);
}

/** Highest cost first. */
export function costRank(models: readonly ModelSums[], limit: number): DashboardResponse['model_cost_rank'] {
  const ranked = models.toSorted(
    (left, right) => right.cost - left.cost || right.calls - left.calls || byBytes(left.model, right.model),
  );
  const highest = ranked[0]?.cost ?? 0;
  return ranked.slice(0, limit).map((model) => ({ ...modelMembers(model), cost_share: ratio(model.cost, highest) }));
}

function modelMembers({ model, calls, failures, tokens, cost, ...sums }: ModelSums) {
  return { model, calls, tokens, cost, ...unpricedMember(sums), success_rate: ratio(calls - failures, calls) };
}
