import type { Account } from '../../platform/accounts/account.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { dateAndTime, hourAndMinute, isSameDay, shortDate } from '../../platform/format/time.ts';
import type { Translate } from '../../platform/i18n/index.ts';

/** Context of an account's texts and times. */
export interface CellContext {
  readonly t: Translate;
  readonly locale: string;
  readonly zone: string;
  readonly masker: Masker;
  /** Server time, ms. */
  readonly nowMs: number;
  /** Whether there is a manager, which knows each account's use. */
  readonly managed: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Its name, masked where names are. */
export function accountTitle({ name, listed: account }: Account, masker: Masker): string {
  return shown(name === account.name ? masker.file(name) : masker.account(name));
}

export function fileTitle({ listed: account }: Account, masker: Masker): string {
  return shown(masker.file(account.name));
}

/** `16:05` today, `28 Aug 09:00` on another day. */
export function moment(ms: number, { nowMs, zone, locale }: CellContext): string {
  const time = hourAndMinute(ms, zone);
  return isSameDay(ms, nowMs, zone) ? time : `${shortDate(ms, zone, locale)} ${time}`;
}

export function fullMoment(ms: number, { zone, locale }: CellContext): string {
  return `${dateAndTime(ms, zone, locale, true)} ${zone}`;
}

/** `1 h 33 min`, `4 d`; 0 min when past. */
export function spanText(ms: number, { t }: CellContext): string {
  if (ms >= DAY_MS) return t('span.days', { value: Math.floor(ms / DAY_MS) });
  const hours = Math.floor(Math.max(0, ms) / HOUR_MS);
  const minutes = Math.floor((Math.max(0, ms) % HOUR_MS) / MINUTE_MS);
  const short = t('span.minutes', { value: minutes });
  return hours === 0 ? short : `${t('span.hours', { value: hours })} ${short}`;
}

/** A reset: the time and the time left; a past one is due. */
export function resetText(
  ms: number,
  context: CellContext,
): {
  readonly at: string;
  readonly wait: string;
  /** Without the time. */
  readonly relative: string;
} {
  const { t, nowMs } = context;
  if (ms <= nowMs) return { at: t('accounts.due'), wait: moment(ms, context), relative: t('accounts.due') };
  const wait = t('accounts.in', { span: spanText(ms - nowMs, context) });
  return { at: moment(ms, context), wait, relative: wait };
}
