import type { HeaderSnapshotsResponse } from '@manager/core/contract/accounts/header-snapshots';
import type { AliasesResponse } from '@manager/core/contract/client-keys';
import { DASHBOARD_PATH, HEADER_SNAPSHOTS_PATH } from '@manager/core/contract/constants';
import type { DashboardResponse } from '@manager/core/contract/dashboard';
import type { AnalyticsRequest, AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { ModelPriceSyncResponse, ModelPricesResponse, UsageSummaryResponse } from '@manager/core/contract/prices';
import type { ConfigPutRequest, ConfigResponse } from '@manager/core/contract/settings/config';
import type { SetupCheckResponse, SetupRequest, SetupResponse } from '@manager/core/contract/setup';
import type { HealthResponse, InfoResponse } from '@manager/core/contract/system/info';
import type { StatusResponse } from '@manager/core/contract/system/status';
import type { PriceMap } from '@manager/core/pricing/price';
import { isRecord } from '../browser/storage.ts';
import { listClientKeys } from '../queries/client-keys.ts';
import type { Mode } from '../session/identity.ts';
import { listAt } from './answer-list.ts';
import type { Answer, CallOptions, Client } from './client.ts';
import { ApiError } from './errors.ts';

/** Service ids of a manager. */
const SERVICES: ReadonlySet<unknown> = new Set(['cpa-manager-plus', 'cpa-manager', 'cpa-usage-service']);

/** Who serves this page: the manager, or the gateway itself. */
export type Host = (
  | { readonly kind: Extract<Mode, 'manager'>; readonly info: InfoResponse }
  | { readonly kind: Extract<Mode, 'gateway'> }
) & {
  /** Nobody answers at the moment: this is the last known result. */
  readonly earlier?: boolean;
};

export interface GatewayAnswer {
  readonly version: string;
  readonly commit: string;
  readonly buildDate: string;
  /** Whether it publishes usage; null = unknown. */
  readonly usageStatistics: boolean | null;
  /** Settings of its behavior, by their names in its configuration; missing ones are left out. */
  readonly settings: readonly GatewaySetting[];
}

interface GatewaySetting {
  readonly name: string;
  readonly value: boolean | number | string;
}

/** None of them is or contains a secret. */
const SETTINGS = [
  'usage-statistics-enabled',
  'routing.strategy',
  'request-retry',
  'disable-cooling',
  'force-model-prefix',
  'ws-auth',
  'logging-to-file',
  'request-log',
  'debug',
] as const;

export interface OfferedModel {
  readonly id: string;
  /** '' = unknown. */
  readonly owner: string;
}

/** Every request of the panel, one function each. */
export function managerCalls(client: Client) {
  /** Client keys of the gateway, in clear text. */
  const clientKeys = async (signal?: AbortSignal): Promise<readonly string[]> =>
    (await listClientKeys(client, signal)).map(({ key }) => key);
  /** Models the gateway offers to a client key; null = to everybody. */
  const offeredModels = async (key: string | null, signal?: AbortSignal): Promise<readonly OfferedModel[]> =>
    modelsIn(await listAt(client, 'v1/models', 'data', { signal, key, keepSessionOn401: true }));
  return {
    host: async (signal?: AbortSignal): Promise<Host> => {
      try {
        const info = await client.call<unknown>('usage-service/info', {
          key: null,
          base: client.page,
          timeoutMs: 4_000,
          signal,
        });
        return isInfo(info) ? { kind: 'manager', info } : { kind: 'gateway' };
      } catch (error) {
        // Another server answers here; a network error does not show which one.
        const gateway =
          error instanceof ApiError &&
          (error.kind === 'shape' || (error.kind === 'status' && error.status >= 400 && error.status < 500));
        if (gateway) return { kind: 'gateway' };
        throw error;
      }
    },
    health: (signal?: AbortSignal) => client.call<HealthResponse>('health', { key: null, timeoutMs: 10_000, signal }),
    status: (signal?: AbortSignal) => client.call<StatusResponse>('status', { signal }),
    config: (options?: CallOptions) => client.call<ConfigResponse>('usage-service/config', options),
    saveConfig: (body: ConfigPutRequest) =>
      client.call<ConfigResponse>('usage-service/config', { method: 'PUT', body, timeoutMs: 120_000 }),
    setup: (body: SetupRequest, adminKey: string) =>
      client.call<SetupResponse>('setup', {
        method: 'POST',
        body,
        key: adminKey,
        keepSessionOn401: true,
        timeoutMs: 120_000,
      }),
    /** Checks as much of a setup as the request has, and changes nothing. */
    checkSetup: (body: SetupRequest, adminKey: string) =>
      client.call<SetupCheckResponse>('setup/check', {
        method: 'POST',
        body,
        key: adminKey,
        keepSessionOn401: true,
        timeoutMs: 60_000,
      }),
    aliases: (signal?: AbortSignal) => client.call<AliasesResponse>('v0/management/api-key-aliases', { signal }),
    analytics: (body: AnalyticsRequest, signal?: AbortSignal) =>
      client.call<AnalyticsResponse>('v0/management/monitoring/analytics', { method: 'POST', body, signal }),
    /** @param todayStartMs midnight in the panel's time zone */
    dashboard: (todayStartMs: number, nowMs: number, signal?: AbortSignal) =>
      client.call<DashboardResponse>(
        `${DASHBOARD_PATH.slice(1)}?today_start_ms=${todayStartMs}&now_ms=${nowMs}&top_models=5&recent_failures=5`,
        { signal },
      ),
    prices: (signal?: AbortSignal) => client.call<ModelPricesResponse>('v0/management/model-prices', { signal }),
    /** Replaces every price. */
    savePrices: (prices: PriceMap) =>
      client.call<ModelPricesResponse>('v0/management/model-prices', {
        method: 'PUT',
        body: { prices },
        timeoutMs: 60_000,
      }),
    priceUsage: (signal?: AbortSignal) =>
      client.call<UsageSummaryResponse>('v0/management/model-prices/usage-summary', { signal }),
    /** Reads the public catalogs and stores matching prices. */
    syncPrices: (models: readonly string[]) =>
      client.call<ModelPriceSyncResponse>('v0/management/model-prices/sync', {
        method: 'POST',
        body: { models },
        timeoutMs: 45_000,
      }),
    clientKeys,
    /** The newest response headers of each account. */
    headerSnapshots: (signal?: AbortSignal) =>
      client.call<HeaderSnapshotsResponse>(`${HEADER_SNAPSHOTS_PATH.slice(1)}?days=30&limit=1000`, { signal }),
    /** The gateway's log of one request; by default it keeps only those of failures. */
    requestLog: async (requestId: string, signal?: AbortSignal): Promise<string> => {
      const path = `v0/management/request-log-by-id/${encodeURIComponent(requestId)}`;
      return (await client.open(path, { signal, headers: { Accept: 'text/plain, */*' } })).text();
    },
    /** Model names for clients; the gateway reveals them only to a client key, and offers its own key for that. */
    gatewayModels: async (signal?: AbortSignal): Promise<readonly string[]> => {
      const [key] = await clientKeys(signal);
      if (key === undefined) return [];
      return (await offeredModels(key, signal)).map(({ id }) => id);
    },
    offeredModels,
    /** Requests the gateway, usually through the manager, which shows that the saved connection works. */
    upstream: async (options?: CallOptions): Promise<GatewayAnswer> => {
      const answer = await client.callWithHeaders<unknown>('v0/management/config', options);
      return gatewayAnswer(answer);
    },
    enableUsageStatistics: () =>
      client.call<unknown>('v0/management/usage-statistics-enabled', { method: 'PUT', body: { value: true } }),
  };
}

export type ManagerCalls = ReturnType<typeof managerCalls>;

/** The body holds every key of the gateway, so nothing but this is kept. */
function gatewayAnswer({ data, headers }: Answer<unknown>): GatewayAnswer {
  const header = (name: string): string => headers.get(`x-cpa-${name}`) ?? headers.get(`x-server-${name}`) ?? '';
  const statistics = isRecord(data) ? data['usage-statistics-enabled'] : null;
  return {
    version: header('version'),
    commit: header('commit'),
    buildDate: header('build-date'),
    usageStatistics: typeof statistics === 'boolean' ? statistics : null,
    settings: SETTINGS.flatMap((name) => {
      const value = name.split('.').reduce<unknown>((inner, part) => (isRecord(inner) ? inner[part] : undefined), data);
      return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
        ? [{ name, value }]
        : [];
    }),
  };
}

function modelsIn(list: readonly unknown[]): readonly OfferedModel[] {
  return list.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || !('id' in entry) || typeof entry.id !== 'string') return [];
    const owner = 'owned_by' in entry && typeof entry.owned_by === 'string' ? entry.owned_by : '';
    return [{ id: entry.id, owner }];
  });
}

export function isInfo(value: unknown): value is InfoResponse {
  if (typeof value !== 'object' || value === null) return false;
  if ('service' in value && SERVICES.has(value.service)) return true;
  return ('configured' in value || 'projectInitialized' in value) && 'adminReady' in value;
}
