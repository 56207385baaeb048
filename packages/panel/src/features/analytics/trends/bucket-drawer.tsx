import type { AnomalyPoint } from '@manager/core/contract/monitoring/sections';
import { useText } from '../../../platform/i18n/index.ts';
import { pointChange, relativeChange } from '../../../platform/wording/changes.ts';
import { judgeChange } from '../../../platform/wording/judge-change.ts';
import { bucketName } from '../../../ui/chart/names.ts';
import { ChangeText } from '../../../ui/display/change-text.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import { DetailDrawer, Facts } from '../detail-drawer.tsx';
import { isAmount, type MeasureId, measure, measureName, measureOf, measureValue } from '../measures.ts';
import { monitoringSearch } from '../monitoring-search.ts';
import type { TabProps } from '../tab-props.ts';
import type { Answered } from '../use-scope.ts';
import { anomalyTexts, SEVERITIES } from './anomalies.tsx';
import { completeAnomalies, timelineView } from './timeline-chart.ts';

const SHOWN: readonly MeasureId[] = [
  'requests',
  'failed',
  'failureRate',
  'cost',
  'tokens',
  'input',
  'output',
  'cached',
  'hitRate',
  'p95',
  'ttft',
];

/** One bucket of the timeline in numbers, compared with the previous one. */
export function BucketDrawer({
  search,
  change,
  slot,
  money,
  answered,
}: Pick<TabProps, 'search' | 'change' | 'slot' | 'money'> & { readonly answered: Answered }) {
  const { t, locale } = useText();
  const { buckets, points } = timelineView(answered);
  const index = buckets.findIndex(({ startMs }) => String(startMs) === search.open);
  const bucket = buckets[index];
  const close = () => change({ open: '' });
  const step = (direction: 1 | -1) => {
    const next = buckets[index + direction];
    if (next !== undefined) change({ open: String(next.startMs) }, true);
  };
  if (bucket === undefined) {
    return (
      <DetailDrawer slot={slot} label={t('analytics.bucket')} title={t('analytics.bucket')} onClose={close}>
        <EmptyState title={t('analytics.notInRange')} text={t('analytics.notInRangeText')} />
      </DetailDrawer>
    );
  }
  const [point, before] = [points[index], points[index - 1]];
  // An incomplete bucket cannot be compared.
  const previous = buckets[index - 1];
  const comparable = bucket.partial !== true && previous !== undefined && previous.partial !== true;
  const anomaly = completeAnomalies(answered).find(({ bucket_ms }) => bucket_ms === bucket.startMs);
  const span = { fromMs: bucket.startMs, toMs: bucket.endMs };
  return (
    <DetailDrawer
      slot={slot}
      label={t('analytics.bucket')}
      title={bucketName(bucket, answered.zone, locale)}
      subtitle={bucket.partial === true ? `${answered.zone} · ${t('chart.partial')}` : answered.zone}
      onStep={step}
      onClose={close}
      foot={
        <RequestsLink search={monitoringSearch(answered.scope, answered, span)} className="link">
          {t('analytics.openRequests')}
        </RequestsLink>
      }
    >
      {anomaly !== undefined && <AnomalySection anomaly={anomaly} />}
      <section>
        <h2>{t('analytics.againstBefore')}</h2>
        <Facts
          facts={SHOWN.map((id) => {
            const one = measure(id);
            const [now, was] = [measureValue(one, point), measureValue(one, before)];
            const share = one.unit === 'share';
            const difference = share ? pointChange(now, was) : relativeChange(now, was);
            const verdict = judgeChange({
              baseRequests: Math.min(point?.calls ?? 0, before?.calls ?? 0),
              before: was,
              after: now,
              good: one.good,
              share,
            });
            return [
              measureName(one, money, t),
              <span key={id} className="row">
                {measureOf(one, point, money)}
                {comparable && (isAmount(one) || (now !== null && was !== null)) && (
                  <ChangeText change={difference} verdict={verdict} />
                )}
              </span>,
            ];
          })}
        />
      </section>
    </DetailDrawer>
  );
}

function AnomalySection({ anomaly }: { readonly anomaly: AnomalyPoint }) {
  const { t } = useText();
  const severity = SEVERITIES[anomaly.severity];
  return (
    <section>
      <Status tone={severity.tone} pill>
        {t(severity.label)}
      </Status>
      <ul style={{ marginTop: 8 }}>
        {anomalyTexts(anomaly, t).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}
