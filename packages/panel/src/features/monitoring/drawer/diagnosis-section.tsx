import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SIGN_IN_PATH } from '../../../platform/accounts/sign-in-again.ts';
import type { UrlSearch } from '../../../platform/browser/url-search.ts';
import { isoWithOffset, shortTime } from '../../../platform/format/time.ts';
import { type Translate, useText } from '../../../platform/i18n/index.ts';
import {
  type CauseAction,
  causeAction,
  type Diagnosis,
  type QuotaWindow,
  quotaWindows,
} from '../../../platform/requests/diagnosis.ts';
import { failureParts } from '../../../platform/requests/failure-text.ts';
import { windowLength } from '../../../platform/wording/quota-window.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { CellContext } from '../list/event-cells.tsx';
import { accountSearch, signInSearch } from './account-link.ts';
import type { SectionProps } from './event-sections.tsx';
import { Field } from './field.tsx';
import { evidenceLines } from './metadata-section.tsx';
import { useNewestHeaders } from './use-newest-headers.ts';

/** The log of the request itself, where its id is known. */
const actionSearch = ({ to, search }: CauseAction, { request_id: id = '' }: EventRow): UrlSearch =>
  to === '/logs' && id !== '' ? { tab: ['errors'], request: [id] } : search;

function windowName({ windowMinutes, name }: QuotaWindow, t: Translate): string {
  if (windowMinutes !== null) return windowLength(windowMinutes * 60, t);
  return t(name === 'primary' ? 'quota.primary' : 'quota.secondary');
}

