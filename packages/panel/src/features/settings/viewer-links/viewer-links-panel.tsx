import type { ViewerLink } from '@manager/core/contract/viewer-links/links';
import { useMemo, useState } from 'react';
import { fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useServices } from '../../../platform/api/services.ts';
import { hashPrefix } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { datedDay, hourAndMinute, shortDate } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { useKeyNames } from '../../../platform/queries/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import { NewLinkDialog } from './new-link-dialog.tsx';
import { useRevokeLink, useViewerLinks } from './viewer-link-calls.ts';

/** Links that show owners of client keys their own usage. */
export function ViewerLinksPanel() {
  const { t } = useText();
  const source = fromQuery(useViewerLinks());
  const revoke = useRevokeLink();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ViewerLink | null>(null);
  const words = useLinkWords();
  const columns = useMemo(
    (): readonly TableColumn<ViewerLink>[] => [
      {
        id: 'name',
        label: t('notifications.name'),
        width: null,
        minWidth: 120,
        cell: ({ name }) => shown(name),
        title: ({ name }) => name,
      },
      {
        id: 'keys',
        label: t('analytics.keys'),
        width: null,
        minWidth: 120,
        priority: 1,
        cell: words.keys,
        title: words.keys,
      },
      {
        id: 'created',
        label: t('archives.created'),
        width: 112,
        priority: 3,
        cell: (row) => words.day(row.createdAtMs),
      },
      { id: 'expires', label: t('viewerLinks.expires'), width: 112, cell: words.end },
      { id: 'used', label: t('viewerLinks.lastUsed'), width: 132, priority: 2, cell: words.used },
      {
        id: 'revoke',
        label: t('inspection.action'),
        width: 96,
        cell: (row) => <RevokeButton link={row} onRevoke={setRevoking} />,
      },
    ],
    [t, words],
  );
  return (
    <>
      <TablePanel
        title={t('viewerLinks.title')}
        source={mapSource(source, ({ items }) => items)}
        actions={<Button onClick={() => setMaking(true)}>{t('viewerLinks.new')}</Button>}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowHeight={36}
        narrow={(row) => ({
          main: shown(row.name),
          mainBelow: words.keys(row),
          value: words.end(row),
          action: (
            <span style={{ marginRight: 12 }}>
              <RevokeButton link={row} onRevoke={setRevoking} />
            </span>
          ),
        })}
        empty={{ title: t('viewerLinks.none'), text: t('viewerLinks.noneText') }}
        errorTitle={t('viewerLinks.loadFailed')}
        expectedRows={2}
      />
      <NewLinkDialog opened={making} onClose={() => setMaking(false)} />
      <ConfirmDialog
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        title={t('viewerLinks.revokeTitle', { name: revoking?.name ?? '' })}
        confirmLabel={t('viewerLinks.revoke')}
        danger
        onConfirm={async () => {
          if (revoking !== null) await revoke.mutateAsync(revoking.id);
        }}
      >
        {t('viewerLinks.revokeText')}
      </ConfirmDialog>
    </>
  );
}

function RevokeButton({
  link,
  onRevoke,
}: {
  readonly link: ViewerLink;
  readonly onRevoke: (link: ViewerLink) => void;
}) {
  const { t } = useText();
  return (
    <Button aria-label={t('viewerLinks.revokeNamed', { name: link.name })} onClick={() => onRevoke(link)}>
      {t('viewerLinks.revoke')}
    </Button>
  );
}

function useLinkWords() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const names = useKeyNames();
  const { client } = useServices();
  return useMemo(() => {
    const day = (ms: number) => datedDay(ms, zone, locale);
    return {
      day,
      keys: ({ keys }: ViewerLink) =>
        keys === null
          ? t('viewerLinks.all')
          : keys.map((hash) => shown(names.get(hash) ?? hashPrefix(hash))).join(', '),
      end: ({ expiresAtMs }: ViewerLink) => {
        if (expiresAtMs === null) return t('settings.idleLockNever');
        if (expiresAtMs <= client.now()) return <Status tone="off">{t('viewerLinks.expired')}</Status>;
        return day(expiresAtMs);
      },
      used: ({ lastUsedAtMs }: ViewerLink) =>
        lastUsedAtMs === null ? '–' : `${shortDate(lastUsedAtMs, zone, locale)} ${hourAndMinute(lastUsedAtMs, zone)}`,
    };
  }, [t, locale, zone, names, client]);
}
