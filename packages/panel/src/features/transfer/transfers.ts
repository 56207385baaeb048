import { createContext, useContext } from 'react';
import type { Services } from '../../platform/api/services.ts';
import { createBrowserExports, type Exports } from './export/browser-exports.ts';
import { createBrowserUploads, type Uploads } from './upload/browser-uploads.ts';

/** Work that continues on other pages: made once, in `main.tsx`. */
export interface Transfers {
  readonly uploads: Uploads;
  readonly exports: Exports;
}

/** They end with the session. */
export function createTransfers({ client, session }: Services): Transfers {
  const uploads = createBrowserUploads(client, client.page);
  const exports = createBrowserExports(client);
  session.store.subscribe(() => {
    uploads.controller.stop();
    exports.controller.stop();
  });
  return { uploads, exports };
}

export const TransfersContext = createContext<Transfers | null>(null);

export function useTransfers(): Transfers {
  const transfers = useContext(TransfersContext);
  if (transfers === null) throw new Error('transfers are missing');
  return transfers;
}
