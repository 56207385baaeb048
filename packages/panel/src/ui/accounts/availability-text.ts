import type {
  Availability,
  AvailabilityState,
  EvidenceSays,
  EvidenceSource,
} from '../../platform/accounts/availability.ts';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import { isBrokenOff } from '../../platform/requests/event-view.ts';
import type { Word } from '../display/status.tsx';
import { type CellContext, moment, spanText } from './account-text.ts';

export const STATE_WORDS: Readonly<Record<AvailabilityState, Word>> = {
  signIn: { tone: 'bad', label: 'accountState.signIn' },
  deactivated: { tone: 'bad', label: 'accountState.deactivated' },
  cooldown: { tone: 'wait', label: 'accountState.cooldown' },
  spent: { tone: 'bad', label: 'accountState.spent' },
  failing: { tone: 'warn', label: 'accountState.failing' },
  low: { tone: 'warn', label: 'accountState.low' },
  available: { tone: 'ok', label: 'accountState.available' },
  unconfirmed: { tone: 'unknown', label: 'accountState.unconfirmed' },
  disabled: { tone: 'off', label: 'accountState.disabled' },
};

export const SAYS_WORDS: Readonly<Record<EvidenceSays, Word>> = {
  works: { tone: 'okQuiet', label: 'accountEvidence.works' },
  signIn: { tone: 'bad', label: 'accountEvidence.signIn' },
  deactivated: { tone: 'bad', label: 'accountEvidence.deactivated' },
  limit: { tone: 'warn', label: 'accountEvidence.limit' },
  failing: { tone: 'warn', label: 'accountEvidence.failing' },
  neutral: { tone: 'unknown', label: 'accountEvidence.neutral' },
};

export const SOURCE_WORDS: Readonly<Record<EvidenceSource, TextKey>> = {
  request: 'accountEvidence.request',
  candidate: 'accountEvidence.candidate',
  cooldown: 'accountEvidence.cooldown',
  inspection: 'accountEvidence.inspection',
  quota: 'accountEvidence.quota',
  gateway: 'accountEvidence.gateway',
};

/** The status of an evidence; a failure with a good status is an answer that was broken off. */
export function evidenceStatus(status: number, says: EvidenceSays, t: Translate): string {
  if (says === 'failing' && isBrokenOff({ fail_status_code: status })) return t('cause.brokenOff');
  return status > 0 ? String(status) : '';
}

/** Why the account is in its state, and since or until when. */
export function availabilityReason({ availability, quota }: AccountRow, context: CellContext): string {
  const { t, nowMs } = context;
  const { state, sinceMs, lastMs, untilMs, status, failures, by } = availability;
  const since = sinceMs === null ? '' : t('accounts.since', { time: moment(sinceMs, context) });
  const until = untilMs === null || untilMs <= nowMs ? '' : t('accounts.until', { time: moment(untilMs, context) });
  const code = evidenceStatus(status, state === 'failing' ? 'failing' : 'neutral', t);
  const last = lastMs === null ? '' : t('accounts.lastAt', { time: moment(lastMs, context) });
  const told = (what: string) => [what, since || last].filter(Boolean).join(since === '' ? ', ' : ' ');
  switch (state) {
    case 'signIn':
    case 'deactivated':
      return told(code);
    case 'spent':
      return until || told(code);
    case 'cooldown':
      // The gateway's time may differ from the provider's.
      return by === 'manager' || until === '' ? until : t('accounts.retryAt', { time: moment(untilMs ?? 0, context) });
    case 'failing':
      return told(failures < 2 ? code : t('accounts.inARow', { count: failures }));
    case 'low':
      return t('accounts.leftOfQuota', { percent: Math.floor(quota.left ?? 0) });
    case 'available':
      if (by !== 'quota') return t(by === 'inspection' ? 'accounts.byInspection' : 'accounts.freshSuccess');
      return quota.left === null
        ? t('accounts.answered')
        : t('accounts.leftOfQuota', { percent: Math.floor(quota.left) });
    case 'unconfirmed':
      return lastMs === null
        ? t('accounts.noEvidence')
        : t('accounts.lastSuccess', { span: spanText(nowMs - lastMs, context) });
    case 'disabled':
      return disabledReason(availability, since, until, context);
  }
}

function disabledReason({ by }: Availability, since: string, until: string, { t }: CellContext): string {
  const who = t(
    by === 'manager'
      ? 'accounts.offByManager'
      : by === 'inspection'
        ? 'accounts.offByInspection'
        : 'accounts.offByHand',
  );
  return [who, until || since].filter(Boolean).join(', ');
}
