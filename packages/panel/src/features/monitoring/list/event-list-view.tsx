import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { type ReactNode, type RefObject, useCallback } from 'react';
import { ApiError } from '../../../platform/api/errors.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorState, StaleBadge, UnsupportedState } from '../../../ui/feedback/states.tsx';
import { SkeletonRows } from '../../../ui/table/skeleton-rows.tsx';
import type { ColumnId } from './columns.ts';
import type { CellContext } from './event-cells.tsx';
import type { DisplayEntry } from './event-list.ts';
import { EventTable } from './event-table.tsx';
import type { LoadedEvents } from './use-events.ts';

interface EventListViewProps {
  readonly events: LoadedEvents;
  readonly entries: readonly DisplayEntry[];
  readonly empty: ReactNode;
  readonly columns: readonly ColumnId[] | undefined;
  readonly rowHeight: number;
  readonly context: CellContext;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly reveal: { readonly hash: string } | null;
  readonly openHash: string | null;
  readonly activeHash: string | null;
  readonly onOpen: (event: EventRow) => void;
  readonly onActive: (event: EventRow) => void;
}

/** How much of the range is loaded, for the panel's header. */
export function LoadedRows({ events }: { readonly events: LoadedEvents }) {
  const { t } = useText();
  if (!events.loaded) return null;
  return (
    <>
      <span className="small ink-3 ellipsis">
        {t('table.loaded', { loaded: formatCount(events.loadedRows), total: formatCount(events.list.total) })}
      </span>
      {events.error !== null && events.atMs !== null && <StaleBadge atMs={events.atMs} error={events.error} />}
    </>
  );
}

/** The newest requests in all their states. */
export function EventListView(props: EventListViewProps) {
  const { t } = useText();
  const { events, entries } = props;
  const { segments } = events.list;
  const { loadOlder, olderError } = events;
  const last = segments.length - 1;
  const atEnd = (segments[last]?.older ?? null) === null;
  const onEnd = useCallback(() => {
    // After a failure only the button retries, else scrolling would repeat it endlessly.
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
  if (entries.length === 0) return props.empty;
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
        columns={props.columns}
        rowHeight={props.rowHeight}
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
