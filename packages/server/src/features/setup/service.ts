import { MAX_BATCH_SIZE, STORED_KEY_MASK } from '@manager/core/contract/constants';
import { AppError } from '@manager/core/contract/errors';
import { inspectionToWire, mergeInspectionConfig } from '@manager/core/contract/inspection/config';
import type { ConfigPutRequest, ConfigResponse } from '@manager/core/contract/settings/config';
import type { SetupCheckResponse, SetupRequest, SetupResponse } from '@manager/core/contract/setup';
import { requireBaseUrl } from '../../platform/config/base-url.ts';
import type { CollectorMode, CollectorSettings, GatewayConnection } from '../../platform/config/config.ts';
import { requireGatewayKey } from '../../platform/config/management-key.ts';
import type { CollectorControl } from './collector-control.ts';
import type { ConnectionService, ManagerRecord } from './connection-service.ts';
import type { GatewayCheck } from './gateway-check.ts';

export interface SetupServiceDeps {
  readonly connection: ConnectionService;
  readonly check: GatewayCheck;
  readonly isAdminKey: (key: string) => boolean | Promise<boolean>;
  readonly collector: CollectorControl;
  /** Collector settings of the environment and `config.json`; saved ones override them. */
  readonly configured: CollectorSettings;
}

export interface SetupService {
  /** Connects the manager to a gateway; may be repeated. The caller is authorized. */
  setup(request: SetupRequest): Promise<SetupResponse>;
  /**
   * Checks as much of a setup as the request has; changes nothing. The caller is authorized.
   *
   * @param signal aborted when nobody waits any more: a check of a key whose turn comes later is left out
   */
  checkSetup(request: SetupRequest, signal: AbortSignal): Promise<SetupCheckResponse>;
  readConfig(): Promise<ConfigResponse>;
  saveConfig(request: ConfigPutRequest): Promise<ConfigResponse>;
}

type SavedCollector = ManagerRecord['collector'];

const MODES: readonly CollectorMode[] = ['auto', 'subscribe', 'http', 'resp'];

