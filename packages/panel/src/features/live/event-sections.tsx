import type { EventRow } from '@manager/core/contract/monitoring';
import { Fragment, type ReactNode } from 'react';
import { isRecord } from '../../app/storage.ts';
import { type TextKey, useText } from '../../i18n/index.ts';
import { durationTone, formatDuration, formatRate, NONE, tokensPerSecond } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { shortTime } from '../../ui/time.ts';
import { accountToken, rememberAccounts } from './account-names.ts';
import { type Diagnosis, type QuotaWindow, quotaWindows } from './diagnosis.ts';
import type { CellContext } from './event-cells.tsx';
import { eventNames, firstTokenMs, requestedModel, resolvedModel } from './event-view.ts';
import { Field } from './field.tsx';
import { DEFAULT_LIVE_SEARCH, type LiveSearch, setListFilter } from './live-search.ts';

interface SectionProps {
  readonly event: EventRow;
  readonly context: CellContext;
}

function windowName(window: QuotaWindow, t: (key: TextKey, values?: Record<string, number>) => string): string {
  if (window.windowMinutes === 300) return t('quota.fiveHours');
  if (window.windowMinutes === 10_080) return t('quota.week');
  if (window.windowMinutes !== null) return t('quota.hours', { hours: Math.round(window.windowMinutes / 60) });
  return t(window.name === 'primary' ? 'quota.primary' : 'quota.secondary');
}

export function DiagnosisSection({
  event,
  context,
  diagnosis,
}: SectionProps & { readonly diagnosis: Diagnosis | null }) {
  const { t } = useText();
  const windows = quotaWindows(event);
  if (diagnosis === null && windows.length === 0) return null;
  const now = event.timestamp_ms;
  const time = (ms: number | null) => shortTime(ms, now, context.zone, context.locale);
  const summary = context.masker.text(event.fail_summary ?? '');
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
        </div>
      )}
      {summary !== '' && (
        <dl className="definitions">
          <Field label={t('drawer.failure')} value={summary} />
        </dl>
      )}
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
    </section>
  );
}

function QuotaLeft({ percent }: { readonly percent: number }) {
  const state = percent <= 0 ? 'out' : percent < 20 ? 'low' : 'fine';
  return (
    <span className="row">
      <span className="quota-bar" data-state={state}>
        <i style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span
        className={state === 'out' ? 'tone-bad' : state === 'low' ? 'tone-warn' : undefined}
        style={{ width: 40, textAlign: 'right' }}
      >
        {Math.round(percent)}%
      </span>
    </span>
  );
}

/** Scale of the timing bar, ms: the smallest round one that holds the request. */
const SCALES = [2_000, 10_000, 30_000, 120_000, 600_000] as const;

export function TimingSection({ event }: { readonly event: EventRow }) {
  const { t } = useText();
  const { latency_ms: latency } = event;
  const ttft = firstTokenMs(event);
  const scale = SCALES.find((candidate) => (latency ?? 0) <= candidate) ?? Math.max(latency ?? 0, 1);
  const share = (ms: number) => `${Math.min(100, (ms / scale) * 100)}%`;
  const tone = durationTone(latency);
  const generation = latency !== null && ttft !== null && latency > ttft ? latency - ttft : null;
  const whole = event.failed ? null : tokensPerSecond(event.output_tokens, latency);
  const after = event.failed ? null : tokensPerSecond(event.output_tokens, generation);
  return (
    <section>
      <div className="row" style={{ marginBottom: 8 }}>
        <h2 style={{ margin: 0 }}>{t('drawer.timing')}</h2>
        <span className="spacer" />
        <b className={tone === null ? undefined : `tone-${tone}`}>{formatDuration(latency)}</b>
        <span className="small ink-3">{t('drawer.elapsed')}</span>
        <span className="small ink-3">
          {ttft === null ? t('drawer.noFirstToken') : t('drawer.firstToken', { time: formatDuration(ttft) })}
        </span>
      </div>
      {latency !== null && (
        <>
          <div
            className="timing-bar"
            role="img"
            aria-label={t('drawer.timingBar', { elapsed: formatDuration(latency), first: formatDuration(ttft) })}
          >
            <i className={event.failed ? 'failed' : 'waiting'} style={{ width: share(ttft ?? latency) }} />
            {generation !== null && <i className="generating" style={{ width: share(generation) }} />}
          </div>
          <div className="row tiny ink-3" style={{ justifyContent: 'space-between' }} aria-hidden="true">
            <span>0</span>
            <span>{formatDuration(scale / 2)}</span>
            <span>{formatDuration(scale)}</span>
          </div>
        </>
      )}
      {whole !== null && (
        <div className="small ink-3" style={{ marginTop: 4 }}>
          {t('drawer.rate', { rate: formatRate(whole) })}
          {after !== null && ` · ${t('drawer.rateAfter', { rate: formatRate(after) })}`}
        </div>
      )}
    </section>
  );
}

