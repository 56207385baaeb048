import { compareReleases, isRelease } from '@manager/core/versions';
import { Group } from '@mantine/core';
import { useMode, useServices } from '../../platform/api/services.ts';
import { NONE } from '../../platform/format/format.ts';
import { dateAndTime, shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useLatestGateway } from '../../platform/queries/latest-gateway.ts';
import { useGateway, useHost } from '../../platform/queries/queries.ts';
import { useSession } from '../../platform/session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Facts } from '../../ui/display/facts.tsx';
import { Status } from '../../ui/display/status.tsx';
import { failureText } from '../../ui/feedback/states.tsx';

export function VersionsPanel() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client, session } = useServices();
  const mode = useMode();
  const base = useSession(session)?.base ?? client.page;
  const host = useHost();
  const gateway = useGateway();
  const latest = useLatestGateway();
  const info = host.data?.kind === 'manager' ? host.data.info : undefined;
  const running = gateway.data?.version ?? '';
  const failure = failureText(gateway.error);
  const ofGateway = (text: string | undefined) =>
    gateway.data !== undefined ? text || NONE : gateway.error === null ? undefined : NONE;
  return (
    <Facts
      title={t('system.versions')}
      facts={[
        ...(mode === 'manager' ? [{ label: t('system.manager'), value: info?.version }] : []),
        {
          label: t('system.panel'),
          value:
            info !== undefined && compareReleases(__PANEL_VERSION__, info.version) !== 0 ? (
              <span className="row">
                {__PANEL_VERSION__} <Status tone="warn">{t('system.differs')}</Status>
              </span>
            ) : (
              __PANEL_VERSION__
            ),
        },
        {
          label: t('system.upstream'),
          value:
            gateway.error !== null && gateway.data === undefined ? (
              <Status tone="bad">{t(failure.key, failure.values)}</Status>
            ) : (
              ofGateway(running)
            ),
        },
        { label: t('system.commit'), value: ofGateway(gateway.data?.commit.slice(0, 12)) },
        { label: t('system.built'), value: ofGateway(gateway.data?.buildDate) },
        {
          label: t('system.newest'),
          value:
            latest.data !== undefined ? (
              <Newest newest={latest.data.version} running={running} />
            ) : latest.isFetching ? undefined : (
              <Status tone="unknown">{t('system.notAsked')}</Status>
            ),
        },
        ...(mode === 'manager'
          ? [{ label: t('system.started'), value: info && dateAndTime(info.startedAt, zone, locale, true) }]
          : []),
        { label: t('system.address'), value: <span className="mono">{base}</span> },
      ]}
    >
      <Group mt="md">
        <Button aria-busy={latest.isFetching} disabled={latest.isFetching} onClick={() => void latest.refetch()}>
          {t('system.checkUpdate')}
        </Button>
        {latest.data !== undefined && (
          <span className="small ink-3">
            {t('system.checkedAt', { time: shortTime(latest.data.atMs, Date.now(), zone, locale) })}
          </span>
        )}
      </Group>
    </Facts>
  );
}

/** A failed check is reported, and never shown as up to date. */
function Newest({ newest, running }: { readonly newest: string; readonly running: string }) {
  const { t } = useText();
  if (newest === '') return <Status tone="unknown">{t('system.notChecked')}</Status>;
  // Development builds are not compared.
  const known = isRelease(newest) && isRelease(running);
  const later = compareReleases(newest, running) > 0;
  return (
    <Group component="span">
      {newest}
      {known && later && <Status tone="warn">{t('system.updateThere')}</Status>}
      {known && !later && <Status tone="okQuiet">{t('system.upToDate')}</Status>}
      {!known && <Status tone="unknown">{t('system.notCompared')}</Status>}
    </Group>
  );
}
