import { embeddedJson, objectsWithin } from '../json/embedded-json.ts';
import type { JsonObject } from '../json/json.ts';
import { firstExisting } from '../json/readers.ts';
import type { UsageEvent } from './event.ts';
import { type MetadataObject, metadataScalar } from './metadata-values.ts';
import { msAfter } from './response-headers.ts';
import { readAbsoluteMs } from './timestamp.ts';

/** Error code of a used-up free allowance. Texts that only mention it do not count. */
export const FREE_USAGE_EXHAUSTED = 'subscription:free-usage-exhausted';
const WINDOW_MS = 24 * 60 * 60 * 1000;

type XaiIdentity = Pick<UsageEvent, 'provider' | 'auth_provider_snapshot' | 'executor_type'>;

/** Whether an account is xAI's own. `grok` alone is not enough: other providers use it as a model name too. */
export function isNativeXai(event: XaiIdentity): boolean {
  const names = [event.provider, event.auth_provider_snapshot].map((name) => name.toLowerCase().replaceAll('_', '-'));
  if (names.some((name) => name === 'xai' || name === 'x-ai')) return true;
  const executor = event.executor_type.toLowerCase().replace(/[-_ ]/g, '');
  return executor === 'xaiexecutor' && names.every((name) => name === '' || name === 'grok');
}

const ABSOLUTE_RESETS = [
  'reset_at',
  'resetAt',
  'resets_at',
  'resetsAt',
  'period_end',
  'periodEnd',
  'billing_period_end',
  'billingPeriodEnd',
] as const;
const RELATIVE_RESETS = ['reset_after_seconds', 'resetAfterSeconds'] as const;

/** The recovery time in error bodies; absolute times win over relative ones. `null` when there is none. */
export function explicitResetMs(values: readonly unknown[], baseMs: number): number | null {
  const objects = values.flatMap((value) => [...objectsWithin(value)]);
  for (const object of objects) {
    for (const name of ABSOLUTE_RESETS) {
      const resetMs = readAbsoluteMs(object[name]);
      if (resetMs !== null) return resetMs;
    }
  }
  for (const object of objects) {
    const seconds = metadataScalar('number', firstExisting(object, RELATIVE_RESETS));
    const resetMs = typeof seconds === 'number' && seconds > 0 ? msAfter(baseMs, seconds) : null;
    if (resetMs !== null) return resetMs;
  }
  return null;
}

/** Whether an object of an error body has that code. */
export function isExhaustedError(object: JsonObject): boolean {
  return typeof object.code === 'string' && object.code.toLowerCase() === FREE_USAGE_EXHAUSTED;
}

const MODEL = /free usage for model\s+["'`]?([^\s"'`,;]+)/i;
const AMOUNTS = /tokens\s*\(actual\/limit\):\s*([\d,]+)\s*\/\s*([\d,]+)/i;

function amount(text: string | undefined): number {
  return Number((text ?? '').replaceAll(',', ''));
}

/** Facts from the text of the error: the model and how many tokens were used and allowed. */
function proseFacts(values: readonly unknown[]): MetadataObject {
  const facts: MetadataObject = {};
  const texts = values
    .flatMap((value) => [...objectsWithin(value)])
    .flatMap((object) => Object.values(object).flat())
    .filter((text) => typeof text === 'string');
  for (const text of texts) {
    const model = metadataScalar('text', MODEL.exec(text)?.[1]?.replace(/[.:)]{1,8}$/, ''));
    if (facts.model === undefined && model !== undefined) facts.model = model;
    const amounts = AMOUNTS.exec(text);
    if (facts.limit !== undefined || amounts === null) continue;
    const actual = amount(amounts[1]);
    const limit = amount(amounts[2]);
    if (!Number.isSafeInteger(actual) || !Number.isSafeInteger(limit) || limit <= 0) continue;
    facts.actual = actual;
    facts.limit = limit;
    facts.remaining = Math.max(limit - actual, 0);
    facts.overage = Math.max(actual - limit, 0);
  }
  return facts;
}

/**
 * Evidence that the free allowance of an xAI account is used up. It is only in the error body; `Retry-After` means
 * something else and is ignored. `null` for any other failure.
 */
export function freeUsageEvidence(
  identity: XaiIdentity,
  failure: { readonly statusCode: number; readonly body: string },
  baseMs: number,
): MetadataObject | null {
  if (failure.statusCode !== 402 && failure.statusCode !== 429) return null;
  if (!isNativeXai(identity) || !/free-usage-exhausted/i.test(failure.body)) return null;
  const values = embeddedJson(failure.body);
  if (!values.some((value) => [...objectsWithin(value)].some(isExhaustedError))) return null;
  const resetMs = explicitResetMs(values, baseMs);
  return {
    provider: 'xai',
    kind: 'included_free_usage',
    state: 'exhausted',
    code: FREE_USAGE_EXHAUSTED,
    unit: 'tokens',
    ...proseFacts(values),
    window_kind: 'rolling_24h',
    observed_at_ms: baseMs,
    recover_at_ms: resetMs ?? baseMs + WINDOW_MS,
    recover_at_estimated: resetMs === null,
    source: 'response_body',
  };
}
