import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fromQuery, isUnsupported } from '../../platform/api/data-source.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { formatCount, NONE } from '../../platform/format/format.ts';
import { dayOrTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Status } from '../../ui/display/status.tsx';
import { failureText, StaleText } from '../../ui/feedback/states.tsx';
import type { Inventory } from './use-inventory.ts';

/** Contents of the gateway, each line with a link. */
export function InventoryPanel({ inventory }: { readonly inventory: Inventory }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  return (
    <section className="panel" aria-label={t('inventory.title')}>
      <div className="panel-head">
        <h2>{t('inventory.title')}</h2>
      </div>
      <ul className="panel-body lines">
        <Line
          to="/accounts"
          label={t('inventory.accounts')}
          query={inventory.accounts}
          count={({ all }) => all}
          note={({ on, failing }) =>
            failing > 0 ? (
              <Status tone="warn">{t('inventory.accountsFailing', { failing })}</Status>
            ) : (
              t('inventory.accountsOn', { on })
            )
          }
        />
        <Line
          to="/api-keys"
          label={t('inventory.clientKeys')}
          query={inventory.clientKeys}
          count={(keys) => keys.length}
          note={(keys) => (keys.length === 0 ? <Status tone="warn">{t('inventory.open')}</Status> : '')}
        />
        <Line
          to="/providers"
          label={t('inventory.providerKeys')}
          query={inventory.providerKeys}
          count={({ keys }) => keys}
          note={({ providers }) => (providers === 0 ? '' : t('inventory.providers', { count: providers }))}
        />
        <Line
          to="/providers"
          label={t('inventory.compatible')}
          query={inventory.compatible}
          count={({ all }) => all}
          note={({ off }) => (off === 0 ? '' : t('inventory.off', { off }))}
        />
        <Line
          to="/system"
          label={t('inventory.models')}
          query={inventory.models}
          count={(models) => models}
          note={() => ''}
        />
        <Line
          to="/logs"
          search={ERROR_LOGS}
          label={t('inventory.errorLogs')}
          query={inventory.errorLogs}
          count={({ files }) => files}
          note={({ files, newestMs }) =>
            files === 0 ? (
              ''
            ) : (
              <Status tone="warn">
                {t('inventory.newest', { time: dayOrTime(newestMs, Date.now(), zone, locale) })}
              </Status>
            )
          }
        />
      </ul>
    </section>
  );
}

const ERROR_LOGS: UrlSearch = { tab: ['errors'] };

interface LineProps<T> {
  readonly to: string;
  readonly search?: UrlSearch;
  readonly label: string;
  readonly query: UseQueryResult<T>;
  readonly count: (data: T) => number;
  readonly note: (data: T) => ReactNode;
}

/** One line with its own state; an old number stays, marked as old. */
function Line<T>({ to, search = {}, label, query, count, note }: LineProps<T>) {
  const { t } = useText();
  const { data, error, atMs } = fromQuery(query);
  const problem = error === null ? null : isUnsupported(error) ? t('inventory.notThere') : t(failureText(error).key);
  return (
    <li>
      <Link
        style={{
          display: 'grid',
          gridTemplateColumns: 'minmax(0, 5fr) 40px minmax(0, 4fr)',
          alignItems: 'center',
          gap: 12,
        }}
        to={to}
        search={search}
      >
        <span className="ellipsis">{label}</span>
        <b>
          {data !== undefined ? (
            formatCount(count(data))
          ) : error !== null || !query.isFetching ? (
            // Failed, or waiting for a part that failed.
            NONE
          ) : (
            <span className="skeleton" style={{ display: 'block', width: 28 }} />
          )}
        </b>
        <span className="small ink-3 ellipsis" title={problem ?? undefined}>
          {problem !== null ? (
            <Status tone="wait">
              {data === undefined || atMs === null ? (
                isUnsupported(error) ? (
                  problem
                ) : (
                  t('inventory.unread')
                )
              ) : (
                <StaleText atMs={atMs} error={error} />
              )}
            </Status>
          ) : data === undefined ? (
            ''
          ) : (
            note(data)
          )}
        </span>
      </Link>
    </li>
  );
}
