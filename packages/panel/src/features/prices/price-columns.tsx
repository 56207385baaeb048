import { formatCompact, formatCount, NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { dateAndTime, isoWithOffset } from '../../platform/format/time.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { Status } from '../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';
import type { RateName } from './price-form.ts';
import type { PriceRow } from './price-rows.ts';
import { RATE_LABELS, rateOf, rateText, STATE_WORDS, sourceText, tierCount } from './price-words.ts';

interface CellContext {
  readonly t: Translate;
  readonly locale: string;
  readonly zone: string;
  /** False where the server does not report which models were used. */
  readonly usage: boolean;
}

export const SORT_COLUMNS = [
  'model',
  'state',
  'requests',
  'prompt',
  'completion',
  'cacheRead',
  'cacheCreation',
  'cacheWrite1h',
  'tiers',
  'source',
  'synced',
];

export function priceColumns({ t, locale, zone, usage }: CellContext): readonly TableColumn<PriceRow>[] {
  const rate = (name: RateName, width: number, priority: number): TableColumn<PriceRow> => ({
    id: name,
    label: t(RATE_LABELS[name]),
    hint: t('prices.perMillion', { rate: t(RATE_LABELS[name]) }),
    width,
    priority,
    right: true,
    cell: (row) => rateText(rateOf(row.price, name)),
    sort: (row) => rateOf(row.price, name),
    exported: (row) => rateOf(row.price, name),
  });
  const requests: TableColumn<PriceRow> = {
    id: 'requests',
    label: t('prices.requests'),
    hint: t('prices.requestsHint'),
    width: 88,
    priority: 1,
    right: true,
    cell: (row) => formatCompact(row.requests),
    title: (row) =>
      t('prices.requestsTitle', { requested: formatCount(row.requested), resolved: formatCount(row.resolved) }),
    sort: (row) => row.requests,
    exported: (row) => row.requests,
  };
  return [
    {
      id: 'state',
      label: t('prices.state'),
      width: 180,
      cell: (row) => <Status tone={STATE_WORDS[row.state].tone}>{t(STATE_WORDS[row.state].label)}</Status>,
      sort: (row) => Object.keys(STATE_WORDS).indexOf(row.state),
      sortFirst: 'desc',
      exported: (row) => row.state,
    },
    {
      id: 'model',
      label: t('prices.model'),
      width: null,
      minWidth: 210,
      cell: (row) => shown(row.model),
      title: (row) => shown(row.model),
      sort: (row) => row.model,
      exported: (row) => row.model,
    },
    ...(usage ? [requests] : []),
    rate('prompt', 88, 2),
    rate('completion', 88, 3),
    rate('cacheRead', 96, 5),
    rate('cacheCreation', 104, 6),
    rate('cacheWrite1h', 112, 9),
    {
      id: 'tiers',
      label: t('prices.tiers'),
      width: 68,
      priority: 7,
      right: true,
      cell: (row) => (row.price === null ? NONE : formatCount(tierCount(row.price))),
      sort: (row) => (row.price === null ? null : tierCount(row.price)),
      exported: (row) => (row.price === null ? null : tierCount(row.price)),
    },
    {
      id: 'source',
      label: t('prices.source'),
      width: 112,
      priority: 4,
      cell: (row) => (row.pricedAs === null ? sourceText(row, t) : shown(row.pricedAs)),
      title: (row) => (row.pricedAs === null ? sourceId(row) : t('prices.pricedAs', { model: shown(row.pricedAs) })),
      sort: (row) => row.price?.source ?? null,
      exported: (row) => row.price?.source ?? null,
    },
    {
      id: 'synced',
      label: t('prices.synced'),
      width: 124,
      priority: 8,
      cell: (row) => dateAndTime(row.price?.syncedAtMs, zone, locale),
      sort: (row) => row.price?.syncedAtMs ?? null,
      exported: (row) => (row.price?.syncedAtMs ? isoWithOffset(row.price.syncedAtMs, zone) : null),
    },
  ];
}

const sourceId = (row: PriceRow): string | undefined =>
  row.price?.sourceModelId === undefined ? undefined : shown(row.price.sourceModelId);

export function narrowPrice(row: PriceRow, { t }: Pick<CellContext, 't'>): NarrowRow {
  const word = STATE_WORDS[row.state];
  return {
    main: shown(row.model),
    mainBelow: (
      <>
        <Status tone={word.tone}>{t(word.label)}</Status>{' '}
        {row.requests !== null &&
          row.requests > 0 &&
          t('prices.requestsOf', { count: row.requests, value: formatCompact(row.requests) })}
      </>
    ),
    value:
      row.price === null
        ? NONE
        : `${rateText(rateOf(row.price, 'prompt'))} / ${rateText(rateOf(row.price, 'completion'))}`,
    valueBelow: sourceText(row, t),
  };
}
