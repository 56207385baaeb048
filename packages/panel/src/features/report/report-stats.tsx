import { formatCompact, formatCount, formatShare } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { failureRate } from '../../platform/requests/usage-sums.ts';
import { type Stat, StatRow } from '../../ui/display/stats.tsx';
import { atLeast, measureText, RowChange } from './report-columns.tsx';
import type { ReportForecast } from './report-forecast.ts';
import type { ReportSums } from './report-rows.ts';
import { REPORT_MEASURES } from './report-search.ts';

interface ReportStatsProps {
  /** undefined while loading. */
  readonly total: { readonly now: ReportSums; readonly before: ReportSums | null } | undefined;
  /** null = too little data, undefined = the period is no running month. */
  readonly forecast: ReportForecast | null | undefined;
}

const LABELS = { requests: 'stat.requests', tokens: 'stat.tokens', cost: 'stat.cost' } as const;

/** The sums of the period, what they were before and, of a running month, what they come to. */
export function ReportStats({ total, forecast }: ReportStatsProps) {
  const { t } = useText();
  const measured = REPORT_MEASURES.map(
    (measure): Stat => ({
      key: measure,
      label: t(LABELS[measure]),
      value: total && measureText(total.now, measure),
      ...(measure === 'cost'
        ? {}
        : { title: total && formatCount(total.now[measure === 'tokens' ? 'tokens' : 'calls']) }),
      qualifier: total?.before && (
        <>
          {t('report.beforeValue', { value: measureText(total.before, measure) })}{' '}
          <RowChange row={total} measure={measure} />
        </>
      ),
    }),
  );
  const stats: readonly Stat[] = [
    ...measured,
    {
      key: 'failed',
      label: t('stat.failed'),
      value: total && formatCount(total.now.failed),
      qualifier: total && formatShare(failureRate(total.now)),
    },
    ...(forecast === undefined ? [] : [forecastStat(forecast, total?.now)]),
  ];
  return <StatRow label={t('report.totals')} stats={stats} />;

  function forecastStat(of: ReportForecast | null, now: ReportSums | undefined): Stat {
    return {
      key: 'forecast',
      label: t('report.forecast'),
      value: of === null ? '–' : atLeast(of.cost, now?.unpriced),
      qualifier:
        of === null
          ? t('report.noForecast')
          : t('report.forecastOthers', {
              requests: formatCompact(Math.round(of.requests)),
              tokens: formatCompact(Math.round(of.tokens)),
            }),
      important: true,
    };
  }
}
