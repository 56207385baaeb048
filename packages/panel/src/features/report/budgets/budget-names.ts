import type { Budget } from '@manager/core/contract/budgets';
import type { Breakdown } from '@manager/core/contract/monitoring/breakdown';
import { shown } from '../../../platform/format/shown.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { keyName } from '../../../platform/requests/event-view.ts';
import type { OpenReport } from '../use-report.ts';

/** What a budget is for, as shown. */
export function budgetName(
  { scope, name }: Pick<Budget, 'scope' | 'name'>,
  keyNames: ReadonlyMap<string, string>,
  t: Translate,
): string {
  if (scope === 'all') return t('budget.all');
  return shown(scope === 'client_key' ? keyName(name, keyNames) : name);
}

export interface BudgetChoices {
  readonly keys: readonly string[];
  readonly models: readonly string[];
}

/** Client keys and models that a budget can be for: the known keys, and what the report lists. */
export function budgetChoices(
  keyNames: ReadonlyMap<string, string>,
  breakdown: Breakdown | undefined,
  { by, parts }: Pick<OpenReport, 'by' | 'parts'>,
): BudgetChoices {
  const rows = breakdown?.rows ?? [];
  const idsOf = (kind: 'client_key' | 'model') => [
    ...(by === kind ? rows.map(({ id }) => id) : []),
    ...(parts === kind ? rows.flatMap((row) => (row.parts ?? []).map(({ id }) => id)) : []),
  ];
  const distinct = (ids: readonly string[]) => [...new Set(ids)].filter((id) => id.trim() !== '');
  return { keys: distinct([...keyNames.keys(), ...idsOf('client_key')]), models: distinct(idsOf('model')).sort() };
}
