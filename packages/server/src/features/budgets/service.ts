import {
  type Budget,
  type BudgetState,
  type BudgetsRequest,
  type BudgetsResponse,
  budgetsRequestSchema,
} from '@manager/core/contract/budgets';
import { AppError } from '@manager/core/contract/errors';
import { checkTimeZone } from '@manager/core/time/check-time-zone';
import { withoutReasoningSuffix } from '@manager/core/usage/models';
import type { Setting, SettingChange } from '../../sqlite/settings.ts';
import type { BudgetSpent } from './queries/budget-spent.ts';
import type { BudgetUseQuery } from './queries/budget-use.ts';

const KEY = 'budgets';
const HASH = /^[0-9a-f]{64}$/;

export interface BudgetPorts {
  readonly read: (keys: readonly string[]) => Promise<Record<string, Setting>>;
  readonly write: (changes: readonly SettingChange[]) => Promise<void>;
  readonly use: (query: BudgetUseQuery) => Promise<readonly BudgetState[]>;
  readonly spent: (query: BudgetUseQuery) => Promise<readonly BudgetSpent[]>;
  readonly now: () => number;
}

export interface BudgetService {
  /** Every budget with what is used of it in the running month. Costs are computed with current prices. */
  list(): Promise<BudgetsResponse>;
  /**
   * Replaces all budgets.
   *
   * @throws AppError 400 for a name that does not fit its scope, a second budget for the same, or an unknown time zone
   */
  replace(request: BudgetsRequest): Promise<BudgetsResponse>;
  /** What is used of every budget, for who asks often: no question without a budget. Nothing is blocked. */
  spent(): Promise<readonly BudgetSpent[]>;
}

export function createBudgetService({ read, write, use, spent, now }: BudgetPorts): BudgetService {
  async function stored(): Promise<readonly Budget[]> {
    const setting = (await read([KEY]))[KEY];
    return setting === undefined ? [] : budgetsRequestSchema.parse(JSON.parse(setting.value)).budgets;
  }

  async function list(): Promise<BudgetsResponse> {
    const budgets = await stored();
    return { budgets: budgets.length === 0 ? [] : [...(await use({ budgets, nowMs: now() }))] };
  }

  return {
    list,
    async replace({ budgets }) {
      const value = JSON.stringify({ budgets: checked(budgets) });
      await write([{ key: KEY, value, updatedAtMs: now() }]);
      return list();
    },
    async spent() {
      const budgets = await stored();
      return budgets.length === 0 ? [] : spent({ budgets, nowMs: now() });
    },
  };
}

function checked(budgets: readonly Budget[]): readonly Budget[] {
  const seen = new Set<string>();
  return budgets.map((budget, index) => {
    const refuse = (text: string) => new AppError('invalid_request', { message: `budgets.${index}.${text}` });
    const name = nameOf(budget);
    if (name === null) throw refuse('name: hash of a client key, name of a model, or empty for all');
    const key = `${budget.scope} ${name}`;
    if (seen.has(key)) throw refuse('name: has two budgets');
    seen.add(key);
    checkTimeZone(budget.timeZone);
    return { ...budget, name };
  });
}

/** null where it does not fit the scope. */
function nameOf({ scope, name }: Budget): string | null {
  const trimmed = name.trim();
  if (scope === 'all') return trimmed === '' ? '' : null;
  if (scope === 'client_key') return HASH.test(trimmed.toLowerCase()) ? trimmed.toLowerCase() : null;
  return withoutReasoningSuffix(trimmed) || null;
}
