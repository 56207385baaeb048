import { dirname } from 'node:path';
import type { NotificationEvent } from '@manager/core/contract/notifications/kinds';
import type { NotificationSettings } from '@manager/core/contract/notifications/targets';
import { randomUUIDv7 } from 'bun';
import type { BudgetSpent } from '../features/budgets/queries/budget-spent.ts';
import type { Condition, Observation } from '../features/notifications/condition.ts';
import { createDeliver } from '../features/notifications/deliver.ts';
import { createOutboxLoop } from '../features/notifications/outbox-loop.ts';
import { notificationRoutes } from '../features/notifications/routes.ts';
import { createSecretBox } from '../features/notifications/secrets.ts';
import { createNotificationService } from '../features/notifications/service.ts';
import type { CollectorStatus } from '../gateway/collector.ts';
import type { ManagementClient } from '../gateway/management-client.ts';
import type { FeatureRoutes } from '../http/environment.ts';
import type { GatewayConnection } from '../platform/config/config.ts';
import type { SecretVault } from '../platform/secrets/vault.ts';
import type { Store } from '../workers/store.ts';
import { createQuotaWatch, loginConditions } from './conditions/accounts.ts';
import { createBudgetWatch } from './conditions/budgets.ts';
import { createCollectorWatch, gapConditions } from './conditions/collector.ts';
import { createGatewayUpdateWatch } from './conditions/gateway-update.ts';
import { archiveConditions, diskConditions, inspectionConditions } from './conditions/storage.ts';

export interface NotificationsDeps {
  readonly store: Store;
  readonly vault: SecretVault;
  readonly watched: {
    readonly databasePath: string;
    readonly archivesDir: string;
    readonly collectorStatus: () => CollectorStatus;
    readonly budgets: () => Promise<readonly BudgetSpent[]>;
    readonly gateway: {
      readonly management: Pick<ManagementClient, 'releases'>;
      /** null = none yet. */
      readonly connection: () => GatewayConnection | null;
      readonly tlsSkipVerify: () => boolean;
    };
  };
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly log: { warn(message: string): void };
}

export interface Notifications {
  readonly routes: FeatureRoutes;
  start(): void;
  /** Ends attempts in progress; they are repeated at the next start. */
  stop(): Promise<void>;
}

const GIB = 2 ** 30;

/** Notifications with everything they watch; part of the composition root. */
export function createNotifications(deps: NotificationsDeps): Notifications {
  const { store, watched, redact, now, log } = deps;
  const { reader, writer } = store;
  const stopping = new AbortController();
  const box = createSecretBox(deps.vault);
  const deliver = createDeliver({ now, stopping: stopping.signal });
  const newId = () => randomUUIDv7();
  const service = createNotificationService({
    reader,
    writer,
    readSettings: (keys) => reader.run('getSettings', keys),
    writeSettings: (changes) => writer.run('putSettings', changes),
    box,
    deliver,
    redact,
    onChange: () => loop.wake(),
    newId,
    now,
  });
  const watchCollector = createCollectorWatch();
  const watchQuotas = createQuotaWatch(reader);
  const watchBudgets = createBudgetWatch({ spent: watched.budgets, reader });
  const watchGateway = createGatewayUpdateWatch(async () => {
    const connection = watched.gateway.connection();
    if (connection === null) return null;
    return watched.gateway.management.releases(connection, { tlsSkipVerify: watched.gateway.tlsSkipVerify() });
  });
  const folders = [
    { name: 'database', path: dirname(watched.databasePath) },
    { name: 'archives', path: watched.archivesDir },
  ];

  /**
   * Every source for itself: one that fails says nothing, and the others count. What costs much, or asks somebody outside, is looked at only for
   * a target that wants it.
   */
  async function observe(settings: NotificationSettings, wanted: ReadonlySet<NotificationEvent>): Promise<Observation> {
    const nowMs = now();
    const collector = watchCollector(watched.collectorStatus(), settings.collectorDownMinutes, nowMs);
    const [gaps, disk, logins, quotas, budgets, archives, inspection, update] = await Promise.all([
      known('gaps', gapConditions(reader, nowMs)),
      known('disk space', diskConditions(folders, settings.diskFreeGiB * GIB, nowMs)),
      known('logins', loginConditions(reader, nowMs)),
      known('quotas', watchQuotas(settings.quotaLowPercent, nowMs)),
      wanted.has('budget_passed') ? known('budgets', watchBudgets(nowMs)) : null,
      known('archives', archiveConditions(reader)),
      known('inspections', inspectionConditions(reader)),
      wanted.has('gateway_update') ? watchGateway(nowMs) : null,
    ]);
    return present({
      collector_down: collector.down,
      collector_starved: collector.starved,
      collection_gap: gaps,
      disk_low: disk,
      account_login: logins,
      quota_used_up: quotas?.usedUp ?? null,
      quota_low: quotas?.low ?? null,
      budget_passed: budgets,
      archive_failed: archives,
      inspection_failed: inspection,
      gateway_update: update,
    });
  }

  const unreadable = new Set<string>();

  /** A source that keeps failing is logged once. */
  async function known<T>(name: string, source: Promise<T>): Promise<T | null> {
    try {
      const result = await source;
      unreadable.delete(name);
      return result;
    } catch (error) {
      if (!unreadable.has(name))
        log.warn(`notifications: the state of ${name} cannot be read: ${redact(String(error))}`);
      unreadable.add(name);
      return null;
    }
  }

  const loop = createOutboxLoop({
    reader,
    writer,
    settings: service.settings,
    observe,
    box,
    deliver,
    redact,
    newId,
    now,
    log,
  });
  return {
    routes: notificationRoutes(service),
    start: loop.start,
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}

function present(states: Readonly<Record<NotificationEvent, readonly Condition[] | null>>): Observation {
  return Object.fromEntries(Object.entries(states).filter(([, conditions]) => conditions !== null)) as Observation;
}
