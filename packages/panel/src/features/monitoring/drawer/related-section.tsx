import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { useIntersection } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../platform/api/services.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { rememberAccounts } from '../../../platform/requests/account-names.ts';
import { WITHOUT_PARTS } from '../../../platform/requests/row-parts.ts';
import { Icon } from '../../../ui/icons.tsx';
import type { MonitoringSearch } from '../monitoring-search.ts';
import { accountOf, relatedCounts, relatedOf, relatedRange } from './related.ts';

/** Delay, because stepping through the list by keyboard passes many requests, ms. */
const PAUSE_MS = 500;

function useRelatedCounts(event: EventRow, visible: boolean) {
  const { manager } = useServices();
  const { data } = useQuery({
    queryKey: ['related', event.event_hash],
    enabled: visible,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      const { fromMs, toMs } = relatedRange(event);
      const include = { account_stats: true, api_key_stats: true, model_stats: true, ...WITHOUT_PARTS };
      return manager.analytics({ from_ms: fromMs, to_ms: toMs, include }, signal);
    },
  });
  return data === undefined ? null : relatedCounts(data, event);
}

const HEAD = { width: 60, textAlign: 'right' } as const;

/** Requests that share something with this one; counted when they scroll into view. */
export function RelatedSection({
  event,
  onSearch,
}: {
  readonly event: EventRow;
  readonly onSearch: (next: (before: MonitoringSearch) => MonitoringSearch) => void;
}) {
  const { t } = useText();
  const { ref, entry } = useIntersection();
  const counts = useRelatedCounts(event, entry?.isIntersecting === true);
  const open = (search: MonitoringSearch) => {
    rememberAccounts([accountOf(event)], true);
    onSearch((before) => ({ ...search, columns: before.columns, density: before.density }));
  };
  return (
    <section ref={ref}>
      <div style={{ marginBottom: 4 }} className="row">
        <h2>{t('drawer.related')}</h2>
        <span className="spacer" />
        <span className="tiny ink-3" style={HEAD}>
          {t('stat.requests')}
        </span>
        <span className="tiny ink-3" style={{ ...HEAD, marginRight: 16 }}>
          {t('stat.failed')}
        </span>
      </div>
      {relatedOf(event).map(({ kind, label, search }) => {
        const count = counts?.[kind];
        return (
          <button key={kind} type="button" className="related-link" onClick={() => open(search)}>
            <span className="ellipsis">{t(label)}</span>
            <span className="spacer" />
            {kind !== 'trace' && (
              <>
                <span className="related-count">{formatCount(count?.calls)}</span>
                <span className={`related-count ${(count?.failed ?? 0) > 0 ? 'tone-bad' : ''}`}>
                  {formatCount(count?.failed)}
                </span>
              </>
            )}
            <Icon name="chevronRight" />
          </button>
        );
      })}
    </section>
  );
}
