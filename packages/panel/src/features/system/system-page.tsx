import { SimpleGrid, Stack } from '@mantine/core';
import { useRef } from 'react';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useGateway, useHost, useStatus } from '../../platform/queries/queries.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useCopied } from '../../ui/controls/copy.tsx';
import { ErrorState } from '../../ui/feedback/states.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { AboutPanel } from './about-panel.tsx';
import { ModelsPanel } from './models-panel.tsx';
import { RequestLogPanel } from './request-log-panel.tsx';
import { StoragePanels } from './storage-panels.tsx';
import { VersionsPanel } from './versions-panel.tsx';

/** Versions, storage, and models of the gateway. Each panel has its own state. */
export function SystemPage() {
  const { t } = useText();
  const { queries } = useServices();
  const host = useHost();
  const status = useStatus();
  const gateway = useGateway();
  const searchInput = useRef<HTMLInputElement>(null);
  const [copied, copy] = useCopied();
  const managed = useManaged();
  const refresh = () => {
    for (const query of [host, status, gateway]) if (query.isEnabled) void query.refetch();
    void queries.invalidateQueries({ queryKey: ['system'] });
  };
  const versions = () =>
    [
      ...(managed ? [`manager ${host.data?.kind === 'manager' ? host.data.info.version : '?'}`] : []),
      `panel ${__PANEL_VERSION__}`,
      `upstream ${[gateway.data?.version || '?', gateway.data?.commit, gateway.data?.buildDate].filter(Boolean).join(' ')}`,
    ].join('\n');
  useShortcuts({ c: () => copy(versions()), r: refresh, '/': () => searchInput.current?.focus() });
  return (
    <Page
      title={t('nav.system')}
      state={<CollectorStatus />}
      actions={
        <Button onClick={() => copy(versions())}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? t('common.copied') : t('system.copy')}
        </Button>
      }
      refresh={{ busy: gateway.isFetching, onRefresh: refresh }}
    >
      {status.data === undefined && status.error !== null && (
        <section className="panel">
          <ErrorState title={t('error.status')} error={status.error} onRetry={() => void status.refetch()} />
        </section>
      )}
      <SimpleGrid minColWidth="min(100%, max(470px, 34%))">
        <VersionsPanel />
        {managed && <StoragePanels status={status} />}
        <ModelsPanel searchInput={searchInput} />
        <Stack>
          <RequestLogPanel />
          <AboutPanel />
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
