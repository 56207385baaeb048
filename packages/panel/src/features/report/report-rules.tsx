import { FORECAST_MIN_DAYS } from '@manager/core/forecast/month-forecast';
import { useText } from '../../platform/i18n/index.ts';
import { judgedFrom } from '../../ui/display/change-text.tsx';

interface ReportRulesProps {
  /** Whether the period is a running month, which has a forecast or too little data for one. */
  readonly running: boolean;
  /** Days that the forecast is made from; undefined = none. */
  readonly basisDays: number | undefined;
}

/** How changes are judged and how the forecast is made, also on paper. */
export function ReportRules({ running, basisDays }: ReportRulesProps) {
  const { t } = useText();
  return (
    <section className="report-rules" aria-label={t('report.rules')}>
      <p>
        {t('report.changeRule')} {judgedFrom(t)}
      </p>
      {running && (
        <p>
          {basisDays === undefined
            ? t('report.forecastMissing', { count: FORECAST_MIN_DAYS })
            : t('report.forecastRule', { count: basisDays })}
        </p>
      )}
    </section>
  );
}
