import type { ViewerRequestRow } from '@manager/core/contract/viewer-links/viewer';
import { VIEWER_STATUSES } from '@manager/core/contract/viewer-links/words';
import { useMemo } from 'react';
import { useAddress } from '../../platform/browser/address.ts';
import { formatCost, formatCount, formatDuration } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { dateAndTime, hourAndMinute, shortDate } from '../../platform/format/time.ts';
import { type TextKey, type Translate, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx';
import { Status } from '../../ui/display/status.tsx';
import { RangeControl } from '../../ui/range/range-control.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { useViewer, useViewerModels, useViewerNames, useViewerRequests } from './use-viewer.ts';
import { ViewerPage } from './viewer-page.tsx';
import { VIEWER_ADDRESS, VIEWER_RANGES, type ViewerStatus } from './viewer-search.ts';

const STATUS_LABELS: Readonly<Record<ViewerStatus, TextKey>> = {
  all: 'filter.all',
  failed: 'stat.failed',
  succeeded: 'filter.succeeded',
};

const FAILURES = {
  rate_limited: 'viewer.rateLimited',
  client_error: 'viewer.clientError',
  server_error: 'viewer.serverError',
  unknown: 'stat.failed',
} as const satisfies Record<NonNullable<ViewerRequestRow['fail_kind']>, TextKey>;

/** Own requests, newest first. */
export function ViewerRequestsPage() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { search, change } = useAddress(VIEWER_ADDRESS);
  const query = useViewerRequests(search, zone);
  const viewer = useViewer();
  const nameOf = useViewerNames();
  const rows = useMemo(() => query.data?.pages.flatMap(({ answer }) => answer.requests?.items ?? []), [query.data]);
  const columns = useMemo(() => columnsOf(nameOf, zone, locale, t), [nameOf, zone, locale, t]);
  const first = query.data?.pages[0]?.answer;
  const total = first?.requests?.total_count;
  const keys = (viewer.data?.keys ?? []).map(({ api_key_hash: hash }) => hash);
  const names = useViewerModels(search, zone);
  const models = [...new Set([...(names.data ?? []), search.model])];
  const refresh = () => {
    void query.refetch();
    void names.refetch();
  };
  return (
    <ViewerPage title={t('stat.requests')} refresh={{ busy: query.isFetching, onRefresh: refresh }}>
      <search className="filter-bar">
        <RangeControl rules={VIEWER_RANGES} value={search.range} onChange={(range) => change({ range })} />
        <ChoiceMenu
          title={t('filter.status')}
          value={search.status}
          choices={VIEWER_STATUSES}
          name={(status) => t(STATUS_LABELS[status as ViewerStatus])}
          onChange={(status) => change({ status: status as ViewerStatus })}
        />
        <ChoiceMenu
          title={t('analytics.model')}
          value={search.model}
          choices={['', ...models.filter((model) => model !== '')]}
          name={(model) => (model === '' ? t('filter.all') : shown(model))}
          onChange={(model) => change({ model })}
        />
        {keys.length > 1 && (
          <ChoiceMenu
            title={t('analytics.key')}
            value={search.key}
            choices={['', ...keys]}
            name={(hash) => (hash === '' ? t('filter.all') : nameOf(hash))}
            onChange={(key) => change({ key })}
          />
        )}
      </search>
      <TablePanel
        title={t('stat.requests')}
        subtitle={
          rows === undefined || total === undefined
            ? ''
            : t('viewer.shownOf', { shown: formatCount(rows.length), all: formatCount(total) })
        }
        source={{
          data: rows,
          error: query.error,
          atMs: query.dataUpdatedAt === 0 ? null : query.dataUpdatedAt,
          busy: query.isFetching,
          retry: refresh,
        }}
        empty={{ title: t('analytics.empty'), text: t('analytics.emptyShort') }}
        errorTitle={t('analytics.loadFailed')}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={(row) => dateAndTime(row.timestamp_ms, zone, locale)}
        narrow={(row) => ({
          lead: `${shortDate(row.timestamp_ms, zone, locale)} ${hourAndMinute(row.timestamp_ms, zone)}`,
          wideLead: true,
          leadBelow: <RequestStatus row={row} />,
          main: shown(row.model),
          mainBelow: nameOf(row.api_key_hash),
          value: row.cost === undefined ? '–' : formatCost(row.cost),
          valueBelow: formatCount(row.total_tokens),
        })}
        keys
        foot={
          query.hasNextPage && (
            <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t('viewer.more')}
            </Button>
          )
        }
      />
    </ViewerPage>
  );
}

function RequestStatus({ row }: { readonly row: ViewerRequestRow }) {
  const { t } = useText();
  if (!row.failed) return <Status tone="okQuiet">{t('filter.succeeded')}</Status>;
  return <Status tone="bad">{failureText(row, t)}</Status>;
}

function failureText(
  { fail_status_code: status, fail_kind: kind = 'unknown' }: ViewerRequestRow,
  t: Translate,
): string {
  const word = t(FAILURES[kind]);
  return status === undefined ? word : `${status} ${word}`;
}

function columnsOf(
  nameOf: (hash: string) => string,
  zone: string,
  locale: string,
  t: Translate,
): readonly TableColumn<ViewerRequestRow>[] {
  const count = (
    id: string,
    label: string,
    measure: (row: ViewerRequestRow) => number,
    priority: number,
  ): TableColumn<ViewerRequestRow> => ({
    id,
    label,
    width: 92,
    right: true,
    priority,
    cell: (row) => formatCount(measure(row)),
  });
  return [
    {
      id: 'time',
      label: t('column.time'),
      width: 136,
      cell: (row) => dateAndTime(row.timestamp_ms, zone, locale),
    },
    {
      id: 'status',
      label: t('filter.status'),
      width: 156,
      cell: (row) => <RequestStatus row={row} />,
    },
    {
      id: 'model',
      label: t('analytics.model'),
      width: null,
      minWidth: 130,
      cell: (row) => shown(row.model),
      title: (row) => row.model,
    },
    {
      id: 'client_key',
      label: t('analytics.key'),
      width: null,
      minWidth: 110,
      priority: 1,
      cell: (row) => nameOf(row.api_key_hash),
    },
    count('input', t('stat.input'), (row) => row.input_tokens, 4),
    count('output', t('stat.output'), (row) => row.output_tokens, 4),
    count('tokens', t('stat.tokens'), (row) => row.total_tokens, 2),
    {
      id: 'cost_usd',
      label: t('stat.cost'),
      width: 92,
      right: true,
      cell: (row) => (row.cost === undefined ? '–' : formatCost(row.cost)),
    },
    {
      id: 'latency_ms',
      label: t('analytics.latency'),
      width: 92,
      right: true,
      priority: 3,
      cell: (row) => formatDuration(row.latency_ms),
    },
  ];
}
