import { AppError } from '@manager/core/contract/errors';
import type { InspectionConfig } from '@manager/core/contract/inspection-config';
import { randomUUIDv7 } from 'bun';
import type { CredentialClientDeps } from '../credentials/client.ts';
import { type Credentials, createCredentials } from '../credentials/credentials.ts';
import type { Store } from '../db/store.ts';
import { createInspection } from '../features/inspection/create-inspection.ts';
import type { InspectionLogger } from '../features/inspection/runner.ts';
import type { FeatureRoutes } from '../http/environment.ts';

export interface AccountsDeps extends CredentialClientDeps {
  readonly store: Store;
  readonly inspectionSettings: () => InspectionConfig;
  readonly now: () => number;
  readonly log: InspectionLogger;
}

export interface Accounts {
  readonly credentials: Credentials;
  readonly inspection: FeatureRoutes;
  start(): void;
  /** Begins nothing more and waits for what goes on, within limits. */
  stop(): Promise<void>;
}

/** Everything that looks after the credentials of the upstream; a part of the composition root. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, now, log } = deps;
  const credentials = createCredentials(deps);
  const inspection = createInspection({
    reader: store.reader,
    writer: store.writer,
    work: { run: () => Promise.reject(new AppError('feature_not_available')) },
    actions: { execute: () => Promise.reject(new AppError('feature_not_available')) },
    configured: credentials.client.configured,
    settings: deps.inspectionSettings,
    serverZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    newId: () => randomUUIDv7().replaceAll('-', ''),
    now,
    log,
  });
  return {
    credentials,
    inspection: inspection.routes,
    start() {
      inspection.start();
    },
    async stop() {
      await inspection.stop();
    },
  };
}
