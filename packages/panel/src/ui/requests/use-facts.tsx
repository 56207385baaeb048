import { useServices } from '../../platform/api/services.ts';
import { formatCostSum, formatCount, formatShare } from '../../platform/format/format.ts';
import { shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { unpricedTitle } from '../../platform/requests/sum-texts.ts';

/** Requests, tokens, cost and last use of a key, as the manager stored them. */
export function UseFacts({
  calls,
  successRate,
  tokens,
  cost,
  unpriced,
  lastMs,
}: {
  readonly calls: number;
  readonly successRate: number;
  readonly tokens: number;
  readonly cost: number;
  readonly unpriced: number | undefined;
  readonly lastMs: number;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  return (
    <dl className="definitions">
      <dt>{t('clientKeys.requests')}</dt>
      <dd>
        <span className="value">
          {formatCount(calls)}{' '}
          <span className="ink-3">{t('clientKeys.succeeded', { share: formatShare(successRate) })}</span>
        </span>
      </dd>
      <dt>{t('clientKeys.tokens')}</dt>
      <dd>
        <span className="value">{formatCount(tokens)}</span>
      </dd>
      <dt>{t('clientKeys.cost')}</dt>
      <dd>
        <span className="value" title={unpricedTitle(unpriced, t)}>
          {formatCostSum(cost, unpriced)}
        </span>
      </dd>
      <dt>{t('clientKeys.seen')}</dt>
      <dd>
        <span className="value">{shortTime(lastMs, client.now(), zone, locale)}</span>
      </dd>
    </dl>
  );
}
