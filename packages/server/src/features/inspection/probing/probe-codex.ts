import { classifyCodex, codexWithoutIndex } from '@manager/core/accounts/inspection/codex/classify';
import { codexUsageRequest } from '@manager/core/accounts/inspection/codex/request';
import type { Finding, ProbedAccount } from '@manager/core/accounts/inspection/result';
import { ask, type ProbeContext, withRetries } from './ask.ts';

export async function probeCodex(account: ProbedAccount, context: ProbeContext): Promise<Finding> {
  const { listed } = account;
  if (listed.authIndex === '') return codexWithoutIndex(account);
  const { userAgent, usedPercentThreshold } = context.settings;
  const answer = await withRetries(
    context,
    () => ask(context, codexUsageRequest(listed, userAgent)),
    // Any answer of the provider counts, also that it is busy.
    ({ kind }) => kind === 'transport_error',
  );
  return classifyCodex(answer, account, {
    usedPercentThreshold,
    observedAtMs: context.now(),
    zone: context.zone,
  });
}
