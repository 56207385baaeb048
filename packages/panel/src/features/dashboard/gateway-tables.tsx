import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import type { DataSource } from '../../platform/api/data-source.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { useHref } from '../../platform/browser/use-href.ts';
import { formatCount, NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { accountTitle } from '../../ui/accounts/account-text.ts';
import { availabilityReason, STATE_WORDS } from '../../ui/accounts/availability-text.ts';
import { Status, SuccessRate } from '../../ui/display/status.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import type { FleetRow } from './gateway-view.ts';

const fleetLink = ({ kind, provider }: FleetRow) =>
  kind === 'keys'
    ? ({ to: '/providers', search: {} } as const)
    : ({ to: '/accounts', search: { provider: [provider] } } as const);

const accountLink = ({ account }: AccountRow) => ({ to: '/accounts', search: { account: [account.key] } }) as const;

const TIME_STEP_MS = 15_000;

const rate = ({ use }: FleetRow): number | null =>
  use.success + use.failed === 0 ? null : use.success / (use.success + use.failed);

/** Accounts and keys of each provider, and their requests. */
export function FleetTable({
  source,
  span,
}: {
  readonly source: DataSource<readonly FleetRow[]>;
  readonly span: string;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const href = useHref();
  const name = (row: FleetRow) =>
    `${shown(row.provider, 40) || t('accounts.noProvider')}${row.kind === 'keys' ? ` · ${t('providers.keys')}` : ''}`;
  const columns: readonly TableColumn<FleetRow>[] = [
    { id: 'provider', label: t('dashboard.provider'), width: null, minWidth: 110, cell: name, title: name },
    {
      id: 'on',
      label: t('gateway.enabled'),
      width: 72,
      right: true,
      cell: ({ enabled, total }) =>
        enabled === null ? formatCount(total) : t('dashboard.successOf', { good: enabled, all: total }),
    },
    {
      id: 'failing',
      label: t('gateway.failing'),
      width: 84,
      right: true,
      cell: ({ failing }) =>
        failing === null ? NONE : <span className={failing > 0 ? 'tone-warn' : undefined}>{formatCount(failing)}</span>,
    },
    {
      id: 'requests',
      label: t('dashboard.requests'),
      width: 72,
      right: true,
      priority: 1,
      cell: ({ use }) => formatCount(use.success + use.failed),
    },
    {
      id: 'success',
      label: t('dashboard.success'),
      width: 64,
      right: true,
      priority: 2,
      cell: (row) => <SuccessRate rate={rate(row)} />,
    },
  ];
  return (
    <TablePanel
      title={t('gateway.fleet')}
      subtitle={span}
      source={source}
      columns={columns}
      rowKey={({ kind, provider }) => `${kind} ${provider}`}
      rowName={name}
      narrow={(row) => ({
        main: name(row),
        value: formatCount(row.use.success + row.use.failed),
        valueBelow: <SuccessRate rate={rate(row)} />,
      })}
      href={(row) => href(fleetLink(row))}
      onOpen={(row) => void navigate(fleetLink(row))}
      twoLineBelow={240}
      empty={{ title: t('gateway.nothing'), text: t('gateway.nothingText') }}
      errorTitle={t('gateway.failedToLoad')}
      expectedRows={5}
    />
  );
}

/** Enabled accounts that serve no requests, each with the reason. */
export function TroubledTable({
  source,
  none,
}: {
  readonly source: DataSource<readonly AccountRow[]>;
  /** The gateway has no account at all. */
  readonly none: boolean;
}) {
  const { t, locale } = useText();
  const navigate = useNavigate();
  const href = useHref();
  const masker = useMasker();
  const zone = useTimeZone();
  const nowMs = useNow(TIME_STEP_MS);
  const context = useMemo(() => ({ t, locale, zone, masker, nowMs, managed: false }), [t, locale, zone, masker, nowMs]);
  const name = ({ account }: AccountRow) => accountTitle(account, masker);
  const state = ({ availability }: AccountRow) => {
    const { tone, label } = STATE_WORDS[availability.state];
    return <Status tone={tone}>{t(label)}</Status>;
  };
  const columns: readonly TableColumn<AccountRow>[] = [
    { id: 'account', label: t('dashboard.account'), width: null, minWidth: 110, cell: name, title: name },
    { id: 'state', label: t('dashboard.state'), width: 116, cell: state },
    {
      id: 'reason',
      label: t('dashboard.cause'),
      width: null,
      minWidth: 90,
      priority: 1,
      cell: (row) => availabilityReason(row, context),
    },
  ];
  return (
    <TablePanel
      title={t('dashboard.accountHealth')}
      source={source}
      columns={columns}
      rowKey={({ account }) => account.key}
      rowName={name}
      narrow={(row) => ({ main: name(row), mainBelow: availabilityReason(row, context), value: state(row) })}
      href={(row) => href(accountLink(row))}
      onOpen={(row) => void navigate(accountLink(row))}
      twoLineBelow={480}
      empty={
        none
          ? {
              title: t('accounts.none'),
              text: t('gateway.noAccountsText'),
              action: (
                <Link to="/oauth" search={{}} className="button">
                  {t('providerSignIn.start')}
                </Link>
              ),
            }
          : { title: t('gateway.allServe'), text: t('gateway.allServeText') }
      }
      errorTitle={t('gateway.failedToLoad')}
      expectedRows={5}
    />
  );
}
