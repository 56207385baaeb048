import type { Finding, ProbedAccount } from '@manager/core/accounts/inspection/result';
import {
  assembleXai,
  type XaiLogFacts,
  type XaiProbes,
  xaiLogFacts,
  xaiWithoutIndex,
} from '@manager/core/accounts/inspection/xai/assemble';
import {
  evaluateXaiBilling,
  evaluateXaiIdentity,
  evaluateXaiInference,
  type XaiBilling,
  type XaiCheck,
} from '@manager/core/accounts/inspection/xai/probes';
import {
  XAI_MONTHLY_TIMEOUT_MS,
  xaiBillingRequest,
  xaiIdentityRequest,
  xaiInferenceRequest,
} from '@manager/core/accounts/inspection/xai/requests';
import { ask, type ProbeContext, withRetries } from './ask.ts';

export interface XaiProbe {
  readonly finding: Finding;
  readonly facts: XaiLogFacts;
}

export async function probeXai(account: ProbedAccount, context: ProbeContext): Promise<XaiProbe> {
  if (account.listed.authIndex === '') {
    const finding = xaiWithoutIndex(account);
    return { finding, facts: xaiLogFacts(finding, null) };
  }
  const billing = await withRetries(
    context,
    () => askBilling(account, context),
    ({ retryable }) => retryable,
  );
  const identity = billing.needsIdentity
    ? evaluateXaiIdentity(await ask(context, xaiIdentityRequest(account.listed)))
    : null;
  const inference = context.settings.xaiInferenceEnabled
    ? await askInference(account, identity?.healthy === true, context)
    : null;
  const probes: XaiProbes = { billing, identity, inference };
  const finding = assembleXai(account, probes);
  return { finding, facts: xaiLogFacts(finding, probes) };
}

async function askBilling({ listed }: ProbedAccount, context: ProbeContext): Promise<XaiBilling> {
  const [weekly, monthly] = await Promise.all([
    ask(context, xaiBillingRequest(listed, 'weekly')),
    ask(context, xaiBillingRequest(listed, 'monthly'), XAI_MONTHLY_TIMEOUT_MS),
  ]);
  return evaluateXaiBilling(weekly, monthly);
}

function askInference(account: ProbedAccount, identityVerified: boolean, context: ProbeContext): Promise<XaiCheck> {
  const request = xaiInferenceRequest(account.listed, context.settings, identityVerified);
  return withRetries(
    context,
    async () => evaluateXaiInference(await ask(context, request)),
    (check) => !check.healthy && check.retryable,
  );
}