export function DiagnosisSection({
  event,
  context,
  diagnosis,
}: SectionProps & { readonly diagnosis: Diagnosis | null }) {
  const { t } = useText();
  const [copied, copy] = useCopied();
  const windows = quotaWindows(event);
  if (diagnosis === null && windows.length === 0) return null;
  const now = event.timestamp_ms;
  const time = (ms: number | null) => shortTime(ms, now, context.zone, context.locale);
  const action = diagnosis === null ? undefined : causeAction(diagnosis.cause);
  const again = diagnosis === null ? null : signInSearch(event, diagnosis.cause);
  return (
    <section>
      <h2>{diagnosis === null ? t('drawer.quota') : t('drawer.diagnosis')}</h2>
      {diagnosis !== null && (
        <div className="box">
          <b>
            {diagnosis.untilMs === null
              ? t(diagnosis.cause)
              : t('cause.until', { cause: t(diagnosis.cause), time: time(diagnosis.untilMs) })}
          </b>
          <br />
          <span className="ink-2">{t(diagnosis.advice)}</span>
          <Group gap="0 16px" mt="xs">
            {action !== undefined && (
              <Link to={action.to} search={actionSearch(action, event)} className="link">
                {t(action.label)}
              </Link>
            )}
            {again !== null && (
              <Link to={SIGN_IN_PATH} search={again} className="link">
                {t('accountActions.reauth')}
              </Link>
            )}
            {diagnosis.untilMs !== null && event.auth_index !== '' && (
              <Link to="/accounts" search={accountSearch(event, 'quota')} className="link">
                {t('action.quota')}
              </Link>
            )}
            <span className="spacer" />
            <Button kind="quiet" onClick={() => copy(diagnosisText(event, diagnosis, context, t))}>
              <Icon name={copied ? 'check' : 'copy'} />
              {copied ? t('common.copied') : t('drawer.copyDiagnosis')}
            </Button>
          </Group>
        </div>
      )}
      <FailureText event={event} context={context} />
      {windows.length > 0 && (
        <table className="data" style={{ marginTop: 8 }}>
          <colgroup>
            <col style={{ width: 104 }} />
            <col />
            <col style={{ width: 164 }} />
          </colgroup>
          <thead>
            <tr>
              <th>{t('quota.window')}</th>
              <th>{t('quota.left')}</th>
              <th>{t('quota.resets')}</th>
            </tr>
          </thead>
          <tbody>
            {windows.map((window) => (
              <tr key={window.name}>
                <td>{windowName(window, t)}</td>
                <td>
                  <QuotaLeft percent={Math.max(0, 100 - window.usedPercent)} />
                </td>
                <td>{time(window.resetAtMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {windows.length > 0 && (
        <p className="small ink-3">
          {t('drawer.seenAt', { time: time(now) })} <QuotaNow event={event} context={context} />
        </p>
      )}
    </section>
  );
}

/** What the provider answered: the parts of a JSON, and its text one click away. */
function FailureText({ event, context }: SectionProps) {
  const { t } = useText();
  const text = event.fail_summary ?? '';
  const parts = failureParts(text, event.timestamp_ms);
  const { masker, zone, locale } = context;
  if (text === '') return null;
  const whole = <Field label={t('drawer.failure')} value={masker.text(text)} whole />;
  if (parts === null) return <dl className="definitions">{whole}</dl>;
  const { message, type, code, resetMs } = parts;
  const reset = resetMs === null ? '' : shortTime(resetMs, event.timestamp_ms, zone, locale);
  return (
    <>
      <dl className="definitions">
        <Field label={t('drawer.failureMessage')} value={masker.text(message)} whole />
        <Field label={t('drawer.failureType')} value={type} mono />
        <Field label={t('drawer.failureCode')} value={code} mono />
        <Field label={t('quota.resets')} value={reset} />
      </dl>
      <details className="small">
        <summary>{t('drawer.failureAsSent')}</summary>
        <dl className="definitions">{whole}</dl>
      </details>
    </>
  );
}

function QuotaLeft({ percent }: { readonly percent: number }) {
  const state = percent <= 0 ? 'spent' : percent < 20 ? 'low' : 'fine';
  return (
    <span className="row">
      <span className="bar" data-state={state}>
        <i style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span
        className={state === 'spent' ? 'tone-bad' : state === 'low' ? 'tone-warn' : undefined}
        style={{ width: 40, textAlign: 'right' }}
      >
        {Math.round(percent)}%
      </span>
    </span>
  );
}

/** The newest answer about the same account: an earlier limit may be over. */
function QuotaNow({ event, context }: SectionProps) {
  const { t } = useText();
  const newest = useNewestHeaders(event);
  if (newest === null || newest.timestamp_ms <= event.timestamp_ms) return null;
  const [tightest] = [...quotaWindows(newest)].sort((a, b) => b.usedPercent - a.usedPercent);
  if (tightest === undefined) return null;
  return t('drawer.quotaNow', {
    time: shortTime(newest.timestamp_ms, event.timestamp_ms, context.zone, context.locale),
    window: windowName(tightest, t),
    left: Math.round(Math.max(0, 100 - tightest.usedPercent)),
  });
}

/** Cause, advice and evidence as text, masked like the screen. */
function diagnosisText(event: EventRow, diagnosis: Diagnosis, context: CellContext, t: Translate): string {
  const until = diagnosis.untilMs === null ? '' : isoWithOffset(diagnosis.untilMs, context.zone);
  return [
    `${t(diagnosis.cause)}${event.fail_status_code === undefined ? '' : ` (${event.fail_status_code})`}`,
    ...(until === '' ? [] : [t('cause.until', { cause: t(diagnosis.cause), time: until })]),
    t(diagnosis.advice),
    `${t('column.time')}: ${isoWithOffset(event.timestamp_ms, context.zone)}`,
    `${t('field.model')}: ${event.requested_model || event.model}`,
    ...(event.request_id ? [`${t('field.requestId')}: ${event.request_id}`] : []),
    `${t('field.eventHash')}: ${event.event_hash}`,
    ...(event.fail_summary ? [context.masker.text(event.fail_summary)] : []),
    ...evidenceLines(event, context),
  ].join('\n');
}
