import type { EventRow } from '@manager/core/contract/monitoring';
import { type RefObject, useCallback } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useStatus } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { EmptyState, ErrorState, StaleBadge, UnsupportedState } from '../../ui/states.tsx';
import { SkeletonRows } from '../../ui/table/skeleton-rows.tsx';
import type { CellContext } from './event-cells.tsx';
import type { DisplayEntry } from './event-list.ts';
import { EventTable } from './event-table.tsx';
import { clearFilters, countFilters, type LiveSearch } from './live-search.ts';
import type { LiveEvents } from './use-live-events.ts';

interface LiveTableProps {
  readonly events: LiveEvents;
  readonly entries: readonly DisplayEntry[];
  readonly search: LiveSearch;
  readonly onChange: (next: LiveSearch) => void;
  readonly rangeName: string;
  readonly context: CellContext;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly reveal: { readonly hash: string } | null;
  readonly openHash: string | null;
  readonly activeHash: string | null;
  readonly onOpen: (event: EventRow) => void;
  readonly onActive: (event: EventRow) => void;
}

/** The panel of the newest requests in all its states; its head never changes size. */
export function LiveTable(props: LiveTableProps) {
  const { t } = useText();
  const { events, search, onChange } = props;
  const failedOnly = search.status === 'failed';
  return (
    <section className="panel table-panel live-table" aria-busy={events.busy} aria-label={t('table.label')}>
      <div className="table-head">
        <h2>{t('table.title')}</h2>
        {events.loaded && (
          <span className="small ink-3 ellipsis">
            {t('table.loaded', { loaded: formatCount(events.loadedRows), total: formatCount(events.list.total) })}
          </span>
        )}
        {events.loaded && events.error !== null && events.atMs !== null && (
          <StaleBadge atMs={events.atMs} error={events.error} />
        )}
        <span className="spacer" />
        <Button
          kind="quiet"
          aria-pressed={failedOnly}
          onClick={() => onChange({ ...search, status: failedOnly ? 'all' : 'failed' })}
        >
          <Icon name="filter" />
          {t('filter.failedOnly')}
        </Button>
      </div>
      <Rows {...props} />
    </section>
  );
}

function Rows(props: LiveTableProps) {
  const { t } = useText();
  const { events, entries } = props;
  const { segments } = events.list;
  const { loadOlder, olderError } = events;
  const last = segments.length - 1;
  const atEnd = (segments[last]?.older ?? null) === null;
  const onEnd = useCallback(() => {
    // After a failure only the button asks again, else scrolling would repeat it for ever.
    if (!atEnd && olderError === null) loadOlder(last);
  }, [atEnd, last, loadOlder, olderError]);

  if (!events.loaded) {
    if (events.error === null) return <SkeletonRows count={12} />;
    if (events.error instanceof ApiError && events.error.status === 501) {
      return <UnsupportedState title={t('table.unsupported')} text={t('table.unsupportedText')} />;
    }
    return (
      <ErrorState
        title={t('table.failed')}
        error={events.error}
        scope={t('error.otherPanels')}
        onRetry={events.part.refresh}
      />
    );
  }
  if (entries.length === 0) return <NoRows {...props} />;
  return (
    <>
      <EventTable
        entries={entries}
        scroller={props.scroller}
        context={props.context}
        fresh={events.fresh}
        reveal={props.reveal}
        openHash={props.openHash}
        activeHash={props.activeHash}
        onOpen={props.onOpen}
        onActive={props.onActive}
        onLoadGap={loadOlder}
        gapBusy={events.olderBusy}
        onEnd={onEnd}
        rowCount={events.list.total}
      />
      {olderError !== null && (
        <div className="table-foot">
          <span className="tone-bad">{t('table.olderFailed')}</span>
          <Button onClick={() => loadOlder(last)}>{t('common.tryAgain')}</Button>
        </div>
      )}
      {!atEnd && olderError === null && (
        <div className="table-foot ink-3" aria-live="polite">
          {events.olderBusy === last ? t('table.loadingOlder') : t('table.moreBelow')}
        </div>
      )}
    </>
  );
}

/** Why nothing is there: filters, the range, or no event at all. */
function NoRows({ search, onChange, rangeName }: LiveTableProps) {
  const { t } = useText();
  const { data } = useStatus();
  const filters = countFilters(search);
  if (filters > 0) {
    return (
      <EmptyState
        title={t('empty.filteredTitle')}
        text={t('empty.filteredText', { count: filters, range: rangeName })}
        action={<Button onClick={() => onChange(clearFilters(search))}>{t('filter.clear')}</Button>}
      />
    );
  }
  if ((data?.eventCount ?? data?.events ?? 0) > 0) {
    return (
      <EmptyState
        title={t('empty.rangeTitle', { range: rangeName })}
        text={t('empty.rangeText', { events: formatCount(data?.eventCount ?? data?.events) })}
        action={
          <Button onClick={() => onChange({ ...search, range: { name: 'all', fromMs: null, toMs: null } })}>
            {t('empty.showAll')}
          </Button>
        }
      />
    );
  }
  return <EmptyState title={t('empty.noneTitle')} text={t('empty.noneText')} />;
}
