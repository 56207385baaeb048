import type { QuotaCooldown, QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { COOLDOWNS_KEY, listCooldowns } from '../../platform/accounts/account-calls.ts';
import { fromQuery, isUnsupported, mapSource } from '../../platform/api/data-source.ts';
import { pollPause } from '../../platform/api/poll.ts';
import { useServices } from '../../platform/api/services.ts';
import { formatCompact, formatCount, NONE } from '../../platform/format/format.ts';
import { PLAIN } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { isoWithOffset, shortTime, timeOfDay } from '../../platform/format/time.ts';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { reasonText } from '../../platform/wording/reason-codes.ts';
import { Status } from '../../ui/display/status.tsx';
import { useSpan } from '../../ui/feedback/states.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { isEstimated, windowOf } from './cooldown-view.ts';

const POLL_MS = 60_000;

function useCooldowns() {
  const { client } = useServices();
  const [spread] = useState(() => 0.9 + 0.2 * Math.random());
  return useQuery({
    queryKey: COOLDOWNS_KEY,
    queryFn: ({ signal }) => listCooldowns(client, signal),
    staleTime: POLL_MS / 2,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) =>
      isUnsupported(state.error) ? false : Math.round(pollPause(state, POLL_MS) * spread),
  });
}

/** Cooldowns have no id, and their names must not be in the document while masked. */
interface PlacedCooldown extends QuotaCooldown {
  readonly place: number;
}

function placed({ items }: QuotaCooldownsResponse): readonly PlacedCooldown[] {
  return items.map((item, place) => ({ ...item, place }));
}

/** Accounts that the manager disabled until their quota resets. */
export function CooldownsPanel() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const span = useSpan();
  const { client } = useServices();
  const cooldowns = useCooldowns();
  const columns = useMemo((): readonly TableColumn<PlacedCooldown>[] => {
    const account = ({ accountSnapshot }: QuotaCooldown) => shown(masker.account(accountSnapshot ?? '')) || NONE;
    const reason = (row: QuotaCooldown) => reasonText(row.reasonCode, '', t, masker) || NONE;
    const window = (row: QuotaCooldown) => {
      const key = windowOf(row);
      return key === null ? shown(row.windowKind ?? '') || NONE : t(key);
    };
    const time = (ms: number) => shortTime(ms, client.now(), zone, locale);
    return [
      {
        id: 'recover',
        label: t('cooldown.recovers'),
        width: 184,
        cell: (row) => `${isEstimated(row) ? `${t('cooldown.about')} ` : ''}${time(row.recoverAtMs)}`,
        title: ({ recoverAtMs }) => isoWithOffset(recoverAtMs, zone),
        exported: ({ recoverAtMs }) => isoWithOffset(recoverAtMs, zone),
      },
      {
        id: 'account',
        label: t('filter.account'),
        width: null,
        minWidth: 140,
        cell: account,
        title: account,
        exported: account,
      },
      {
        id: 'file',
        label: t('filter.file'),
        width: null,
        minWidth: 130,
        priority: 3,
        cell: ({ authFileName }) => shown(masker.file(authFileName)),
        title: ({ authFileName }) => masker.file(authFileName),
        exported: ({ authFileName }) => masker.file(authFileName),
      },
      {
        id: 'provider',
        label: t('filter.provider'),
        width: 80,
        priority: 2,
        cell: ({ provider }) => shown(provider) || NONE,
        exported: ({ provider }) => provider,
      },
      {
        id: 'reason',
        label: t('cooldown.reason'),
        width: null,
        minWidth: 160,
        cell: reason,
        title: reason,
        exported: reason,
      },
      { id: 'window', label: t('quota.window'), width: 112, priority: 4, cell: window, exported: window },
      {
        id: 'since',
        label: t('cooldown.since'),
        width: 124,
        priority: 1,
        cell: ({ disabledAtMs }) => time(disabledAtMs),
        title: ({ disabledAtMs }) => isoWithOffset(disabledAtMs, zone),
        exported: ({ disabledAtMs }) => isoWithOffset(disabledAtMs, zone),
      },
    ];
  }, [t, locale, zone, masker, client]);
  return (
    <TablePanel
      title={t('cooldown.title')}
      subtitle={cooldowns.data === undefined ? undefined : t('cooldown.count', { count: cooldowns.data.items.length })}
      source={mapSource(fromQuery(cooldowns), placed)}
      actions={
        cooldowns.dataUpdatedAt > 0 && (
          <span className="small ink-3 nowrap">
            {t('accounts.updated', { time: timeOfDay(cooldowns.dataUpdatedAt, zone) })}
          </span>
        )
      }
      columns={columns}
      rowKey={({ place }) => String(place)}
      rowName={({ accountSnapshot, authFileName }) =>
        accountSnapshot ? masker.account(accountSnapshot) : masker.file(authFileName)
      }
      narrow={(row) => ({
        main: row.accountSnapshot ? shown(masker.account(row.accountSnapshot)) : shown(masker.file(row.authFileName)),
        mainBelow: reasonTextOf(row, t, formatCompact),
        value: shortTime(row.recoverAtMs, client.now(), zone, locale),
        valueBelow:
          row.recoverAtMs <= client.now() ? (
            <Status tone="wait">{t('cooldown.due')}</Status>
          ) : (
            t('inspectionSettings.nextIn', { span: span(row.recoverAtMs - client.now()) })
          ),
      })}
      empty={{ title: t('cooldown.none'), text: t('cooldown.noneText') }}
      errorTitle={t('cooldown.failed')}
      errorScope={t('error.otherPanels')}
      unsupported={{ title: t('cooldown.old'), text: t('automation.oldText') }}
      exportName="quota-cooldowns"
      expectedRows={3}
      foot={cooldowns.data?.items.some(isEstimated) ? t('cooldown.aboutHint') : undefined}
    />
  );
}

function reasonTextOf(row: QuotaCooldown, t: Translate, format = formatCount): string {
  const reason = reasonText(row.reasonCode, '', t, PLAIN);
  const { actual, limit } = row.evidence ?? {};
  return actual === undefined || limit === undefined ? reason : `${reason} · ${format(actual)} / ${format(limit)}`;
}