export function createSetupService(deps: SetupServiceDeps): SetupService {
  const { connection: connections, check, isAdminKey, collector, configured } = deps;

  /** A key from the environment is not copied into the database. */
  function storable(connection: GatewayConnection): GatewayConnection | null {
    return connections.environmentManaged() ? null : connection;
  }

  function storedKey(): string {
    return connections.effective().connection?.managementKey ?? '';
  }

  /**
   * @returns the stored key for the text that stands for it, '' for a blank one
   * @throws AppError for the admin key, which no gateway may see
   */
  async function requestedKey(text: string): Promise<string> {
    const key = requireGatewayKey(text);
    if (key === STORED_KEY_MASK) return storedKey();
    if (key !== '' && (await isAdminKey(key))) throw new AppError('management_key_is_admin_key');
    return key;
  }

  /** Members that are '' are missing. */
  async function partsOf(request: SetupRequest): Promise<GatewayConnection> {
    const baseUrl = requireBaseUrl(firstText(request.cpaBaseUrl, request.upstreamUrl, request.upstreamBaseUrl));
    const managementKey = await requestedKey(
      firstText(request.cpaManagementKey, request.managementKey, request.upstreamManagementKey),
    );
    return { baseUrl, managementKey };
  }

  async function requestedConnection(request: SetupRequest): Promise<GatewayConnection> {
    const { baseUrl, managementKey } = await partsOf(request);
    if (baseUrl === '' || managementKey === '') throw new AppError('cpa_connection_required');
    return { baseUrl, managementKey };
  }

  async function bind(request: SetupRequest): Promise<SetupResponse> {
    const connection = await requestedConnection(request);
    const monitoring = request.requestMonitoringEnabled ?? true;
    const settings = setupCollector(request, configured, monitoring);
    refuseForeignBinding(connections, connection, settings, configured);

    await check.check(connection, {
      monitoring,
      ensureUsageStatistics: request.ensureUsageStatisticsEnabled ?? monitoring,
      pollIntervalMs: settings.pollIntervalMs,
      tlsSkipVerify: settings.tlsSkipVerify,
    });
    await connections.save({ connection: storable(connection), collector: settings });
    await collector.apply({ restart: true });
    return { ok: true, upstream: connection.baseUrl };
  }

  async function checkParts(request: SetupRequest): Promise<SetupCheckResponse> {
    const connection = await partsOf(request);
    const tlsSkipVerify = request.tlsSkipVerify ?? false;
    const answer = { ok: true, upstream: connection.baseUrl } as const;
    if (connection.managementKey === '') {
      if (connection.baseUrl !== '') await check.address({ baseUrl: connection.baseUrl, tlsSkipVerify });
      return answer;
    }
    if (connection.baseUrl === '') throw new AppError('cpa_connection_required');
    refuseForeignBinding(connections, connection, setupCollector(request, configured, true), configured);
    return { ...answer, cpaUsage: await check.key(connection, { tlsSkipVerify }) };
  }

  async function save({ config }: ConfigPutRequest): Promise<ConfigResponse> {
    const record = connections.managerRecord();
    const codexInspection =
      config.codexInspection == null
        ? record.codexInspection
        : mergeInspectionConfig(record.codexInspection, config.codexInspection);
    const settings = config.collector == null ? record.collector : mergeCollector(record.collector, config.collector);
    const baseUrl = requireBaseUrl(config.cpaConnection?.cpaBaseUrl ?? '') || record.baseUrl;
    const managementKey = (await requestedKey(config.cpaConnection?.managementKey ?? '')) || storedKey();
    const connection = { baseUrl, managementKey };
    if (connections.environmentManaged()) refuseEnvironmentChange(connections, connection, record.collector, settings);

    if ((baseUrl === '') !== (managementKey === '')) throw new AppError('cpa_connection_required');
    if (baseUrl === '') {
      if (settings.enabled) throw new AppError('cpa_connection_required_for_monitoring');
      await connections.save({ connection: null, collector: settings, codexInspection });
    } else {
      await check.check(connection, {
        monitoring: settings.enabled,
        ensureUsageStatistics: true,
        pollIntervalMs: settings.pollIntervalMs,
        tlsSkipVerify: settings.tlsSkipVerify,
      });
      await connections.save({ connection: storable(connection), collector: settings, codexInspection });
    }
    await collector.apply();
    return toResponse(connections);
  }

  return {
    setup: (request) => connections.serialise(() => bind(request)),
    async checkSetup(request, signal) {
      if ((await partsOf(request)).managementKey === '') return checkParts(request);
      // One after the other: a key that was just rejected is not sent again.
      return connections.serialise(async () => {
        signal.throwIfAborted();
        return checkParts(request);
      });
    },
    saveConfig: (request) => connections.serialise(() => save(request)),
    async readConfig() {
      const { connection } = connections.effective();
      const cpaUsage =
        connection === null ? null : await check.usage(connection, connections.managerRecord().collector);
      return { ...toResponse(connections), ...(cpaUsage === null ? {} : { cpaUsage }) };
    },
  };
}

/**
 * The settings that a setup saves: absent ones come from the configuration, except that an absent mode means `auto`.
 */
function setupCollector(request: SetupRequest, configured: CollectorSettings, enabled: boolean): SavedCollector {
  return {
    enabled,
    collectorMode: modeOf(request.collectorMode) ?? 'auto',
    queue: firstText(request.queue) || configured.queue,
    popSide: popSideOf(request.popSide) ?? configured.popSide,
    batchSize: positive(request.batchSize, MAX_BATCH_SIZE) ?? configured.batchSize,
    pollIntervalMs: positive(request.pollIntervalMs) ?? configured.pollIntervalMs,
    queryLimit: positive(request.queryLimit) ?? configured.queryLimit,
    tlsSkipVerify: request.tlsSkipVerify ?? false,
  };
}

