import { hashPrefix } from '@manager/core/masking/mask';
import type { BudgetSpent } from '../../features/budgets/queries/budget-spent.ts';
import type { Condition } from '../../features/notifications/condition.ts';
import type { Store } from '../../workers/store.ts';

export interface BudgetWatchDeps {
  readonly spent: () => Promise<readonly BudgetSpent[]>;
  readonly reader: Pick<Store['reader'], 'run'>;
}

/** Sums of a month take a part of a second. */
const BUDGETS_EVERY_MS = 300_000;

/**
 * Budgets of the running month that are passed. Costs follow the prices, so one that is not passed lapses instead of being over: its month
 * is told once.
 *
 * @returns what holds, to be asked at every observation
 */
export function createBudgetWatch({
  spent,
  reader,
}: BudgetWatchDeps): (nowMs: number) => Promise<readonly Condition[]> {
  let last: { readonly atMs: number; readonly conditions: readonly Condition[] } | null = null;

  return async (nowMs) => {
    const isFresh = last !== null && nowMs >= last.atMs && nowMs - last.atMs < BUDGETS_EVERY_MS;
    if (last === null || !isFresh) last = { atMs: nowMs, conditions: await read(nowMs) };
    return last.conditions;
  };

  async function read(nowMs: number): Promise<readonly Condition[]> {
    const budgets = await spent();
    if (budgets.length === 0) return [];
    const aliases = await reader.run('listAliases', null, { priority: 'background' });
    const names = new Map(aliases.map(({ apiKeyHash, alias }) => [apiKeyHash, alias]));
    return budgets.map(({ scope, name, usd, usedUsd, fromMs, toMs, passed }) => ({
      subject: JSON.stringify([scope, name, monthOf(fromMs, toMs)]),
      name: scope === 'client_key' ? (names.get(name) ?? hashPrefix(name)) : name,
      provider: '',
      sinceMs: nowMs,
      facts: { scope, usedUsd, limitUsd: usd, resetAtMs: toMs },
      ...(passed ? {} : { lapsed: true }),
    }));
  }
}

/** `YYYY-MM`: the middle of a month is in that month in every zone, so a budget keeps its subject when its zone changes. */
const monthOf = (fromMs: number, toMs: number): string => new Date((fromMs + toMs) / 2).toISOString().slice(0, 7);
