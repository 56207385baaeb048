import { type AccountQuota, LOW_QUOTA, type WindowBar } from '../../platform/accounts/quota.ts';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { NONE } from '../../platform/format/format.ts';
import { type CellContext, fullMoment, resetText } from '../../ui/accounts/account-text.ts';

const LINE_HEIGHT = 18;
/** More windows are only counted, and shown in the drawer. */
const MAX_BARS = 6;
/** Characters of a group that fit beside a length. */
const SHORT_GROUP = 6;

/** Lines of the bars of an account. */
function barLines({ bars, supported }: AccountQuota): number {
  if (bars.length === 0) return supported ? 1 : 0;
  return Math.min(bars.length, MAX_BARS) + (bars.length > MAX_BARS ? 1 : 0);
}

export const barsHeight = (quota: AccountQuota): number => barLines(quota) * LINE_HEIGHT;

/** All windows of an account: quota left, time left, and when each resets. */
export function QuotaBars({
  quota,
  missing,
  context,
}: {
  readonly quota: AccountQuota;
  readonly missing: AccountRow['quotaMissing'];
  readonly context: CellContext;
}) {
  const { t } = context;
  if (!quota.supported) return <span className="quota-bars ink-3">{NONE}</span>;
  if (missing === 'pending') {
    return (
      <span className="quota-bars">
        <span style={{ width: 92, margin: '5px 0' }} className="skeleton" />
      </span>
    );
  }
  if (quota.bars.length === 0) {
    return (
      <span className="quota-bars">
        <span className="quota-bar-line" data-unknown="">
          <Bar left={null} timeLeft={null} />
          <span className="ink-3 ellipsis">{t(missing === 'failed' ? 'stat.notLoaded' : 'accounts.notObserved')}</span>
        </span>
      </span>
    );
  }
  const hidden = quota.bars.length - MAX_BARS;
  const groups = Math.max(...quota.bars.map(({ group }) => group.length));
  return (
    <span className="quota-bars" {...(groups === 0 ? {} : { 'data-groups': groups > SHORT_GROUP ? 'long' : '' })}>
      {quota.bars.slice(0, MAX_BARS).map((bar) => (
        <BarLine key={bar.key} bar={bar} context={context} />
      ))}
      {hidden > 0 && <span className="quota-bar-line ink-3">{t('accounts.moreWindows', { count: hidden })}</span>}
    </span>
  );
}

export function BarLine({ bar, context }: { readonly bar: WindowBar; readonly context: CellContext }) {
  const { t } = context;
  const { left, resetAtMs } = bar;
  const label = windowLabel(bar, context);
  const reset = resetAtMs === null ? null : resetText(resetAtMs, context);
  const at = left === null ? t('accounts.notObserved') : (reset?.at ?? '');
  const low = left !== null && left < LOW_QUOTA;
  const percent = left === null ? NONE : `${left > 0 && left < 1 ? '<1' : Math.floor(left)}%`;
  const seen = t('accounts.seen', { time: fullMoment(bar.observedAtMs, context) });
  return (
    <span
      className="quota-bar-line"
      title={[label, percent, seen].join(' · ')}
      {...(bar.stale ? { 'data-stale': '' } : {})}
    >
      <span className="ellipsis ink-2">{label}</span>
      <Bar left={left} timeLeft={bar.timeLeft} />
      <span className={`quota-percent${low ? (left <= 0 ? ' tone-bad' : ' tone-warn') : ''}`}>{percent}</span>
      <span className="ink-3 ellipsis">
        {bar.stale && <span style={{ color: 'var(--warn)' }}>{t('accounts.stale')}</span>}
        {bar.stale && at !== '' && ' · '}
        {at}
        {reset !== null && left !== null && <span className="quota-wait"> · {reset.wait}</span>}
      </span>
    </span>
  );
}

/** Fill = quota left, mark = time left: a fill that ends before the mark runs out early. */
function Bar({ left, timeLeft }: { readonly left: number | null; readonly timeLeft: number | null }) {
  const state = left === null ? 'unknown' : left <= 0 ? 'spent' : left < LOW_QUOTA ? 'low' : 'good';
  return (
    <span className="bar" data-state={state} aria-hidden="true">
      {left !== null && left > 0 && <i style={{ width: `${Math.min(100, left)}%` }} />}
      {left !== null && timeLeft !== null && <u style={{ left: `${timeLeft * 100}%` }} />}
    </span>
  );
}

/** `5 h`, `7 d`, `spark 7 d`. */
function windowLabel({ group, durationSeconds, window }: WindowBar, { t }: CellContext): string {
  const length =
    durationSeconds === null
      ? ''
      : durationSeconds % 86_400 === 0 && durationSeconds > 86_400
        ? t('span.days', { value: durationSeconds / 86_400 })
        : durationSeconds % 3_600 === 0
          ? t('span.hours', { value: durationSeconds / 3_600 })
          : t('span.minutes', { value: Math.round(durationSeconds / 60) });
  const name = group === 'extra' || group === 'extra usage' ? t('accounts.extra') : group;
  return [name, length].filter(Boolean).join(' ') || window.provider_window_id;
}
