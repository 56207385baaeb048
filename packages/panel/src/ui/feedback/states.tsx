import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../platform/api/errors.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { splitAge } from '../../platform/format/format.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { type TextKey, type TextValues, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../controls/button.tsx';
import { Shape, Status, type StatusTone } from '../display/status.tsx';

/** One line: what is, why, and what to do about it. */
function State({
  tone,
  title,
  text,
  children,
}: {
  readonly tone: StatusTone;
  readonly title: string;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <Group className="state" gap="4px 12px">
      <span className="state-line">
        <Shape tone={tone} />
        <span>
          <b>{title}</b> <span className="ink-2">{text}</span>
        </span>
      </span>
      {children}
    </Group>
  );
}

/** Zero rows: why, and one action. */
export function EmptyState(props: { readonly title: string; readonly text: ReactNode; readonly action?: ReactNode }) {
  return (
    <State tone="unknown" title={props.title} text={props.text}>
      {props.action}
    </State>
  );
}

/** Something this server or version cannot do: what is missing and what provides it. No retry. */
export function UnsupportedState(props: {
  readonly title: string;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <State tone="off" title={props.title} text={props.text}>
      {props.action}
    </State>
  );
}

/** The class of a failure in one sentence. */
export function failureText(error: unknown): { readonly key: TextKey; readonly values?: TextValues } {
  if (!(error instanceof ApiError)) return { key: 'failure.unexpected' };
  switch (error.kind) {
    case 'timeout':
      return { key: 'failure.timeout' };
    case 'network':
    case 'aborted':
      return { key: 'failure.network' };
    case 'shape':
      return { key: 'failure.shape' };
    case 'status':
      break;
  }
  if (error.code === 'database_replaced') return { key: 'failure.databaseReplaced' };
  if (error.status === 401) return { key: error.origin === 'forwarded' ? 'failure.managementKey' : 'failure.key' };
  if (error.status === 403) return { key: 'failure.refused' };
  if (error.status === 429) {
    return error.retryAfterSeconds === null
      ? { key: 'failure.tooMany' }
      : { key: 'failure.tooManyWait', values: { seconds: error.retryAfterSeconds } };
  }
  if (error.status === 501 || error.status === 404 || error.status === 405) return { key: 'failure.missing' };
  if (error.status >= 502 && error.status <= 504) return { key: 'failure.gateway' };
  if (error.code === 'disk_full') return { key: 'failure.diskFull' };
  if (error.status >= 500) {
    // The manager's own failure to forward has a code.
    const isGateways = error.origin === 'gateway' || (error.origin === 'forwarded' && error.code === '');
    return { key: isGateways ? 'failure.gatewayServer' : 'failure.server' };
  }
  return { key: 'failure.request' };
}

/** Leads to where the cause of a failure is shown and changed; null = there is no such place. */
export function FailureLink({ error }: { readonly error: unknown }) {
  const { t } = useText();
  if (error === null || failureText(error).key !== 'failure.managementKey') return null;
  return (
    <Link to="/settings" search={{ tab: ['connection'] }} className="link">
      {t('failure.openSettings')}
    </Link>
  );
}

/** One technical line for diagnosis; it is copied into reports, so it has no query. */
export function technicalLine(error: unknown, zone: string): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const parts = [
    error.kind === 'status' ? `HTTP ${error.status}` : error.kind,
    error.code,
    error.path.replace(/\?.*$/s, ''),
    timeOfDay(error.atMs, zone),
    error.kind === 'status' || error.kind === 'shape' ? error.message : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Failed without data: what, scope, retry, one expandable technical line. */
export function ErrorState({
  title,
  error,
  scope,
  onRetry,
}: {
  readonly title: string;
  readonly error: unknown;
  readonly scope?: string;
  readonly onRetry: () => void;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const [open, setOpen] = useState(false);
  const failure = failureText(error);
  return (
    <State tone="bad" title={title} text={`${t(failure.key, failure.values)}${scope ? ` ${scope}` : ''}`}>
      <Button onClick={onRetry}>{t('common.tryAgain')}</Button>
      <FailureLink error={error} />
      <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('common.details')}
      </Button>
      {open && <div className="technical state-details">{technicalLine(error, zone)}</div>}
    </State>
  );
}

const SPAN_KEYS = {
  seconds: 'span.seconds',
  minutes: 'span.minutes',
  hours: 'span.hours',
  days: 'span.days',
} as const satisfies Record<string, TextKey>;

/** `2 min` in the chosen language. */
export function useSpan(): (ms: number) => string {
  const { t } = useText();
  return (ms) => {
    const { unit, value } = splitAge(ms);
    return t(SPAN_KEYS[unit], { value });
  };
}

/** Old data stays on screen and shows how old it is, and why. */
export function StaleBadge(props: StaleProps) {
  return (
    <Status tone="wait" pill>
      <StaleText {...props} />
    </Status>
  );
}

interface StaleProps {
  /** Time of the last successful answer, ms. */
  readonly atMs: number;
  readonly error: unknown;
}

/** For places without room for a pill. */
export function StaleText({ atMs, error }: StaleProps) {
  const { t } = useText();
  const span = useSpan();
  const now = useNow();
  const reason =
    error instanceof ApiError
      ? error.kind === 'status'
        ? `HTTP ${error.status}`
        : t(REASONS[error.kind])
      : t('reason.unexpected');
  return `${t('state.old', { span: span(now - atMs) })} · ${reason}`;
}

const REASONS = {
  network: 'reason.network',
  timeout: 'reason.timeout',
  aborted: 'reason.network',
  shape: 'reason.shape',
} as const satisfies Record<string, TextKey>;
