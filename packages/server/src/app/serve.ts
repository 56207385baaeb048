import { randomBytes, randomUUID } from 'node:crypto';
import { ERRORS } from '@manager/core/contract/errors';
import { randomUUIDv7 } from 'bun';
import { createDataMigrations } from '../events/background/runner.ts';
import { buffersOf } from '../events/ingest/packed-events.ts';
import { accountRoutes } from '../features/accounts/routes.ts';
import { createMaintenanceRoutes } from '../features/archives/maintenance/routes.ts';
import { createMaintenanceService } from '../features/archives/maintenance/service.ts';
import { createAliasRoutes } from '../features/client-keys/routes.ts';
import { createAliasService } from '../features/client-keys/service.ts';
import { createCollectorStore } from '../features/collector/ports.ts';
import { createCollector } from '../features/collector/service.ts';
import { dashboardRoutes } from '../features/dashboard/routes.ts';
import { configurationHistoryRoutes } from '../features/gateway-configuration/routes.ts';
import { createConfigurationHistory, MAX_COMPRESSED_BYTES } from '../features/gateway-configuration/service.ts';
import { requestExportRoutes } from '../features/monitoring/export/routes.ts';
import { monitoringRoutes } from '../features/monitoring/routes.ts';
import { createCollectorControl } from '../features/setup/collector-control.ts';
import { createConnectionService } from '../features/setup/connection-service.ts';
import { hasHistoricalData, readAdminCredential } from '../features/setup/connection-store.ts';
import { createGatewayCheck } from '../features/setup/gateway-check.ts';
import { createGatewayProbe } from '../features/setup/gateway-probe.ts';
import { pointsToThisManager } from '../features/setup/loop-probe.ts';
import { createSetupRoutes } from '../features/setup/routes.ts';
import { createSetupService } from '../features/setup/service.ts';
import { createInfoRoutes } from '../features/system/info/routes.ts';
import { createInfoService } from '../features/system/info/service.ts';
import { createStatusRoutes } from '../features/system/status/routes.ts';
import { createStatusService } from '../features/system/status/service.ts';
import { createExportGate } from '../features/transfer/export/export-gate.ts';
import { eventsRoutes } from '../features/transfer/export/routes.ts';
import { createImporter } from '../features/transfer/import/create-importer.ts';
import { startImportWorker } from '../features/transfer/import/reader/import-worker.ts';
import { removeLeftSpools } from '../features/transfer/import/reader/spool.ts';
import { importRoutes } from '../features/transfer/import/routes.ts';
import { createImportSessionRoutes } from '../features/transfer/import/sessions/routes.ts';
import { createImportSessions } from '../features/transfer/import/sessions/service.ts';
import { createClockWatch } from '../gateway/clock-watch.ts';
import { createGatewayHttp, HOP_HEADER } from '../gateway/http-call.ts';
import { createManagementClient } from '../gateway/management-client.ts';
import { createKeyRefusalGate } from '../gateway/refusal-gate.ts';
import { createAuthenticator } from '../http/auth.ts';
import { createCallerFinder } from '../http/caller.ts';
import { createErrorAnswers } from '../http/errors.ts';
import { createPanelHandler } from '../http/panel.ts';
import { createPanelPartHandler } from '../http/panel-part.ts';
import { createProxy } from '../http/proxy/proxy.ts';
import { createRouter } from '../http/router.ts';
import { startHttpServer } from '../http/server.ts';
import { memoryShares } from '../platform/memory/budget.ts';
import { startProfiling } from '../platform/profiling/listener.ts';
import { createAdminKeyFinder } from '../platform/secrets/admin-key-finder.ts';
import { holdsAdminKey } from '../platform/secrets/admin-key-in-key.ts';
import { createAdminVerifier } from '../platform/secrets/admin-verifier.ts';
import { bearer } from '../platform/secrets/bearer.ts';
import { readSetting } from '../sqlite/settings.ts';
import { createAnalyticsClient } from '../workers/analytics-client.ts';
import { openStore } from '../workers/store.ts';
import { createAccounts } from './accounts.ts';
import { createArchives } from './archives.ts';
import { createBudgets } from './budgets.ts';
import { createCallerGates } from './caller-gates.ts';
import type { RunningManager, ServeRequest } from './commands/serve.ts';
import { createNotifications } from './notifications.ts';
import { openStorage } from './open-storage.ts';
import { readCodeEditor, readManagerPages, readPanel, readPanelScript } from './panel-asset.ts';
import { createPrices } from './prices.ts';
import { createViewerLinks } from './viewer-links.ts';

