import { z } from 'zod';
import { BUDGET_LIMITS, BUDGET_SCOPES } from './constants.ts';

/** Budgets: `GET` and `PUT /usage-service/budgets`. Amounts are US dollars, instants ms. */

export const budgetSchema = z.object({
  scope: z.enum(BUDGET_SCOPES),
  /** SHA-256 of the client key in lower-case hex, or the analytics model; '' for everything. */
  name: z.string().max(BUDGET_LIMITS.name),
  /** A calendar month. */
  usd: z.number().positive().max(BUDGET_LIMITS.usd),
  /** IANA name: where months begin. */
  timeZone: z.string().min(1).max(BUDGET_LIMITS.timeZone),
});

/** PUT replaces all of them. */
export const budgetsRequestSchema = z.object({ budgets: z.array(budgetSchema).max(BUDGET_LIMITS.budgets) });

export const budgetStateSchema = z.strictObject({
  ...budgetSchema.shape,
  /** The running month. */
  fromMs: z.number(),
  toMs: z.number(),
  /** Cost of its requests so far, at current prices. */
  usedUsd: z.number(),
  /** Unpriced requests: their cost is missing. */
  unpricedCalls: z.number(),
  /** At the end of the month; null = too little data. */
  forecastUsd: z.number().nullable(),
  /** Start of the day on which the amount is reached; null = not this month, or unknown. */
  reachedMs: z.number().nullable(),
  /** The amount is used up. The manager does not block requests. */
  passed: z.boolean(),
});

/** Answer of both, in the order of the last PUT. */
export const budgetsResponseSchema = z.strictObject({ budgets: z.array(budgetStateSchema) });

export type Budget = z.infer<typeof budgetSchema>;
export type BudgetsRequest = z.infer<typeof budgetsRequestSchema>;
export type BudgetState = z.infer<typeof budgetStateSchema>;
export type BudgetsResponse = z.infer<typeof budgetsResponseSchema>;
