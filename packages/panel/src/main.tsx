import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/styles/index.css';
import { createTransfers, type Transfers, TransfersContext } from './features/transfer/transfers.ts';
import { ViewerEndedContext } from './features/viewer/viewer-frame.tsx';
import { apiBase } from './platform/api/base.ts';
import { createServices, type Services, ServicesContext } from './platform/api/services.ts';
import { createViewerServices } from './platform/api/viewer-services.ts';
import { startI18n } from './platform/i18n/index.ts';
import { startTheme } from './platform/preferences/theme.ts';
import { takeViewerToken, watchViewerLinks } from './platform/session/viewer-token.ts';
import { createPanelRouter } from './shell/router.tsx';
import { SHELL_PARTS } from './shell/shell-parts.ts';
import { createViewerRouter, VIEWER_SHELL_PARTS } from './shell/viewer-router.tsx';
import { MANTINE_SETTINGS } from './ui/mantine-theme.ts';
import { ShellPartsContext } from './ui/page/shell-parts.ts';

/** What every tab has. */
function Tab({ services, children }: { readonly services: Services; readonly children: ReactNode }) {
  return (
    <MantineProvider {...MANTINE_SETTINGS}>
      <QueryClientProvider client={services.queries}>
        <ServicesContext value={services}>{children}</ServicesContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Panel({
  services,
  transfers,
  router,
}: {
  readonly services: Services;
  readonly transfers: Transfers;
  readonly router: ReturnType<typeof createPanelRouter>;
}) {
  return (
    <Tab services={services}>
      <TransfersContext value={transfers}>
        <ShellPartsContext value={SHELL_PARTS}>
          <RouterProvider router={router} />
        </ShellPartsContext>
      </TransfersContext>
    </Tab>
  );
}

function ViewerPanel({
  services,
  ended,
  router,
}: ReturnType<typeof createViewerServices> & { readonly router: ReturnType<typeof createViewerRouter> }) {
  return (
    <Tab services={services}>
      <ViewerEndedContext value={ended}>
        <ShellPartsContext value={VIEWER_SHELL_PARTS}>
          <RouterProvider router={router} />
        </ShellPartsContext>
      </ViewerEndedContext>
    </Tab>
  );
}

// Runs in the head of the page: theme and language are set before the first paint.
startTheme();
startI18n();
const page = apiBase(window.location.href);
const viewerToken = takeViewerToken(page);
watchViewerLinks(page);

function mount(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('#root is missing');
  createRoot(root).render(<StrictMode>{viewerToken === null ? panel() : viewerPanel(viewerToken)}</StrictMode>);
}

function panel(): ReactNode {
  const services = createServices(window.location.href);
  return <Panel services={services} transfers={createTransfers(services)} router={createPanelRouter()} />;
}

function viewerPanel(token: string): ReactNode {
  return <ViewerPanel {...createViewerServices(window.location.href, token)} router={createViewerRouter()} />;
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mount);
else mount();