/** The composition root: opens everything in order, wires it, and closes it again. */
export async function serve(request: ServeRequest): Promise<RunningManager> {
  const { config, logging, version } = request;
  const { logger } = logging;
  const now = Date.now;
  const startedAt = now();
  const instanceId = randomUUID();

  const { lock, vault, boot, db } = openStorage(request, now);
  const path = lock.canonicalPath;
  const memory = memoryShares(config.memoryMiB);
  const store = openStore({
    path,
    memory,
    hourlyRollup: config.hourlyRollupEnabled,
    now,
    log: logger,
    watched: [path, `${path}-wal`, lock.lockPath],
  });
  const { writer, reader } = store;
  const analytics = createAnalyticsClient({ databasePath: path, memory });

  const connection = createConnectionService({
    config,
    vault,
    records: boot.records,
    state: boot.state,
    othersLost: boot.othersLost,
    write: (changes) => writer.run('putSettings', changes),
    protectSecret: logging.protect,
    now,
  });
  const adminKey = createAdminKeyFinder(() => readAdminCredential(db));
  adminKey.learn(boot.generatedAdminKey ?? config.adminKey);
  const verifyAdminKey = createAdminVerifier({
    readCredential: () => readAdminCredential(db),
    randomBytes,
    protectSecret(key) {
      logging.protect(key);
      adminKey.learn(key);
    },
    warn(message) {
      if (!boot.warnings.includes(message)) logger.warn(message);
    },
  });
  const gate = await createKeyRefusalGate({
    now,
    readSetting: async (key) => readSetting(db, key)?.value ?? null,
    writeSetting: (key, value) => writer.run('putSettings', [{ key, value, updatedAtMs: now() }]),
    onWriteError: (error) => logger.error({ err: error }, 'the state of the rejected management key cannot be saved'),
    forbidden: (key) => (holdsAdminKey(key, verifyAdminKey) ? ERRORS.management_key_is_admin_key.message : null),
  });
  const clocks = createClockWatch({
    now,
    note: async (reading) => (await writer.run('noteClocks', { ...reading, startedAtMs: startedAt })).wasBehindMs,
    onSetRight: () => dataMigrations.correctReceivedTimes(),
    log: logger,
  });
  const http = createGatewayHttp({
    gate,
    now,
    instanceId,
    onDate(asked, gatewayMs) {
      // Setup also asks gateways that are not the manager's.
      if (asked.baseUrl === connection.effective().connection?.baseUrl) clocks.heard(gatewayMs);
    },
  });
  const management = createManagementClient({ http, now });
  const tlsSkipVerify = () => connection.managerRecord().collector.tlsSkipVerify;
  const gateway = { management, connection: () => connection.effective().connection, tlsSkipVerify };
  const accounts = createAccounts({
    http,
    connection: () => connection.effective().connection,
    tlsSkipVerify,
    elapsed: () => performance.now(),
    store,
    inspectionSettings: () => connection.managerRecord().codexInspection,
    startupPolicy: config.policy,
    now,
    log: logger,
  });
  const collector = createCollector({
    async ingest(batch) {
      const result = await writer.run('ingest', batch);
      if (result.inserted > 0) accounts.onEvents();
      return result;
    },
    store: createCollectorStore(writer, reader),
    gate,
    http,
    management,
    now,
    logger,
    dataDir: config.dataDir,
    queue: config.collector.queue,
  });
  const budgets = createBudgets({ store, analytics, now });
  const watched = {
    databasePath: path,
    archivesDir: config.archivesDir,
    collectorStatus: collector.status,
    budgets: budgets.spent,
    gateway,
  };
  const notifications = createNotifications({ store, vault, watched, redact: logging.redact, now, log: logger });
  const collecting = createCollectorControl({ collector, target: connection.collectorTarget });

  const setupOpen = () => connection.effective().source === '';
  const bound = connection.effective().connection;
  if (bound !== null && holdsAdminKey(bound.managementKey, verifyAdminKey))
    logger.warn(`the saved management key is wrong: ${ERRORS.management_key_is_admin_key.message}`);
  const viewerLinks = createViewerLinks({ db, store, analytics, now, log: logger });
  const authenticator = createAuthenticator({
    verifyAdminKey,
    setupOpen,
    findViewer: viewerLinks.findViewer,
    now,
    log: logger,
  });
  const info = createInfoService({
    process: { version, startedAt, demo: config.demo },
    bootstrapState: connection.bootstrapState,
    connected: () => connection.effective().connection !== null,
    hasHistory: () => hasHistoricalData(db),
  });
  const status = createStatusService({
    version,
    configured: info.configured,
    databasePath: path,
    counts: () => reader.run('storedCounts', null),
    collectorStatus: collector.status,
    dataMigration: () => reader.run('dataMigration', null),
    maintenanceWork: () => reader.run('maintenanceWork', null),
    databaseFiles: store.databaseFiles,
    gatewayAheadMs: clocks.gatewayAheadMs,
    trustedPluginPages: config.trustedPluginPages,
  });
  const setup = createSetupService({
    connection,
    check: createGatewayCheck({
      management,
      pointsToThisManager: (target) => pointsToThisManager(target, startedAt),
      probe: createGatewayProbe({ [HOP_HEADER]: instanceId }),
      gate,
      now,
    }),
    isAdminKey: (key) => holdsAdminKey(key, verifyAdminKey),
    collector: {
      async apply(options) {
        await collecting.apply(options);
        accounts.onConnection();
      },
    },
    configured: config.collector,
  });
  const aliases = createAliasService({
    list: () => reader.run('listAliases', null),
    upsert: (change) => writer.run('upsertAliases', change),
    remove: (hash) => writer.run('deleteAlias', hash),
  });
  const configurationHistory = createConfigurationHistory({
    vault,
    gateway: () => connection.effective().connection?.baseUrl ?? '',
    list: (of) => reader.run('listConfigurations', of),
    read: (of) => reader.run('readConfiguration', of),
    keep: (version) => writer.run('keepConfiguration', version),
    removeAll: () => writer.run('deleteConfigurations', null),
    maxCompressedBytes: MAX_COMPRESSED_BYTES,
    now,
  });
  const queryLimit = () => connection.managerRecord().collector.queryLimit;
  removeLeftSpools(config.importsDir);
  const importer = createImporter({
    startWorker: startImportWorker,
    insert: (batch) => writer.run('importEvents', batch, { priority: 'background', transfer: buffersOf(batch) }),
    spoolDirectory: config.importsDir,
    log: logger,
  });
  const importSessions = createImportSessions({
    directory: config.importsDir,
    chunkBytes: config.imports.chunkBytes,
    diskQuotaBytes: config.imports.diskQuotaBytes,
    maxSessions: config.imports.maxSessions,
    ttlMs: config.imports.sessionTtlMinutes * 60_000,
    importer,
    now,
    newId: randomUUIDv7,
    log: logger,
  });
  const exportGate = createExportGate();
  const archives = createArchives({
    config,
    databasePath: path,
    store,
    exportGate,
    now,
    elapsed: () => performance.now(),
    log: logger,
  });
  const maintenance = createMaintenanceService({
    reader,
    databaseFiles: store.databaseFiles,
    hourlyRollupEnabled: config.hourlyRollupEnabled,
    ...archives.state,
    now,
  });
  const proxy = createProxy({
    connection: connection.effective,
    tlsSkipVerify,
    gatewayAccounts: accounts.gatewayAccounts,
    gate,
    checkKey: http.checkKey,
    ...createCallerGates({ gate, management, connection }),
    adminKey,
    instanceId,
    collectorActive: collector.active,
    configurationChanged: collector.configurationChanged,
    now,
  });
  const router = createRouter({
    handlers: {
      info: createInfoRoutes(info),
      status: createStatusRoutes(status),
      setup: createSetupRoutes(setup, authenticator),
      panel: createPanelHandler({
        embedded: await readPanel(),
        panelPath: config.panelPath,
        log: logger,
        onOpen: () => analytics.prepare(now()),
      }),
      panelScript: createPanelPartHandler(await readPanelScript()),
      codeEditor: createPanelPartHandler(await readCodeEditor()),
      managerPages: createPanelPartHandler(await readManagerPages()),
      configurationHistory: configurationHistoryRoutes(configurationHistory),
      notifications: notifications.routes,
      ...viewerLinks.handlers,
      budgets: budgets.routes,
      aliases: createAliasRoutes(aliases),
      prices: createPrices({ store, analytics, queryLimit, ...gateway }),
      inspection: accounts.inspection,
      quotaSnapshots: accounts.quotaSnapshots,
      quotaCooldowns: accounts.quotaCooldowns,
      accountActions: accounts.accountActions,
      processingPolicy: accounts.processingPolicy,
      dashboard: dashboardRoutes({ analytics, now }),
      monitoring: monitoringRoutes({ analytics })
        .route('/', requestExportRoutes({ pages: analytics, exports: exportGate, log: logger }))
        .route('/', accountRoutes({ analytics, now })),
      imports: importRoutes({ importer, log: logger }),
      importSessions: createImportSessionRoutes(importSessions),
      archives: archives.routes,
      maintenance: createMaintenanceRoutes(maintenance, archives.retention),
      usage: eventsRoutes({
        reads: reader,
        queryLimit,
        exports: exportGate,
        log: logger,
      }),
      management: proxy.management,
      models: proxy.models,
      pluginResources: proxy.pluginResources,
    },
    authenticator,
    errors: createErrorAnswers({ log: logger, newId: randomUUID }),
    corsOrigins: config.corsOrigins,
    setupOpen,
    trustedPluginPages: config.trustedPluginPages,
    instanceId,
  });

  const profiling =
    config.profilingAddress === null
      ? null
      : startProfiling({
          address: config.profilingAddress,
          version,
          log: logger,
          isAdmin: (authorization) => verifyAdminKey(bearer(authorization)),
          redact: logging.redact,
        });
  const server = startHttpServer({
    address: config.httpAddress,
    router,
    log: logger,
    findCaller: createCallerFinder(config.trustedProxies),
  });
  logger.info(`listening on ${displayUrl(server.address)}`);
  const dataMigrations = createDataMigrations({
    step: (name) => writer.run('stepDataMigration', name, { priority: 'background' }),
    sealOldest: store.sealOldest,
    onAccountingCompleted: () => void store.catchUpHourlyRollup(),
    log: logger,
  });
  // The listener answers before slow work starts.
  importSessions.start();
  archives.start();
  accounts.start();
  notifications.start();
  void collecting.apply().catch((error: unknown) => logger.error({ err: error }, 'the collector cannot start'));
  dataMigrations.start();

  return {
    ended: new Promise(() => {}),
    async stop() {
      const closed = server.stop();
      await Promise.all([
        collector.stop(),
        importSessions.stop(),
        archives.stop(),
        accounts.stop(),
        notifications.stop(),
      ]);
      await dataMigrations.stop();
      await closed;
      await profiling?.stop();
      await analytics.close();
      db.close();
      // Last, because the connection that closes last checkpoints the WAL, which only a writer can do.
      await store.close();
      lock.release();
    },
  };
}

/** The URL for a browser on this machine: a listener on all addresses is reached by the loopback one. */
function displayUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = everywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}
