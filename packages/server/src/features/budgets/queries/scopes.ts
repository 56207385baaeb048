import type { Budget } from '@manager/core/contract/budgets';
import { clientKeyId } from '../../../facts/answers/identity.ts';
import { type Dimension, symbolDimension } from '../../../facts/kernels/dimensions.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';

export type Scope = Budget['scope'];

/** What tells the names of a scope apart: nothing for the budget of all requests. */
export function dimensionsOf(scope: Scope): readonly Dimension[] {
  if (scope === 'all') return [];
  return [symbolDimension(scope === 'model' ? ['analytics_model'] : ['api_key_hash'])];
}

/** The name that a budget has for a group; different symbols may have one name. */
export function namesOfGroups({
  symbols,
}: FactSnapshot): (scope: Scope, values: readonly number[] | undefined) => string {
  return (scope, [symbol = 0] = []) => {
    if (scope === 'all') return '';
    const text = symbols.text(symbol);
    return scope === 'model' ? text : (clientKeyId(text) ?? '');
  };
}
