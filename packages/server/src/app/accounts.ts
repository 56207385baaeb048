import { setTimeout as waitFor } from 'node:timers/promises';
import type { InspectionConfig } from '@manager/core/contract/inspection-config';
import { randomUUIDv7 } from 'bun';
import type { CredentialClientDeps } from '../credentials/client.ts';
import { type Credentials, createCredentials } from '../credentials/credentials.ts';
import { createManualChanges, type ManualChanges } from '../credentials/manual-changes.ts';
import { type RevokedAutomation, revokedPart } from '../db/operations/automation.ts';
import type { Store } from '../db/store.ts';
import { createInspection } from '../features/inspection/create-inspection.ts';
import type { InspectionLogger } from '../features/inspection/runner.ts';
import { createInspectionWork } from '../features/inspection/work.ts';
import { zoneNamed } from '../features/inspection/zone-named.ts';
import { createQuotaSnapshotPruner } from '../features/quota-snapshots/pruner.ts';
import { createQuotaSnapshotRoutes } from '../features/quota-snapshots/routes.ts';
import { createQuotaSnapshotService } from '../features/quota-snapshots/service.ts';
import type { FeatureRoutes } from '../http/environment.ts';

export interface AccountsDeps extends CredentialClientDeps {
  readonly store: Store;
  readonly inspectionSettings: () => InspectionConfig;
  readonly now: () => number;
  readonly log: InspectionLogger;
}

export interface Accounts {
  readonly credentials: Credentials;
  /** For changes of auth files that a person sends through the proxy. */
  readonly manualChanges: ManualChanges;
  readonly inspection: FeatureRoutes;
  readonly quotaSnapshots: FeatureRoutes;
  start(): void;
  /** Begins nothing more and waits for what goes on, within limits. */
  stop(): Promise<void>;
}

const serverZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Everything that looks after the credentials of the upstream; a part of the composition root. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, now, log } = deps;
  const credentials = createCredentials(deps);
  const quotaSnapshots = createQuotaSnapshotService({ reader: store.reader, writer: store.writer, now });
  const quotaSnapshotPruner = createQuotaSnapshotPruner({
    prune: (args) => store.writer.run('pruneQuotaSnapshots', args, { priority: 'background' }),
    now,
    log: { warn: (message) => log.warn({}, message) },
  });
  const work = createInspectionWork({
    credentials,
    writeInspectionEvidence: quotaSnapshots.writeInspectionEvidence,
    now,
    random: Math.random,
    wait: (ms, signal) => waitFor(ms, undefined, { signal, ref: false }),
    zone: zoneNamed(serverZone()),
    onFault: (error) => log.error({ err: error }, 'an action of an inspection failed'),
  });
  const inspection = createInspection({
    reader: store.reader,
    writer: store.writer,
    work,
    actions: work,
    recovery: work,
    configured: credentials.client.configured,
    settings: deps.inspectionSettings,
    serverZone,
    newId: () => randomUUIDv7().replaceAll('-', ''),
    now,
    log,
  });
  const manualChanges = createManualChanges<RevokedAutomation>({
    revoke: (scope) => store.writer.run('revokeAutomation', scope),
    restore: (revoked) => store.writer.run('restoreAutomation', revoked),
    part: revokedPart,
    log: { warn: (message) => log.warn({}, message) },
  });
  return {
    credentials,
    manualChanges,
    inspection: inspection.routes,
    quotaSnapshots: createQuotaSnapshotRoutes(quotaSnapshots),
    start() {
      inspection.start();
      quotaSnapshotPruner.start();
    },
    async stop() {
      await Promise.all([inspection.stop(), quotaSnapshotPruner.stop()]);
    },
  };
}
