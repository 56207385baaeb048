import type { UsageEvent } from './event.ts';

const REASONING_EFFORTS = new Set(['none', 'auto', '-1', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** Room for leading zeros. */
const MAX_BUDGET_LENGTH = 40;
const MAX_INT64 = '9223372036854775807';

/** True for a decimal integer with optional sign in 0 … 2^63−1, the token budgets a client may ask for. */
function isReasoningBudget(text: string): boolean {
  if (text.length > MAX_BUDGET_LENGTH) return false;
  const match = /^([+-]?)0*(\d+)$/.exec(text);
  if (match === null) return false;
  const digits = match[2] ?? '';
  if (match[1] === '-') return digits === '0';
  return digits.length < MAX_INT64.length || (digits.length === MAX_INT64.length && digits <= MAX_INT64);
}

/**
 * Removes one trailing reasoning suffix from a model name; nothing is trimmed.
 *
 * @example withoutReasoningSuffix('gpt-5.5(high)') // 'gpt-5.5'
 * @example withoutReasoningSuffix('house(region-eu)') // unchanged
 */
export function withoutReasoningSuffix(model: string): string {
  if (!model.endsWith(')')) return model;
  const open = model.lastIndexOf('(');
  if (open <= 0) return model;
  const setting = model.slice(open + 1, -1);
  return REASONING_EFFORTS.has(setting.toLowerCase()) || isReasoningBudget(setting) ? model.slice(0, open) : model;
}

export function effectiveRequestedModel(event: Pick<UsageEvent, 'model' | 'requested_model'>): string {
  return event.requested_model !== '' ? event.requested_model : event.model;
}

/** The model that reports group by: the requested model without its reasoning suffix. */
export function analyticsModel(event: Pick<UsageEvent, 'model' | 'requested_model'>): string {
  return withoutReasoningSuffix(effectiveRequestedModel(event));
}

/** The billed model: the resolved model, else the analytics model. */
export function billingModel(event: Pick<UsageEvent, 'model' | 'requested_model' | 'resolved_model'>): string {
  return event.resolved_model !== '' ? event.resolved_model : analyticsModel(event);
}
