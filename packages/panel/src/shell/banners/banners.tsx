import { Box } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useFailedArchiveRuns, useGatewayMisses } from '../../platform/queries/banner-queries.ts';
import { usePassedBudgets } from '../../platform/queries/budgets.ts';
import { useConfig, useHost, useStatus } from '../../platform/queries/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { BannerNote } from '../../ui/feedback/banner-note.tsx';
import { useDismissed } from '../../ui/feedback/dismissed.ts';
import { bannersOf, foldBanners } from './banner-list.ts';

const NONE: ReturnType<typeof usePassedBudgets> = [];

/** Above the content of every page, only when something is wrong; one line per kind, each with its fix. */
export function Banners() {
  const { t } = useText();
  const { client } = useServices();
  const status = useStatus();
  const config = useConfig();
  const host = useHost();
  const gatewayMisses = useGatewayMisses();
  const failedRuns = useFailedArchiveRuns();
  const passed = usePassedBudgets();
  // The report lists all budgets itself.
  const isReport = useRouterState({ select: ({ location }) => location.pathname === '/report' });
  const passedBudgets = isReport ? NONE : passed;
  const [all, setAll] = useState(false);
  // To the minute: banners need no update every second.
  const nowMs = Math.floor(useNow() / 60_000) * 60_000;
  const [isDismissed, dismiss] = useDismissed(nowMs);
  const banners = bannersOf({
    panelVersion: __PANEL_VERSION__,
    info: host.data?.kind === 'manager' ? host.data.info : undefined,
    status: status.data,
    config: config.data,
    gatewayMisses: gatewayMisses,
    failedRuns,
    passedBudgets,
    skewMs: client.skewMs(),
    insecure: isInsecure(),
    nowMs,
  }).filter((banner) => !isDismissed(banner));
  const { first, folded } = foldBanners(banners);
  return (
    <>
      {(all ? banners : first).map((banner) => (
        <BannerNote key={banner.kind} banner={banner} nowMs={nowMs} onDismiss={() => dismiss(banner)} />
      ))}
      {folded.length > 0 && (
        <Box my={-8}>
          <Button kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('note.fewer') : t('note.more', { count: folded.length })}
          </Button>
        </Box>
      )}
    </>
  );
}

/** Keys are unencrypted over plain HTTP, unless the page is on this machine. */
function isInsecure(): boolean {
  const { protocol, hostname } = window.location;
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
