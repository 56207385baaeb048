import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { durationTone, formatDuration, formatRate, NONE, tokensPerSecond } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { eventNames, firstTokenMs, requestedModel, resolvedModel } from '../../../platform/requests/event-view.ts';
import type { CellContext } from '../list/event-cells.tsx';
import { Field } from './field.tsx';

export interface SectionProps {
  readonly event: EventRow;
  readonly context: CellContext;
}

/** Scale of the timing bar, ms: the smallest round one that fits the request. */
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
            className="bar timing-bar"
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
  const names = eventNames(event, context.keyNames, masker);
  const label = masker.account(event.auth_label_snapshot);
  return (
    <section>
      <h2>{t('drawer.identity')}</h2>
      <dl className="definitions">
        <Field label={t('field.account')} value={names.account} note={names.provider} />
        <Field label={t('field.label')} value={label === names.account ? '' : label} />
        <Field label={t('field.file')} value={masker.file(event.auth_file_snapshot ?? '')} mono />
        <Field label={t('field.project')} value={masker.project(event.auth_project_id_snapshot ?? '')} mono />
        <Field label={t('field.source')} value={masker.source(event.source)} />
        <Field label={t('field.key')} value={names.key} />
        <Field label={t('field.requestId')} value={event.request_id} mono />
      </dl>
      <details className="small">
        <summary>{t('drawer.identifiers')}</summary>
        <dl className="definitions">
          <Field label={t('field.authIndex')} value={event.auth_index} mono />
          <Field label={t('field.keyHash')} value={event.api_key_hash} mono />
          <Field label={t('field.sourceHash')} value={event.source_hash} mono />
          <Field label={t('field.eventHash')} value={event.event_hash} mono />
        </dl>
      </details>
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
