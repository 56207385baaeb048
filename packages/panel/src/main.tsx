import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/index.css';
import { mantineTheme, mantineVariables } from './app/mantine-theme.ts';
import { createPanelRouter } from './app/router.tsx';
import { createServices, type Services, ServicesContext } from './app/services.ts';
import { useStore } from './app/store.ts';
import { startTheme, themeStore } from './app/theme.ts';
import { startI18n } from './i18n/index.ts';

function Panel({
  services,
  router,
}: {
  readonly services: Services;
  readonly router: ReturnType<typeof createPanelRouter>;
}) {
  const { scheme } = useStore(themeStore);
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={mantineVariables} forceColorScheme={scheme}>
      <QueryClientProvider client={services.queries}>
        <ServicesContext value={services}>
          <RouterProvider router={router} />
        </ServicesContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

// Runs in the head of the page: theme and language stand before anything is painted.
startTheme();
startI18n();

function mount(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('#root is missing');
  const services = createServices(window.location.href);
  createRoot(root).render(
    <StrictMode>
      <Panel services={services} router={createPanelRouter()} />
    </StrictMode>,
  );
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mount);
else mount();
