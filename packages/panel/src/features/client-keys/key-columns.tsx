import { formatCompact, formatCostSum, formatCount, knownCost, NONE } from '../../platform/format/format.ts';
import { hashPrefix, type Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { isoWithOffset, shortTime } from '../../platform/format/time.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { unpricedTitle } from '../../platform/requests/sum-texts.ts';
import { CopyButton } from '../../ui/controls/copy.tsx';
import { Status, SuccessRate } from '../../ui/display/status.tsx';
import { moneyCells } from '../../ui/table/money-column.ts';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';
import type { KeyRow } from './key-rows.ts';
import { keyTitle, maskedKey, STATE_WORDS } from './key-words.ts';

export interface KeyCellContext {
  readonly t: Translate;
  readonly locale: string;
  readonly zone: string;
  readonly masker: Masker;
  /** Server time, ms. */
  readonly now: () => number;
  /** False where the manager does not know names. */
  readonly aliases: boolean;
  /** Whether there is a manager, which counts the use of keys. */
  readonly managed: boolean;
}

export const SORT_COLUMNS = ['alias', 'state', 'models', 'requests', 'success', 'tokens', 'cost', 'seen'] as const;

const modelsOf = ({ use }: KeyRow): readonly string[] => (use?.models ?? []).map((one) => one.model);

function KeyCell({ row, t }: { readonly row: KeyRow; readonly t: Translate }) {
  // The hash distinguishes removed keys without a name.
  if (row.key === null) return <span className="mono ink-3">{hashPrefix(row.hash)}</span>;
  return (
    <span style={{ gap: 4 }} className="row">
      <span className="mono ellipsis">{maskedKey(row)}</span>
      <CopyButton text={row.key} label={t('clientKeys.key')} />
    </span>
  );
}

/** What the gateway's list alone shows of a key. */
const KEPT_WITHOUT_MANAGER: ReadonlySet<string> = new Set(['state', 'key', 'hash']);

export function keyColumns(context: KeyCellContext): readonly TableColumn<KeyRow>[] {
  const { t, locale, zone, masker, now } = context;
  const alias = (row: KeyRow) => shown(masker.account(row.alias));
  const seen = (row: KeyRow) => row.use?.last_seen_ms;
  const named: TableColumn<KeyRow> = {
    id: 'alias',
    label: t('clientKeys.alias'),
    width: null,
    minWidth: 150,
    cell: (row) => alias(row) || <span className="ink-3">{t('clientKeys.unnamed')}</span>,
    title: (row) => alias(row) || undefined,
    sort: (row) => row.alias || null,
    exported: (row) => masker.account(row.alias),
  };
  const all: readonly TableColumn<KeyRow>[] = [
    {
      id: 'state',
      label: t('clientKeys.state'),
      width: 116,
      cell: (row) => <Status tone={STATE_WORDS[row.state].tone}>{t(STATE_WORDS[row.state].label)}</Status>,
      sort: (row) => row.state,
      exported: (row) => row.state,
    },
    ...(context.aliases ? [named] : []),
    {
      id: 'key',
      label: t('clientKeys.key'),
      width: context.managed ? 148 : null,
      cell: (row) => <KeyCell row={row} t={t} />,
      exported: (row) => maskedKey(row),
    },
    {
      id: 'hash',
      label: t('clientKeys.hash'),
      hint: t('clientKeys.hashHint'),
      width: 96,
      priority: 5,
      cell: (row) => <span className="mono ink-3">{hashPrefix(row.hash)}</span>,
      title: (row) => row.hash,
      exported: (row) => (masker.on ? hashPrefix(row.hash) : row.hash),
    },
    {
      id: 'models',
      label: t('clientKeys.models'),
      width: 72,
      priority: 6,
      right: true,
      cell: (row) => (row.use ? formatCount(modelsOf(row).length) : NONE),
      title: (row) =>
        modelsOf(row)
          .slice(0, 12)
          .map((model) => shown(model))
          .join(', ') || undefined,
      sort: (row) => (row.use ? modelsOf(row).length : null),
      exported: (row) => (row.use ? modelsOf(row).join(' ') : null),
    },
    {
      id: 'requests',
      label: t('clientKeys.requests'),
      width: 88,
      right: true,
      cell: (row) => (row.use === undefined ? NONE : formatCompact(row.use?.calls ?? 0)),
      title: (row) => (row.use ? formatCount(row.use.calls) : undefined),
      sort: (row) => (row.use === undefined ? null : (row.use?.calls ?? 0)),
      exported: (row) => row.use?.calls ?? null,
    },
    {
      id: 'success',
      label: t('clientKeys.success'),
      width: 80,
      priority: 4,
      right: true,
      cell: (row) => (row.use ? <SuccessRate rate={row.use.success_rate} /> : NONE),
      sort: (row) => row.use?.success_rate ?? null,
      exported: (row) => row.use?.success_rate ?? null,
    },
    {
      id: 'tokens',
      label: t('clientKeys.tokens'),
      width: 88,
      priority: 3,
      right: true,
      cell: (row) => (row.use ? formatCompact(row.use.total_tokens) : NONE),
      title: (row) => (row.use ? formatCount(row.use.total_tokens) : undefined),
      sort: (row) => row.use?.total_tokens ?? null,
      exported: (row) => row.use?.total_tokens ?? null,
    },
    {
      id: 'cost',
      label: t('clientKeys.cost'),
      width: 88,
      ...moneyCells(costOf),
      title: (row) => unpricedTitle(row.use?.unpriced_calls, t),
      sort: (row) => row.use?.cost ?? null,
      exported: costOf,
    },
    {
      id: 'seen',
      label: t('clientKeys.seen'),
      width: 132,
      priority: 1,
      cell: (row) => shortTime(seen(row), now(), zone, locale),
      title: (row) => (seen(row) ? isoWithOffset(seen(row) ?? 0, zone) : undefined),
      sort: (row) => seen(row) ?? null,
      sortFirst: 'desc',
      exported: (row) => (row.use ? isoWithOffset(row.use.last_seen_ms, zone) : null),
    },
  ];
  return context.managed ? all : all.filter(({ id }) => KEPT_WITHOUT_MANAGER.has(id));
}

const costOf = ({ use }: KeyRow) => (use ? knownCost(use.cost, use.unpriced_calls) : null);

/** The owner of a key, and its use. Copying is a button beside it. */
export function narrowKey(row: KeyRow, { t, masker, now, zone, locale, managed }: KeyCellContext): NarrowRow {
  const word = STATE_WORDS[row.state];
  const title = keyTitle(row, masker);
  const second = maskedKey(row) || hashPrefix(row.hash);
  return {
    main: title,
    mainBelow: (
      <>
        <Status tone={word.tone}>{t(word.label)}</Status>
        {second !== title && <span className="mono"> {second}</span>}
      </>
    ),
    value:
      row.use === undefined
        ? managed
          ? NONE
          : ''
        : t('clientKeys.requestsOf', { value: formatCompact(row.use?.calls ?? 0), count: row.use?.calls ?? 0 }),
    ...(row.key === null ? {} : { action: <CopyButton text={row.key} label={t('clientKeys.key')} /> }),
    valueBelow: row.use
      ? `${formatCostSum(row.use.cost, row.use.unpriced_calls)} · ${shortTime(row.use.last_seen_ms, now(), zone, locale)}`
      : '',
  };
}
