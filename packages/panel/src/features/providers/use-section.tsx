import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useServices } from '../../platform/api/services.ts';
import { formatCompact, formatCostSum, formatCount, formatShare } from '../../platform/format/format.ts';
import { shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { unpricedTitle } from '../../platform/requests/sum-texts.ts';
import type { ProviderRow } from './model/rows.ts';

/** Its requests of the last seven days, as the manager stored them. */
export function UseSection({ row }: { readonly row: ProviderRow }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  const { use } = row;
  const indexes = row.keys.flatMap(({ authIndex }) => (authIndex === '' ? [] : [authIndex]));
  const requests = { range: ['7d'], auth_index: indexes };
  return (
    <section>
      <h2>{t('providers.useHint')}</h2>
      {use === undefined && <p className="ink-2">{t('clientKeys.useUnknown')}</p>}
      {use === null && <p className="ink-2">{t('providers.noUse')}</p>}
      {use && (
        <dl className="definitions">
          <dt>{t('clientKeys.requests')}</dt>
          <dd>
            <span className="value">
              {formatCount(use.calls)}{' '}
              <span className="ink-3">
                {t('clientKeys.succeeded', { share: formatShare(1 - use.failed / use.calls) })}
              </span>
            </span>
          </dd>
          <dt>{t('clientKeys.tokens')}</dt>
          <dd>
            <span className="value">{formatCount(use.tokens)}</span>
          </dd>
          <dt>{t('clientKeys.cost')}</dt>
          <dd>
            <span className="value" title={unpricedTitle(use.unpriced, t)}>
              {formatCostSum(use.cost, use.unpriced)}
            </span>
          </dd>
          <dt>{t('clientKeys.seen')}</dt>
          <dd>
            <span className="value">{shortTime(use.lastMs, client.now(), zone, locale)}</span>
          </dd>
        </dl>
      )}
      {use && indexes.length > 0 && (
        <Group gap="8px 16px">
          <Link to="/monitoring" search={requests} className="link">
            {t('providers.openRequests')}
          </Link>
          {use.failed > 0 && (
            <Link to="/monitoring" search={{ ...requests, status: ['failed'] }} className="link">
              {t('clientKeys.openFailed', { count: use.failed, value: formatCompact(use.failed) })}
            </Link>
          )}
        </Group>
      )}
    </section>
  );
}
