import { classifyCodex } from '@manager/core/accounts/inspection/codex/classify';
import { codexUsageRequest } from '@manager/core/accounts/inspection/codex/request';
import type { Finding } from '@manager/core/accounts/inspection/result';
import { assembleXai } from '@manager/core/accounts/inspection/xai/assemble';
import { evaluateXaiBilling, evaluateXaiIdentity } from '@manager/core/accounts/inspection/xai/probes';
import {
  XAI_MONTHLY_TIMEOUT_MS,
  xaiBillingRequest,
  xaiIdentityRequest,
} from '@manager/core/accounts/inspection/xai/requests';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import { createZone } from '@manager/core/time/zones';
import type { Account } from '../../../platform/accounts/account.ts';
import type { Ask } from './ask.ts';

/** Accounts of providers that inspections support and whose token the gateway has. */
export function canInspect({ listed }: Account): boolean {
  return (listed.provider === 'codex' || listed.provider === 'xai') && listed.authIndex !== '';
}

export type InspectionRules = Pick<InspectionConfig, 'userAgent' | 'usedPercentThreshold'>;

/**
 * Sends the provider the requests of an inspection, and judges the answer by the same rules, but without a model request, which
 * would cost. Nothing is stored or changed.
 */
export async function inspectAccount(
  ask: Ask,
  { listed }: Account,
  rules: InspectionRules,
  nowMs: () => number,
): Promise<Finding> {
  // Only the manager knows whether an inspection disabled it, so the result never suggests enabling.
  const account = { listed: listed, owned: false };
  if (listed.provider !== 'xai') {
    const answer = await ask(codexUsageRequest(listed, rules.userAgent));
    const { usedPercentThreshold } = rules;
    return classifyCodex(answer, account, { usedPercentThreshold, observedAtMs: nowMs(), zone: createZone('UTC') });
  }
  const [weekly, monthly] = await Promise.all([
    ask(xaiBillingRequest(listed, 'weekly')),
    ask(xaiBillingRequest(listed, 'monthly'), XAI_MONTHLY_TIMEOUT_MS),
  ]);
  const billing = evaluateXaiBilling(weekly, monthly);
  const identity = billing.needsIdentity ? evaluateXaiIdentity(await ask(xaiIdentityRequest(listed))) : null;
  return assembleXai(account, { billing, identity, inference: null });
}
