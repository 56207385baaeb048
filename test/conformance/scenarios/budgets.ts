import { budgetsResponseSchema } from '@manager/core/contract/budgets';
import { BUDGETS_PATH } from '@manager/core/contract/constants';
import type { Scenario } from './scenario.ts';

const budget = { scope: 'all', name: '', usd: 100, timeZone: 'Europe/Berlin' };

/** Budgets, in their order. */
export const BUDGET_SCENARIOS: readonly Scenario[] = [
  { name: 'budgets', path: BUDGETS_PATH, status: 200, has: ['{"budgets":[]}'] },
  { name: 'they need the key', path: BUDGETS_PATH, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  {
    name: 'a budget',
    method: 'PUT',
    path: BUDGETS_PATH,
    body: JSON.stringify({ budgets: [budget] }),
    status: 200,
    has: ['"scope":"all"', '"usd":100', '"usedUsd":', '"passed":'],
    shape: budgetsResponseSchema,
  },
  { name: 'it is listed', path: BUDGETS_PATH, status: 200, has: ['"usd":100'], shape: budgetsResponseSchema },
  {
    name: 'a budget in an unknown zone',
    method: 'PUT',
    path: BUDGETS_PATH,
    body: JSON.stringify({ budgets: [{ ...budget, timeZone: 'Mars/Olympus' }] }),
    status: 400,
    has: ['invalid_time_zone'],
  },
  {
    name: 'a budget of nothing',
    method: 'PUT',
    path: BUDGETS_PATH,
    body: JSON.stringify({ budgets: [{ ...budget, usd: 0 }] }),
    status: 400,
    has: ['budgets.0.usd'],
  },
  { name: 'budgets have two methods', method: 'DELETE', path: BUDGETS_PATH, status: 405 },
];
