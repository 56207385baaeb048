import type { AnomalyPoint } from '@manager/core/contract/monitoring/sections';
import { useMemo } from 'react';
import { type DataSource, mapSource } from '../../../platform/api/data-source.ts';
import { useAddressHref } from '../../../platform/browser/address.ts';
import { formatCompact, formatCount } from '../../../platform/format/format.ts';
import { isoWithOffset } from '../../../platform/format/time.ts';
import { type TextKey, type Translate, useText } from '../../../platform/i18n/index.ts';
import { changeNumber } from '../../../platform/wording/changes.ts';
import { bucketName } from '../../../ui/chart/names.ts';
import { Status, type Word } from '../../../ui/display/status.tsx';
import { moneyCells } from '../../../ui/table/money-column.ts';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import { ANALYTICS_ADDRESS } from '../analytics-search.ts';
import type { Money } from '../money.ts';
import type { Answered } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { completeAnomalies } from './timeline-chart.ts';

/** px of a row on a narrow screen without its changes, and of each of them. */
const NARROW_HEIGHT = 62;
const LINE_HEIGHT = 20;

export const SEVERITIES: Readonly<Record<AnomalyPoint['severity'], Word>> = {
  high: { tone: 'bad', label: 'anomaly.high' },
  medium: { tone: 'warn', label: 'anomaly.medium' },
  low: { tone: 'unknown', label: 'anomaly.low' },
};

/** How each kind differs from the previous bucket; the thresholds are the manager's. */
export function anomalyTexts(anomaly: AnomalyPoint, t: Translate): readonly string[] {
  const relative = (value: number) => changeNumber({ kind: 'relative', value });
  const points = (value: number) => changeNumber({ kind: 'points', value });
  const texts: Readonly<Record<AnomalyPoint['metric_keys'][number], readonly [TextKey, string]>> = {
    request_spike: ['anomaly.requests', relative(anomaly.request_change)],
    cost_spike: ['anomaly.cost', relative(anomaly.cost_change)],
    tokens_per_request_spike: ['anomaly.tokens', relative(anomaly.tokens_per_request_change)],
    cache_hit_drop: ['anomaly.hits', points(anomaly.cache_hit_rate_change)],
    failure_rate_spike: ['anomaly.failures', points(anomaly.failure_rate_change)],
    latency_spike: ['anomaly.latency', relative(anomaly.latency_p95_change)],
  };
  return anomaly.metric_keys.flatMap((key) => {
    const known = texts[key];
    return known === undefined ? [key] : [t(known[0], { change: known[1] })];
  });
}

/** Buckets that differ from the previous one, most striking first. */
export function AnomalyTable({
  source,
  money,
  onOpen,
  openKey,
}: {
  readonly source: DataSource<Answered>;
  readonly money: Money;
  readonly onOpen: (bucketMs: number) => void;
  readonly openKey: string | null;
}) {
  const hrefTo = useAddressHref(ANALYTICS_ADDRESS);
  const { t, locale } = useText();
  const unsupported = useUnsupported();
  const zone = source.data?.zone ?? 'UTC';
  const columns = useMemo<readonly TableColumn<AnomalyPoint>[]>(
    () => [
      {
        id: 'time',
        label: t('chart.time'),
        width: 184,
        cell: (row) => bucketName({ startMs: row.bucket_ms, endMs: row.bucket_end_ms }, zone, locale),
        exported: (row) => isoWithOffset(row.bucket_ms, zone),
      },
      {
        id: 'severity',
        label: t('anomaly.severity'),
        width: 96,
        cell: (row) => <Status tone={SEVERITIES[row.severity].tone}>{t(SEVERITIES[row.severity].label)}</Status>,
        exported: (row) => row.severity,
      },
      {
        id: 'kinds',
        label: t('anomaly.what'),
        width: null,
        minWidth: 200,
        cell: (row) => anomalyTexts(row, t).join(' · '),
        title: (row) => anomalyTexts(row, t).join('\n'),
        exported: (row) => row.metric_keys.join(' '),
      },
      {
        id: 'requests',
        label: t('analytics.requests'),
        width: 88,
        priority: 1,
        right: true,
        cell: (row) => formatCount(row.calls),
        exported: (row) => row.calls,
      },
      {
        id: 'cost_usd',
        label: `${t('analytics.cost')}${money.mark}`,
        width: 92,
        priority: 2,
        ...moneyCells((row) => row.cost, { column: money.column }),
        exported: (row) => row.cost,
      },
    ],
    [t, zone, locale, money],
  );
  return (
    <TablePanel
      title={t('anomaly.title')}
      subtitle={t('anomaly.subtitle')}
      source={mapSource(source, completeAnomalies)}
      empty={{ title: t('anomaly.none'), text: t('anomaly.noneText') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      columns={columns}
      rowKey={(row) => String(row.bucket_ms)}
      rowName={(row) => bucketName({ startMs: row.bucket_ms, endMs: row.bucket_end_ms }, zone, locale)}
      narrow={(row) => ({
        main: bucketName({ startMs: row.bucket_ms, endMs: row.bucket_end_ms }, zone, locale),
        mainBelow: <Status tone={SEVERITIES[row.severity].tone}>{t(SEVERITIES[row.severity].label)}</Status>,
        value: formatCompact(row.calls),
        valueBelow: t('analytics.requests'),
        more: anomalyTexts(row, t).map((text) => (
          <span key={text} style={{ display: 'block' }} className="ellipsis ink-2">
            {text}
          </span>
        )),
      })}
      narrowHeight={(row) => NARROW_HEIGHT + row.metric_keys.length * LINE_HEIGHT}
      href={(row) => hrefTo({ open: String(row.bucket_ms) })}
      onOpen={(row) => onOpen(row.bucket_ms)}
      openKey={openKey}
      maxHeight={284}
      exportName="anomalies"
      expectedRows={4}
    />
  );
}
