import { useCallback, useMemo } from 'react';
import { formatCount, formatDuration, formatShare, NONE } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime, isoWithOffset } from '../../../platform/format/time.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { causeOf } from '../../../platform/requests/diagnosis.ts';
import { failureStatus } from '../../../platform/requests/event-view.ts';
import type { TableSort } from '../../../platform/sort.ts';
import { failureMessage } from '../../../platform/wording/failure-message.ts';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import type { FailureGroup } from '../monitoring-search.ts';
import type { FailureLine } from './failure-groups.ts';
import { PagedTable, type PagingProps } from './paged-table.tsx';

export interface FailureContext {
  readonly t: Translate;
  readonly masker: Masker;
  readonly zone: string;
  readonly locale: string;
  /** Total of the groups. */
  readonly counted: number;
  readonly onShow: (line: FailureLine) => void;
}

export const FAILURE_SORTS: readonly string[] = ['name', 'failed', 'share', 'accounts', 'models', 'lastSeen'];

function nameText({ name }: FailureLine, { t, masker }: FailureContext): string {
  switch (name.kind) {
    case 'cause':
      return t(name.cause);
    case 'account':
      return shown(masker.account(name.account) || masker.source(name.source)) || NONE;
    case 'word':
      return name.word === '' ? t('monitoring.noWord') : shown(name.word);
  }
}

/** Beside the name: advice for a cause; else the gateway's error text of a failure, or of a group's newest one. */
export function detailText(line: FailureLine, { t, masker }: Pick<FailureContext, 't' | 'masker'>): string {
  if (line.failure === null && line.name.kind === 'cause') return t(line.name.advice);
  const provider = line.failure === null && line.name.kind === 'account' ? line.name.provider : '';
  const failure = line.failure ?? line.below[0]?.failure;
  const words = failure ? masker.text(failureMessage(failure.fail_summary ?? '')) || t(causeOf(failure).cause) : '';
  const { duration_ms: took = null } = line.failure ?? {};
  const duration = took === null ? '' : formatDuration(took);
  return shown([provider, failure?.model ?? '', duration, words].filter(Boolean).join(' · '));
}

export function failureColumns(by: FailureGroup, context: FailureContext): readonly TableColumn<FailureLine>[] {
  const { t, zone, counted } = context;
  const share = (line: FailureLine) => (line.failure !== null || counted === 0 ? null : line.failed / counted);
  const counts: TableColumn<FailureLine>[] =
    by === 'account' || by === 'model'
      ? []
      : (['accounts', 'models'] as const).map((id) => ({
          id,
          label: t(id === 'accounts' ? 'monitoring.accounts' : 'monitoring.models'),
          width: 76,
          right: true,
          priority: 4,
          cell: (line) => (line[id] === null ? '' : formatCount(line[id])),
          sort: (line) => line[id],
          exported: (line) => line[id],
        }));
  return [
    {
      id: 'name',
      label: t(GROUP_LABELS[by]),
      ...(by === 'cause' ? { width: 176 } : { width: null, minWidth: 150 }),
      cell: (line) =>
        line.failure === null ? (
          nameText(line, context)
        ) : (
          <span className="ink-2">
            {failureStatus(line.failure) || NONE} <span className="ink-3">{nameText(line, context)}</span>
          </span>
        ),
      title: (line) => nameText(line, context),
      sort: (line) => nameText(line, context),
      exported: (line) => nameText(line, context),
    },
    {
      id: 'detail',
      label: t(by === 'cause' ? 'monitoring.whatToDo' : 'monitoring.newestFailure'),
      width: null,
      minWidth: 320,
      priority: 3,
      cell: (line) => (
        <span className={isAdvice(line) ? 'ink-2 two-line-text' : 'ink-2'}>{detailText(line, context)}</span>
      ),
      title: (line) => detailText(line, context),
      exported: (line) => detailText(line, context),
    },
    {
      id: 'failed',
      label: t('stat.failed'),
      width: 76,
      right: true,
      cell: (line) => (line.failure === null ? formatCount(line.failed) : ''),
      sort: (line) => line.failed,
      total: formatCount(counted),
      exported: (line) => line.failed,
    },
    {
      id: 'share',
      label: t('why.share'),
      width: 72,
      right: true,
      priority: 2,
      cell: (line) => (line.failure === null ? formatShare(share(line)) : ''),
      sort: share,
      exported: share,
    },
    ...counts,
    {
      id: 'lastSeen',
      label: t('monitoring.lastSeen'),
      width: 152,
      right: true,
      priority: 1,
      cell: (line) => <LastSeen line={line} context={context} />,
      sort: (line) => line.lastSeenMs,
      exported: (line) => (line.lastSeenMs === null ? null : isoWithOffset(line.lastSeenMs, zone)),
    },
  ];
}

/** For one failure it links to the request. */
function LastSeen({ line, context }: { readonly line: FailureLine; readonly context: FailureContext }) {
  const text = dateAndTime(line.lastSeenMs, context.zone, context.locale);
  if (line.failure === null) return <span className="ink-2">{text}</span>;
  return (
    <button
      type="button"
      className="stat-link"
      aria-label={context.t('monitoring.showRequestAt', { time: text })}
      onClick={() => context.onShow(line)}
    >
      {text}
    </button>
  );
}

export const GROUP_LABELS = {
  cause: 'monitoring.byCause',
  kind: 'filter.errorKind',
  code: 'filter.errorCode',
  account: 'field.account',
  model: 'field.model',
} as const;

/** Advice must be fully readable: it has two lines. */
const isAdvice = (line: FailureLine): boolean => line.failure === null && line.name.kind === 'cause';
const ADVICE_HEIGHT = 44;
const idOf = (line: FailureLine): string => line.id;
const canOpen = (line: FailureLine): boolean => line.filter !== null;
const belowOf = (line: FailureLine): readonly FailureLine[] => line.below;

/** Failures in groups, each with its newest ones below. */
export function FailureTable({
  by,
  label,
  lines,
  totalLabel,
  context,
  href,
  sort,
  onSort,
  rowHeight,
  paging,
  onPage,
}: PagingProps & {
  readonly by: FailureGroup;
  readonly label: string;
  readonly lines: readonly FailureLine[];
  /** What the totals row counts. */
  readonly totalLabel: string;
  readonly context: FailureContext;
  readonly href: (line: FailureLine) => string | null;
  readonly sort: TableSort;
  readonly onSort: (sort: TableSort) => void;
  readonly rowHeight: number;
}) {
  const columns = useMemo(() => failureColumns(by, context), [by, context]);
  const heightOf = useCallback((line: FailureLine) => (isAdvice(line) ? ADVICE_HEIGHT : rowHeight), [rowHeight]);
  const narrow = useCallback(
    (line: FailureLine): NarrowRow => ({
      main: nameText(line, context),
      mainBelow: detailText(line, context),
      value: line.failure === null ? formatCount(line.failed) : failureStatus(line.failure) || NONE,
      valueBelow: dateAndTime(line.lastSeenMs, context.zone, context.locale),
    }),
    [context],
  );
  return (
    <PagedTable
      paging={paging}
      onPage={onPage}
      label={label}
      columns={columns}
      rows={lines}
      rowKey={idOf}
      rowName={(line) => nameText(line, context)}
      narrow={narrow}
      sort={sort}
      onSort={onSort}
      rowHeight={heightOf}
      href={href}
      onOpen={context.onShow}
      canOpen={canOpen}
      below={belowOf}
      keys
      totalLabel={totalLabel}
    />
  );
}
