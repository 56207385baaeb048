import { redactSecrets } from '@manager/core/redaction/redact';
import { Input, Switch } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { formatCompact, formatCostSum, formatCount, knownCost, NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { hostOf, textIn } from '../../platform/gateway/providers/entry.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { unpricedTitle } from '../../platform/requests/sum-texts.ts';
import { RecentBars } from '../../ui/accounts/recent-bars.tsx';
import { Status, SuccessRate } from '../../ui/display/status.tsx';
import { moneyCells } from '../../ui/table/money-column.ts';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';
import { originOf, type ProviderRow } from './model/rows.ts';

export interface ProviderCellContext {
  readonly t: Translate;
  readonly managed: boolean;
  readonly busy: ReadonlySet<string>;
  readonly onSwitch: (row: ProviderRow) => void;
  readonly onPriority: (row: ProviderRow, priority: number) => void;
}

export const SORT_COLUMNS = ['name', 'requests', 'failed', 'tokens', 'cost', 'priority', 'weight'] as const;

export const rowTitle = (row: ProviderRow): string => shown(row.title) || row.kind.name;

const failureRate = ({ use }: ProviderRow): number | null => (use && use.calls > 0 ? use.failed / use.calls : null);

/** Weight of each key, where one is set. */
const weightsOf = ({ keys }: ProviderRow): string =>
  keys.some(({ weight }) => weight !== null) ? keys.map(({ weight }) => weight ?? NONE).join(' · ') : NONE;

function belowTitle({ kind, keys, entry }: ProviderRow, t: Translate): string {
  const prefix = textIn(entry, 'prefix');
  return [
    kind.name,
    keys.length > 1 ? t('providers.keyCount', { count: keys.length }) : '',
    prefix === '' ? '' : `${shown(prefix)}/`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Enter and leaving the field save, Escape takes the text back. */
function PriorityField({ row, context }: { readonly row: ProviderRow; readonly context: ProviderCellContext }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = () => {
    const value = Math.trunc(Number(typed));
    if (typed !== null && typed !== '' && Number.isSafeInteger(value) && value !== row.priority) {
      context.onPriority(row, value);
    }
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key !== 'Escape' || typed === null) return;
    event.stopPropagation();
    setTyped(null);
  };
  return (
    <Input
      withAria={false}
      size="xs"
      w={68}
      type="number"
      step={1}
      aria-label={context.t('providers.priorityOf', { name: rowTitle(row) })}
      value={typed ?? row.priority}
      disabled={context.busy.has(row.id)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  );
}

function EnabledSwitch({
  row,
  context,
  large = false,
}: {
  readonly row: ProviderRow;
  readonly context: ProviderCellContext;
  /** For a finger. */
  readonly large?: boolean;
}) {
  return (
    <Switch
      {...(large ? { styles: { body: { minHeight: 44, alignItems: 'center', padding: '0 8px' } } } : {})}
      aria-label={context.t('providers.switch', { name: rowTitle(row) })}
      checked={row.enabled}
      disabled={context.busy.has(row.id)}
      onChange={() => context.onSwitch(row)}
    />
  );
}

function Address({ row, t }: { readonly row: ProviderRow; readonly t: Translate }) {
  const origin = originOf(row.baseUrl);
  const url = shown(redactSecrets(row.baseUrl));
  const models =
    row.models.length === 0
      ? t(row.kind.channel === '' ? 'providers.noModels' : 'providers.allModels')
      : row.models.map((model) => shown(model)).join(', ');
  return (
    <span className="two-lines" title={`${url} · ${models}`}>
      <span className="ellipsis">
        {origin === null ? (
          url || NONE
        ) : (
          <a href={origin} target="_blank" rel="noreferrer noopener" className="link">
            {hostOf(row.baseUrl)}
          </a>
        )}
      </span>
      <span className="ellipsis second-line">{models}</span>
    </span>
  );
}

export function providerColumns(context: ProviderCellContext): readonly TableColumn<ProviderRow>[] {
  const { t, managed } = context;
  const use: readonly TableColumn<ProviderRow>[] = [
    {
      id: 'requests',
      label: t('clientKeys.requests'),
      hint: t('providers.useHint'),
      width: 88,
      priority: 3,
      right: true,
      cell: ({ use }) => (use === undefined ? NONE : formatCompact(use?.calls ?? 0)),
      title: ({ use }) => (use ? formatCount(use.calls) : undefined),
      sort: ({ use }) => (use === undefined ? null : (use?.calls ?? 0)),
      exported: ({ use }) => (use === undefined ? null : (use?.calls ?? 0)),
    },
    {
      id: 'failed',
      label: t('providers.failed'),
      hint: t('providers.useHint'),
      width: 72,
      priority: 4,
      right: true,
      cell: (row) => {
        const rate = failureRate(row);
        return rate === null ? NONE : <SuccessRate rate={1 - rate} failed />;
      },
      title: ({ use }) => (use ? formatCount(use.failed) : undefined),
      sort: failureRate,
      exported: failureRate,
    },
    {
      id: 'tokens',
      label: t('clientKeys.tokens'),
      hint: t('providers.useHint'),
      width: 80,
      priority: 6,
      right: true,
      cell: ({ use }) => (use ? formatCompact(use.tokens) : NONE),
      title: ({ use }) => (use ? formatCount(use.tokens) : undefined),
      sort: ({ use }) => use?.tokens ?? null,
      exported: ({ use }) => use?.tokens ?? null,
    },
    {
      id: 'cost',
      label: t('clientKeys.cost'),
      hint: t('providers.useHint'),
      width: 80,
      priority: 2,
      ...moneyCells(costOf),
      title: ({ use }) => unpricedTitle(use?.unpriced, t),
      sort: ({ use }) => use?.cost ?? null,
      exported: costOf,
    },
  ];
  return [
    {
      id: 'name',
      label: t('providers.provider'),
      width: null,
      minWidth: 150,
      cell: (row) => (
        <span className="two-lines" title={rowTitle(row)}>
          <span className="ellipsis medium">{rowTitle(row)}</span>
          <span className="ellipsis second-line">{belowTitle(row, t)}</span>
        </span>
      ),
      sort: (row) => `${row.kind.name} ${row.title}`,
      exported: (row) => `${row.kind.name} ${rowTitle(row)}`,
    },
    {
      id: 'url',
      label: t('providers.addressAndModels'),
      width: null,
      minWidth: 170,
      priority: 5,
      cell: (row) => <Address row={row} t={t} />,
      exported: (row) => redactSecrets(row.baseUrl),
    },
    {
      id: 'recent',
      label: t('accounts.recentUse'),
      hint: t('accounts.recentUseHint'),
      width: 112,
      priority: 7,
      cell: ({ recent }) => (recent === null ? NONE : <RecentBars use={recent} t={t} />),
    },
    ...(managed ? use : []),
    {
      id: 'priority',
      label: t('providers.priority'),
      hint: t('providers.priorityHint'),
      width: 84,
      right: true,
      cell: (row) => <PriorityField row={row} context={context} />,
      sort: true,
      sortFirst: 'desc',
      exported: (row) => row.priority,
    },
    {
      id: 'weight',
      label: t('providers.weight'),
      hint: t('providers.weightHint'),
      width: 72,
      priority: 8,
      right: true,
      cell: weightsOf,
      sort: ({ keys }) => keys[0]?.weight ?? null,
      exported: ({ keys }) =>
        keys
          .map(({ weight }) => weight ?? '')
          .join(' ')
          .trim(),
    },
    {
      id: 'enabled',
      label: t('providers.enabled'),
      width: 72,
      cell: (row) => <EnabledSwitch row={row} context={context} />,
      exported: (row) => row.enabled,
    },
  ];
}

const costOf = ({ use }: ProviderRow) => (use ? knownCost(use.cost, use.unpriced) : null);

export function narrowProvider(row: ProviderRow, context: ProviderCellContext): NarrowRow {
  const { t, managed } = context;
  const { use } = row;
  return {
    main: rowTitle(row),
    mainBelow: (
      <>
        {!row.enabled && (
          <>
            <Status tone="off">{t('providers.off')}</Status>{' '}
          </>
        )}
        {belowTitle(row, t)}
      </>
    ),
    value:
      managed && use !== undefined
        ? t('clientKeys.requestsOf', { value: formatCompact(use?.calls ?? 0), count: use?.calls ?? 0 })
        : '',
    valueBelow: use ? formatCostSum(use.cost, use.unpriced) : '',
    action: (
      <span className="row" style={{ paddingRight: 4, gap: 4 }}>
        <PriorityField row={row} context={context} />
        <EnabledSwitch row={row} context={context} large />
      </span>
    ),
  };
}
