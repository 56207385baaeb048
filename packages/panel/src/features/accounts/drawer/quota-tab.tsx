import type { AccountWindowUsage } from '@manager/core/contract/accounts/window-usage';
import { useQuery } from '@tanstack/react-query';
import { ACCOUNTS_KEY, windowUsage } from '../../../platform/accounts/account-calls.ts';
import type { WindowBar } from '../../../platform/accounts/quota.ts';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { useServices } from '../../../platform/api/services.ts';
import {
  formatCompact,
  formatCost,
  formatCostSum,
  formatCount,
  formatShare,
  NONE,
} from '../../../platform/format/format.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { type CellContext, fullMoment, resetText } from '../../../ui/accounts/account-text.ts';
import { DrawerSkeleton } from '../../../ui/dialog/drawer-skeleton.tsx';
import { EmptyState, UnsupportedState } from '../../../ui/feedback/states.tsx';
import { type Forecast, windowForecast } from '../model/forecast.ts';
import { usageKey, usageWindows } from '../model/window-periods.ts';
import { BarLine } from '../quota-bars.tsx';
import { ResetCredit } from './reset-credit.tsx';

interface QuotaTabProps {
  readonly row: AccountRow;
  readonly context: CellContext;
}

type UsageByKey = ReadonlyMap<string, AccountWindowUsage>;
const NO_USAGE: UsageByKey = new Map();

/** Quota left in every window, use within it, and a forecast. */
export function QuotaTab({ row, context }: QuotaTabProps) {
  const { t } = useText();
  const { client } = useServices();
  const { account, quota } = row;
  const bars = quota.bars;
  const usage = useQuery({
    // The query key has the window's bounds, but not the moving end of the present one.
    queryKey: [ACCOUNTS_KEY, 'usage', account.key, ...bars.map((bar) => `${bar.key}:${bar.resetAtMs}`)],
    enabled: context.managed && bars.length > 0,
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const windows = [...usageWindows(account, bars, client.now())];
      if (windows.length === 0) return NO_USAGE;
      const { items } = await windowUsage(client, { windows }, signal);
      return new Map(items.map((item) => [item.request_key, item]));
    },
    structuralSharing: false,
  });
  const spent = row.history;
  if (!quota.supported) {
    return <UnsupportedState title={t('quotaTab.unsupported')} text={t('quotaTab.unsupportedText')} />;
  }
  return (
    <>
      {context.managed && (
        <section>
          <h2>{t('quotaTab.sinceFirst')}</h2>
          <p className="ink-2">
            {spent === null || !spent.matched
              ? t('accounts.noRequests')
              : [
                  t('quotaTab.requests', { count: spent.total_requests, requests: formatCount(spent.total_requests) }),
                  t('accounts.tokens', { tokens: formatCompact(spent.total_tokens) }),
                  formatCostSum(spent.total_cost, spent.unpriced_calls),
                  t('accounts.ok', { share: formatShare(spent.success_rate) }),
                ].join(' · ')}
          </p>
        </section>
      )}
      {row.quotaMissing === 'pending' && <DrawerSkeleton />}
      {row.quotaMissing === 'failed' && (
        <p className="ink-2">{t('accounts.partsFailed', { parts: t('accountPart.quota') })}</p>
      )}
      {bars.length === 0 && row.quotaMissing === null && (
        <EmptyState title={t('accounts.notObserved')} text={t('quotaTab.notObservedText')} />
      )}
      {bars.map((bar) => (
        <WindowSection
          key={bar.key}
          bar={bar}
          usage={usage.data ?? NO_USAGE}
          loading={usage.isLoading}
          failed={usage.error !== null}
          context={context}
        />
      ))}
      {quota.credits !== null && <ResetCredit row={row} credits={quota.credits} context={context} />}
    </>
  );
}

const ACCURACY: Readonly<Record<WindowBar['accuracy'], TextKey>> = {
  exact: 'quotaTab.exact',
  derived: 'quotaTab.derived',
  estimated: 'quotaTab.estimated',
  unknown: 'quotaTab.unknown',
};
const SOURCES: Readonly<Record<WindowBar['source'], TextKey>> = {
  api_query: 'quotaTab.byQuery',
  response_header: 'quotaTab.byHeader',
  response_body: 'quotaTab.byBody',
  inspection: 'quotaTab.byInspection',
};

