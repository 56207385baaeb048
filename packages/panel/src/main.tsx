import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/styles/index.css';
import { createTransfers, type Transfers, TransfersContext } from './features/transfer/transfers.ts';
import { createServices, type Services, ServicesContext } from './platform/api/services.ts';
import { startI18n } from './platform/i18n/index.ts';
import { startTheme } from './platform/preferences/theme.ts';
import { createPanelRouter } from './shell/router.tsx';
import { SHELL_PARTS } from './shell/shell-parts.ts';
import { MANTINE_SETTINGS } from './ui/mantine-theme.ts';
import { ShellPartsContext } from './ui/page/shell-parts.ts';

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
    <MantineProvider {...MANTINE_SETTINGS}>
      <QueryClientProvider client={services.queries}>
        <ServicesContext value={services}>
          <TransfersContext value={transfers}>
            <ShellPartsContext value={SHELL_PARTS}>
              <RouterProvider router={router} />
            </ShellPartsContext>
          </TransfersContext>
        </ServicesContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

// Runs in the head of the page: theme and language are set before the first paint.
startTheme();
startI18n();

function mount(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('#root is missing');
  const services = createServices(window.location.href);
  createRoot(root).render(
    <StrictMode>
      <Panel services={services} transfers={createTransfers(services)} router={createPanelRouter()} />
    </StrictMode>,
  );
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mount);
else mount();
