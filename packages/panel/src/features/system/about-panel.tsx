import { Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { isoWithOffset } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useConfig, useGateway, useHost, useStatus } from '../../platform/queries/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/table/export.ts';
import { ClearDataDialog } from './clear-data-dialog.tsx';
import { LicenceDialog } from './licence-dialog.tsx';
import { supportBundle } from './support-bundle.ts';

/** Help, components of this panel, and its browser storage. */
export function AboutPanel() {
  const { t } = useText();
  const [licences, setLicences] = useState(false);
  const [clearing, setClearing] = useState(false);
  const bundle = useSupportBundle();
  return (
    <section className="panel" aria-label={t('system.about')}>
      <div className="panel-head">
        <h2>{t('system.about')}</h2>
      </div>
      <Stack align="flex-start" className="panel-body">
        <div>
          <Button onClick={bundle.save} disabled={bundle.loading}>
            <Icon name="download" />
            {t('system.bundle')}
          </Button>
          <p className="small ink-3" style={{ marginTop: 4 }}>
            {t('system.bundleHint')}
          </p>
        </div>
        <div>
          <Button onClick={() => setClearing(true)}>{t('system.clear')}</Button>
          <p className="small ink-3" style={{ marginTop: 4 }}>
            {t('system.clearHint')}
          </p>
        </div>
        <Group gap="8px 16px">
          <Link to="/doctor" search={{}} className="link">
            {t('nav.doctor')}
          </Link>
          <Link to="/logs" search={{}} className="link">
            {t('nav.logs')}
          </Link>
          <Link to="/settings" search={{}} className="link">
            {t('nav.settings')}
          </Link>
          <button type="button" className="link" onClick={() => setLicences(true)}>
            {t('system.licences')}
          </button>
        </Group>
      </Stack>
      <LicenceDialog opened={licences} onClose={() => setLicences(false)} />
      <ClearDataDialog opened={clearing} onClose={() => setClearing(false)} />
    </section>
  );
}

function useSupportBundle() {
  const zone = useTimeZone();
  const { client } = useServices();
  const host = useHost();
  const status = useStatus();
  const config = useConfig();
  const gateway = useGateway();
  const save = () => {
    const createdAt = isoWithOffset(client.now(), zone);
    const text = supportBundle({
      createdAt,
      timeZone: zone,
      browser: navigator.userAgent,
      versions: {
        manager: host.data?.kind === 'manager' ? host.data.info.version : undefined,
        panel: __PANEL_VERSION__,
        upstream: gateway.data?.version,
        upstreamCommit: gateway.data?.commit,
        upstreamBuilt: gateway.data?.buildDate,
      },
      status: status.data,
      config: config.data,
    });
    saveFile(`support-${createdAt.slice(0, 10)}.json`, 'application/json', text);
  };
  // Else its parts would be missing without a word.
  return { save, loading: [host, status, config, gateway].some(({ isLoading }) => isLoading) };
}
