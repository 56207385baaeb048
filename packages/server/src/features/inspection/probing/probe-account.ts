import { XAI_LOG_COMPLETE, XAI_LOG_MISSING_AUTH_INDEX } from '@manager/core/accounts/inspection/log';
import { displayAccountOf, type Finding, type ProbedAccount } from '@manager/core/accounts/inspection/result';
import type { LogMessage } from '../log-message.ts';
import type { InspectionJournal } from '../ports.ts';
import type { ProbeContext } from './ask.ts';
import { probeCodex } from './probe-codex.ts';
import { probeXai } from './probe-xai.ts';

/** Probes an account and logs the result. @throws the reason of the abort */
export async function probeAccount(
  account: ProbedAccount,
  context: ProbeContext,
  journal: InspectionJournal,
): Promise<Finding> {
  if (account.listed.provider === 'xai') {
    const { finding, facts } = await probeXai(account, context);
    const missing = finding.errorKind === 'missing_auth_index';
    const message = missing ? XAI_LOG_MISSING_AUTH_INDEX : XAI_LOG_COMPLETE;
    const troubled = missing || finding.error !== '';
    journal.log(troubled ? 'warning' : 'info', message, { ...detailOf(account, finding), ...facts });
    return finding;
  }
  const finding = await probeCodex(account, context);
  const failure = FAILURES[finding.errorKind];
  journal.log(failure === undefined ? 'info' : 'warning', failure ?? 'probe_completed', detailOf(account, finding));
  return finding;
}

/** Kinds of errors that mean that the provider was not reached. */
const FAILURES: Readonly<Record<string, LogMessage>> = {
  missing_auth_index: 'missing_auth_index',
  request_error: 'probe_failed',
  missing_status: 'missing_status',
};

function detailOf({ listed }: ProbedAccount, finding: Finding) {
  const { action, statusCode, usedPercent, isQuota, actionReason, error } = finding;
  return {
    fileName: listed.name,
    displayAccount: displayAccountOf(listed),
    action,
    isQuota,
    reason: actionReason,
    ...(statusCode === null ? {} : { statusCode }),
    ...(usedPercent === null ? {} : { usedPercent }),
    ...(error === '' ? {} : { error }),
  };
}