/**
 * Comes before any request, so that a refused setup contacts nobody. A known key proves that a moved gateway is meant.
 */
function refuseForeignBinding(
  connections: ConnectionService,
  wanted: GatewayConnection,
  settings: SavedCollector,
  configured: CollectorSettings,
): void {
  const bound = connections.effective().connection;
  if (bound === null) return;
  const sameKey = connections.isBoundKey(wanted.managementKey);
  const sameUrl = bound.baseUrl === wanted.baseUrl;
  if (connections.environmentManaged()) {
    const sameQueue = settings.queue === configured.queue && settings.popSide === configured.popSide;
    if (!sameKey || !sameUrl || !sameQueue) throw new AppError('setup_env_managed');
  } else if (!sameKey && !sameUrl) {
    throw new AppError('invalid_existing_management_key');
  }
}

function mergeCollector(
  saved: SavedCollector,
  submitted: NonNullable<ConfigPutRequest['config']['collector']>,
): SavedCollector {
  return {
    enabled: submitted.enabled ?? saved.enabled,
    collectorMode: modeOf(submitted.collectorMode) ?? saved.collectorMode,
    queue: firstText(submitted.queue) || saved.queue,
    popSide: popSideOf(submitted.popSide) ?? saved.popSide,
    batchSize: positive(submitted.batchSize, MAX_BATCH_SIZE) ?? saved.batchSize,
    pollIntervalMs: positive(submitted.pollIntervalMs) ?? saved.pollIntervalMs,
    queryLimit: positive(submitted.queryLimit) ?? saved.queryLimit,
    tlsSkipVerify: submitted.tlsSkipVerify ?? false,
  };
}

function refuseEnvironmentChange(
  connections: ConnectionService,
  wanted: GatewayConnection,
  saved: SavedCollector,
  settings: SavedCollector,
): void {
  const same =
    connections.effective().baseUrl === wanted.baseUrl &&
    connections.isBoundKey(wanted.managementKey) &&
    saved.enabled === settings.enabled &&
    saved.collectorMode === settings.collectorMode &&
    saved.queue === settings.queue &&
    saved.popSide === settings.popSide &&
    saved.batchSize === settings.batchSize &&
    saved.pollIntervalMs === settings.pollIntervalMs &&
    saved.tlsSkipVerify === settings.tlsSkipVerify;
  if (!same) throw new AppError('connection_env_managed');
}

function toResponse(connections: ConnectionService): ConfigResponse {
  const record = connections.managerRecord();
  const { tlsSkipVerify, ...settings } = record.collector;
  return {
    config: {
      cpaConnection: {
        cpaBaseUrl: record.baseUrl,
        managementKeyConfigured: record.managementKeyConfigured,
        ...(record.managementKeyConfigured ? { managementKey: STORED_KEY_MASK } : {}),
      },
      collector: { ...settings, ...(tlsSkipVerify ? { tlsSkipVerify } : {}) },
      codexInspection: inspectionToWire(record.codexInspection),
      externalUsageService: { enabled: false },
      ...(record.updatedAtMs > 0 ? { updatedAtMs: record.updatedAtMs } : {}),
    },
    source: connections.effective().source,
  };
}

function firstText(...candidates: readonly (string | null | undefined)[]): string {
  return candidates.map((text) => (text ?? '').trim()).find((text) => text !== '') ?? '';
}

function modeOf(text: string | null | undefined): CollectorMode | null {
  const mode = (text ?? '').trim().toLowerCase();
  return mode === '' ? null : (MODES.find((known) => known === mode) ?? 'auto');
}

function popSideOf(text: string | null | undefined): CollectorSettings['popSide'] | null {
  const side = (text ?? '').trim().toLowerCase();
  return side === '' ? null : side === 'left' ? 'left' : 'right';
}

function positive(value: number | null | undefined, most = Number.MAX_SAFE_INTEGER): number | null {
  return value != null && value > 0 ? Math.min(value, most) : null;
}