export function RoutingSection({ event }: { readonly event: EventRow }) {
  const { t } = useText();
  const resolved = resolvedModel(event);
  const analytics = event.analytics_model ?? '';
  const path = `${event.method} ${event.path}`.trim();
  return (
    <section>
      <h2>{t('drawer.routing')}</h2>
      <dl className="definitions">
        <Field
          label={t('field.model')}
          value={requestedModel(event)}
          {...(resolved === '' ? { note: t('field.asRequested') } : {})}
        />
        <Field label={t('field.resolvedModel')} value={resolved} />
        <Field label={t('field.analyticsModel')} value={analytics === requestedModel(event) ? '' : analytics} />
        <Field label={t('field.effort')} value={`${event.reasoning_effort || NONE} · ${event.service_tier || NONE}`} />
        <Field label={t('field.endpoint')} value={event.endpoint} mono />
        <Field label={t('field.path')} value={path === event.endpoint ? '' : path} mono />
        <Field label={t('field.executor')} value={event.executor_type} />
      </dl>
    </section>
  );
}

export function IdentitySection({ event, context }: SectionProps) {
  const { t } = useText();
  const { masker } = context;
  const names = eventNames(event, context.aliases, masker);
  const label = masker.account(event.auth_label_snapshot);
  return (
    <section>
      <h2>{t('drawer.identity')}</h2>
      <dl className="definitions">
        <Field label={t('field.account')} value={names.account} note={names.provider} />
        <Field label={t('field.label')} value={label === names.account ? '' : label} />
        <Field label={t('field.file')} value={masker.file(event.auth_file_snapshot ?? '')} mono />
        <Field label={t('field.authIndex')} value={event.auth_index} mono />
        <Field label={t('field.project')} value={masker.project(event.auth_project_id_snapshot ?? '')} mono />
        <Field label={t('field.source')} value={masker.source(event.source)} />
        <Field label={t('field.key')} value={names.key} />
        <Field label={t('field.keyHash')} value={event.api_key_hash} mono />
        <Field label={t('field.sourceHash')} value={event.source_hash} mono />
        <Field label={t('field.requestId')} value={event.request_id} mono />
        <Field label={t('field.eventHash')} value={event.event_hash} mono />
      </dl>
      {masker.on ? (
        <div className="small ink-3" style={{ marginTop: 8 }}>
          {t('drawer.clientMasked')}
        </div>
      ) : (
        <>
          <h3>{t('drawer.client')}</h3>
          <dl className="definitions">
            <Field label={t('field.clientIp')} value={event.client_ip} mono />
            <Field label={t('field.forwardedFor')} value={event.x_forwarded_for} note={t('field.unverified')} mono />
            <Field label={t('field.userAgent')} value={event.user_agent} />
          </dl>
        </>
      )}
    </section>
  );
}

