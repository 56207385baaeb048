import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AvailabilityState } from '../../platform/accounts/availability.ts';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { formatCompact, formatCostSum, formatCount, formatShare, NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { dayOrTime } from '../../platform/format/time.ts';
import { accountTitle, type CellContext, fileTitle, fullMoment } from '../../ui/accounts/account-text.ts';
import { availabilityReason, STATE_WORDS } from '../../ui/accounts/availability-text.ts';
import { RecentBars, recentSpan } from '../../ui/accounts/recent-bars.tsx';
import { Status } from '../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';
import type { MenuChoice } from './account-menu.tsx';
import { LastTen } from './last-ten.tsx';
import { type Offer, offersOf } from './model/offers.ts';
import { OfferControl } from './offer-control.tsx';
import { barsHeight, QuotaBars } from './quota-bars.tsx';

/** Handlers of the controls in a row. */
export interface RowControls {
  readonly isBusy: (row: AccountRow) => boolean;
  readonly onSwitch: (row: AccountRow) => void;
  readonly menu: (row: AccountRow) => ReactNode;
  readonly onChoose: (choice: MenuChoice, row: AccountRow) => void;
}

const TWO_LINES = 56;
/** Space above and below the bars. */
const BARS_PADDING = 16;

export const rowHeight = (row: AccountRow): number => Math.max(TWO_LINES, barsHeight(row.quota) + BARS_PADDING);
export const cardHeight = (row: AccountRow): number => TWO_LINES + 28 + barsHeight(row.quota);

function Two({
  first,
  second,
  title,
}: {
  readonly first: ReactNode;
  readonly second: ReactNode;
  readonly title?: string;
}) {
  return (
    <span className="two-lines" title={title}>
      <span className="ellipsis">{first}</span>
      <span className="ellipsis second-line">{second}</span>
    </span>
  );
}

/** Provider, file, note and labels: what distinguishes accounts of one person. */
function identityLine({ account, tags }: AccountRow, { masker, t }: CellContext): string {
  return [
    shown(account.listed.provider),
    account.name === account.listed.name ? '' : fileTitle(account, masker),
    account.fileSize > 1 ? t('accounts.sharedFile', { count: account.fileSize }) : '',
    account.runtimeOnly ? t('accounts.runtimeOnly') : '',
    shown(masker.text(account.note)),
    ...tags.map((tag) => `#${shown(masker.text(tag))}`),
  ]
    .filter(Boolean)
    .join(' · ');
}

function AccountSwitch({
  row,
  controls,
  context,
}: {
  readonly row: AccountRow;
  readonly controls: RowControls;
  readonly context: CellContext;
}) {
  const { t, masker } = context;
  const { account } = row;
  return (
    <Switch
      aria-label={t('accounts.switch', { name: accountTitle(account, masker) })}
      title={account.switchScope === null ? t('accounts.notByItself') : undefined}
      checked={!account.listed.disabled}
      disabled={account.switchScope === null || controls.isBusy(row)}
      onChange={() => controls.onSwitch(row)}
    />
  );
}

export function accountColumns(context: CellContext, controls: RowControls): readonly TableColumn<AccountRow>[] {
  const { t, masker, zone, locale, nowMs, managed } = context;
  const all: readonly TableColumn<AccountRow>[] = [
    {
      id: 'name',
      label: t('filter.account'),
      width: 224,
      cell: (row) => (
        <span className="two-lines" title={`${accountTitle(row.account, masker)} · ${identityLine(row, context)}`}>
          <span style={{ gap: 6 }} className="row">
            <span className="ellipsis medium">{accountTitle(row.account, masker)}</span>
            {row.plan !== '' && <span className="tag">{shown(row.plan, 24)}</span>}
          </span>
          <span className="ellipsis second-line">{identityLine(row, context)}</span>
        </span>
      ),
      sort: true,
    },
    {
      id: 'availability',
      label: t('accounts.availability'),
      width: 236,
      cell: (row) => <AvailabilityCell row={row} context={context} controls={controls} />,
    },
    {
      id: 'recent',
      label: t(managed ? 'accounts.lastTen' : 'accounts.recentUse'),
      ...(managed ? {} : { hint: t('accounts.recentUseHint') }),
      width: 104,
      priority: 3,
      cell: ({ history, recent }) =>
        recent !== null ? (
          <RecentBars use={recent} t={t} />
        ) : (
          <Two
            first={<LastTen requests={history?.recent_requests ?? []} t={t} />}
            second={history === null ? '' : dayOrTime(history.last_seen_ms, nowMs, zone, locale)}
            {...(history?.last_seen_ms ? { title: fullMoment(history.last_seen_ms, context) } : {})}
          />
        ),
      sort: true,
      sortFirst: 'desc',
    },
    {
      id: 'requests',
      label: t('accounts.requests'),
      hint: t(managed ? 'accounts.requestsHint' : 'accounts.recentUseHint'),
      width: managed ? 96 : 136,
      right: true,
      priority: 5,
      cell: ({ history, recent }) =>
        recent !== null ? (
          <Two first={formatCount(recent.success + recent.failed)} second={recentSpan(recent, t)} />
        ) : history === null || !history.matched ? (
          <span className="ink-3">{history?.sync_status === 'pending' ? t('accounts.syncing') : NONE}</span>
        ) : (
          <Two
            first={formatCount(history.total_requests)}
            second={t('accounts.tokens', { tokens: formatCompact(history.total_tokens) })}
          />
        ),
      sort: true,
    },
    {
      id: 'cost',
      label: t('accounts.cost'),
      hint: t('accounts.requestsHint'),
      width: 92,
      right: true,
      priority: 6,
      cell: ({ history }) =>
        history === null || !history.matched ? (
          <span className="ink-3">{NONE}</span>
        ) : (
          <Two
            first={formatCostSum(history.total_cost, history.unpriced_calls)}
            second={t('accounts.ok', { share: formatShare(history.success_rate) })}
          />
        ),
      sort: true,
    },
    {
      id: 'quota',
      label: t('accounts.quotaLeft'),
      width: null,
      minWidth: 236,
      cell: ({ quota, quotaMissing }) => <QuotaBars quota={quota} missing={quotaMissing} context={context} />,
      sort: true,
      sortFirst: 'asc',
    },
    {
      id: 'controls',
      label: '',
      hint: t('accounts.actions'),
      width: 84,
      right: true,
      priority: 2,
      cell: (row) => (
        <span style={{ justifyContent: 'flex-end', gap: 4 }} className="row">
          <AccountSwitch row={row} controls={controls} context={context} />
          {controls.menu(row)}
        </span>
      ),
    },
  ];
  return managed ? all : all.filter(({ id }) => id !== 'cost');
}

/** Still loading, as opposed to unconfirmed. */
const stateUnknown = ({ availability, statePending }: AccountRow): boolean =>
  statePending && availability.state === 'unconfirmed';

/** Offers that are links, which fit into a cell. */
const LINKS: ReadonlySet<Offer> = new Set(['signIn', 'failures', 'queue']);

const ACTION_STATES: ReadonlySet<AvailabilityState> = new Set(['signIn', 'deactivated', 'failing']);

/** An account that needs action shows its solution beside the state. */
function offerOf(row: AccountRow): Offer | undefined {
  const [first] = ACTION_STATES.has(row.availability.state) ? offersOf(row, false) : [];
  return first !== undefined && LINKS.has(first) ? first : undefined;
}

function AvailabilityCell({
  row,
  context,
  controls,
}: {
  readonly row: AccountRow;
  readonly context: CellContext;
  readonly controls: RowControls;
}) {
  const { t } = context;
  if (stateUnknown(row)) return <span style={{ width: 92, margin: '5px 0' }} className="skeleton" />;
  const { tone, label } = STATE_WORDS[row.availability.state];
  const reason = availabilityReason(row, context);
  const priority = row.account.priority === null ? '' : t('accounts.priorityIs', { value: row.account.priority });
  const second = [reason, priority].filter(Boolean).join(' · ');
  const offer = offerOf(row);
  return (
    <Two
      first={
        <span style={{ gap: 12 }} className="row">
          <Status tone={tone}>{t(label)}</Status>
          {offer !== undefined && <OfferControl offer={offer} row={row} onChoose={controls.onChoose} />}
        </span>
      }
      second={second}
      title={`${t(label)} · ${second}`}
    />
  );
}

/** A card: name, state, bars; the menu is beside it. */
export function accountCard(row: AccountRow, context: CellContext, controls: RowControls): NarrowRow {
  const { t, masker } = context;
  const { tone, label } = STATE_WORDS[row.availability.state];
  return {
    main: (
      <span style={{ gap: 6 }} className="row">
        <span className="ellipsis medium">{accountTitle(row.account, masker)}</span>
        {row.plan !== '' && <span className="tag">{shown(row.plan, 24)}</span>}
      </span>
    ),
    mainBelow: identityLine(row, context),
    more: (
      <>
        {stateUnknown(row) ? (
          <span style={{ width: 92, margin: '5px 0' }} className="skeleton" />
        ) : (
          <span style={{ gap: 6 }} className="row">
            <Status tone={tone}>{t(label)}</Status>
            <span className="small ink-2 ellipsis">{availabilityReason(row, context)}</span>
          </span>
        )}
        {row.quota.supported && <QuotaBars quota={row.quota} missing={row.quotaMissing} context={context} />}
      </>
    ),
    action: controls.menu(row),
  };
}