function WindowSection({
  bar,
  usage,
  loading,
  failed,
  context,
}: {
  readonly bar: WindowBar;
  readonly usage: UsageByKey;
  readonly loading: boolean;
  readonly failed: boolean;
  readonly context: CellContext;
}) {
  const { t } = useText();
  const current = usage.get(usageKey(bar, 'current')) ?? null;
  const before = usage.get(usageKey(bar, 'previous')) ?? null;
  const equal = usage.get(usageKey(bar, 'previous_equal_range')) ?? null;
  const forecast = windowForecast(bar, current, before);
  const reset = bar.resetAtMs === null ? null : resetText(bar.resetAtMs, context);
  const unmatched = current?.unmatched_requests ?? 0;
  return (
    <section>
      <BarLine bar={bar} context={context} />
      <p className="small ink-3">
        {[
          t(SOURCES[bar.source]),
          t('accounts.seen', { time: fullMoment(bar.observedAtMs, context) }),
          reset === null
            ? ''
            : `${t('quotaTab.resets', { time: fullMoment(bar.resetAtMs ?? 0, context) })} (${reset.relative})`,
          t(ACCURACY[bar.accuracy]),
          bar.stale ? t('quotaTab.staleText') : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {!context.managed ? null : failed ? (
        <p className="tone-bad small">{t('quotaTab.usageFailed')}</p>
      ) : loading ? (
        <div className="skeleton" style={{ width: 280, margin: '8px 0' }} />
      ) : current === null ? (
        <p className="small ink-2">{t('quotaTab.noBounds')}</p>
      ) : (
        <table className="data small account-usage">
          <thead>
            <tr>
              <th scope="col">{t('quotaTab.period')}</th>
              <th scope="col" className="right">
                {t('accounts.requests')}
              </th>
              <th scope="col" className="right">
                {t('accounts.tokensLabel')}
              </th>
              <th scope="col" className="right">
                {t('accounts.cost')}
              </th>
              <th scope="col" className="right">
                {t('accounts.successRate')}
              </th>
            </tr>
          </thead>
          <tbody>
            <UsageRow label={t('quotaTab.current')} usage={current} />
            {before !== null && <UsageRow label={t('quotaTab.previous')} usage={before} />}
            {before === null && equal !== null && <UsageRow label={t('quotaTab.equalRange')} usage={equal} />}
            <ForecastRow forecast={forecast} />
          </tbody>
        </table>
      )}
      {current !== null && current.scope_match_status === 'unmatched' && (
        <p className="small ink-2">{t('quotaTab.scopeUnknown')}</p>
      )}
      {current !== null && current.scope_match_status === 'partial' && (
        <p className="small ink-2">{t('quotaTab.scopePartial', { count: unmatched })}</p>
      )}
    </section>
  );
}

function UsageRow({ label, usage }: { readonly label: string; readonly usage: AccountWindowUsage }) {
  const known = usage.scope_match_status !== 'unmatched';
  return (
    <tr>
      <td>{label}</td>
      <td className="right">{known ? formatCount(usage.total_requests) : NONE}</td>
      <td className="right">{known ? formatCompact(usage.total_tokens) : NONE}</td>
      <td className="right">{known ? formatCostSum(usage.total_cost, usage.unpriced_calls) : NONE}</td>
      <td className="right">{known ? formatShare(usage.success_rate) : NONE}</td>
    </tr>
  );
}

function ForecastRow({ forecast }: { readonly forecast: Forecast }) {
  const { t } = useText();
  if (forecast === null) return null;
  if (forecast.basis === 'early') {
    return (
      <tr>
        <td>{t('quotaTab.forecast')}</td>
        <td colSpan={4} className="right ink-3">
          {t('quotaTab.tooEarly')}
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <td title={t(forecast.basis === 'quota' ? 'quotaTab.basisQuota' : 'quotaTab.basisPrevious')}>
        {t(forecast.basis === 'quota' ? 'quotaTab.forecastQuota' : 'quotaTab.forecastPrevious')}
      </td>
      <td className="right">{formatCount(forecast.requests)}</td>
      <td className="right">{formatCompact(forecast.tokens)}</td>
      <td className="right">{formatCost(forecast.cost)}</td>
      <td className="right">{NONE}</td>
    </tr>
  );
}