/** Groups of the metadata, in the order of their use; names of members are those of the wire. */
const GROUPS = [
  ['errors', 'group.errors'],
  ['quota', 'group.quota'],
  ['provider_usage', 'group.providerUsage'],
  ['rate_limit', 'group.rateLimit'],
  ['trace', 'group.trace'],
  ['routing', 'group.routing'],
  ['response', 'group.response'],
  ['providers', 'group.providers'],
  ['data_policy', 'group.dataPolicy'],
] as const satisfies readonly (readonly [string, TextKey])[];

function flatten(value: unknown, prefix: string): readonly (readonly [string, unknown])[] {
  if (!isRecord(value)) return [[prefix, value]];
  return Object.entries(value).flatMap(([name, item]) => flatten(item, prefix === '' ? name : `${prefix}.${name}`));
}

export function MetadataSection({ event, context }: SectionProps) {
  const { t } = useText();
  const metadata = event.response_metadata ?? {};
  const known = new Set<string>(GROUPS.map(([name]) => name));
  const groups: readonly { readonly name: string; readonly label: string }[] = [
    ...GROUPS.map(([name, key]) => ({ name, label: t(key) })),
    ...Object.keys(metadata)
      .filter((name) => !known.has(name))
      .map((name) => ({ name, label: name })),
  ].filter(({ name }) => metadata[name] !== undefined);
  if (groups.length === 0) return null;
  const text = (name: string, value: unknown): string => {
    if (name.endsWith('_ms') && typeof value === 'number' && value > 1e11) {
      return shortTime(value, event.timestamp_ms, context.zone, context.locale);
    }
    return context.masker.text(typeof value === 'string' ? value : JSON.stringify(value));
  };
  return (
    <section>
      <h2>{t('drawer.metadata')}</h2>
      {groups.map(({ name: group, label }) => (
        <Fragment key={group}>
          <h3>{label}</h3>
          <dl className="definitions wide">
            {flatten(metadata[group], '').map(([name, value]) => (
              <Field key={name} label={name} value={text(name, value)} mono />
            ))}
          </dl>
        </Fragment>
      ))}
    </section>
  );
}

const FIVE_MINUTES_MS = 300_000;

export function RelatedSection({
  event,
  onSearch,
}: {
  readonly event: EventRow;
  readonly onSearch: (next: (before: LiveSearch) => LiveSearch) => void;
}) {
  const { t } = useText();
  const around: LiveSearch = {
    ...DEFAULT_LIVE_SEARCH,
    range: { name: 'custom', fromMs: event.timestamp_ms - FIVE_MINUTES_MS, toMs: event.timestamp_ms + FIVE_MINUTES_MS },
  };
  const account = event.account_snapshot || event.auth_label_snapshot || event.source || event.auth_index;
  const links: readonly (readonly [TextKey, LiveSearch | null])[] = [
    [
      'related.trace',
      event.header_trace_id
        ? {
            ...setListFilter(DEFAULT_LIVE_SEARCH, 'header_trace_id', [event.header_trace_id]),
            range: { name: 'all', fromMs: null, toMs: null },
          }
        : null,
    ],
    ['related.account', account ? setListFilter(around, 'account', [accountToken(account)]) : null],
    ['related.key', event.api_key_hash ? setListFilter(around, 'api_key_hash', [event.api_key_hash]) : null],
    [
      'related.model',
      event.analytics_model || event.model
        ? setListFilter(around, 'model', [event.analytics_model || event.model])
        : null,
    ],
  ];
  const open = (search: LiveSearch) => {
    rememberAccounts([account], true);
    onSearch(() => search);
  };
  return (
    <section>
      <h2>{t('drawer.related')}</h2>
      {links.map(
        ([key, search]): ReactNode =>
          search !== null && (
            <button key={key} type="button" className="related-link" onClick={() => open(search)}>
              {t(key)}
              <span className="spacer" />
              <Icon name="chevronRight" />
            </button>
          ),
      )}
    </section>
  );
}
