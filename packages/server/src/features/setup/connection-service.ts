import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import type { CollectorTarget } from '../../gateway/collector.ts';
import type { EffectiveConnection } from '../../gateway/types.ts';
import type { CollectorSettings, ManagerConfig } from '../../platform/config/config.ts';
import { secretsEqual } from '../../platform/secrets/compare.ts';
import type { SecretVault } from '../../platform/secrets/vault.ts';
import type { SettingChange } from '../../sqlite/settings.ts';
import type { BootstrapState } from './bootstrap-state.ts';
import {
  type ConnectionRecords,
  changeRecords,
  type RecordsChange,
  recordChanges,
  usableConnection,
} from './connection-records.ts';
import { BOOTSTRAP_ROW } from './connection-store.ts';

/** The settings in effect: defaults and `config.json` ← stored rows ← environment. Contains no secret. */
export interface ManagerRecord {
  readonly baseUrl: string;
  readonly managementKeyConfigured: boolean;
  readonly collector: CollectorSettings & { readonly enabled: boolean };
  readonly codexInspection: InspectionConfig;
  /** 0 = never saved. */
  readonly updatedAtMs: number;
}

/** The connection and the manager's settings at run time. Every read is from memory. */
export interface ConnectionService {
  effective(): EffectiveConnection;
  /** URL and key come from the environment, so they cannot be changed here. */
  environmentManaged(): boolean;
  managerRecord(): ManagerRecord;
  /** Target of the collector; null = stay stopped. */
  collectorTarget(): CollectorTarget | null;
  bootstrapState(): BootstrapState;
  /** Constant-time comparison with the management key in effect. False when there is none. */
  isBoundKey(key: string): boolean;
  /** Runs read-check-save sequences one after the other, so that concurrent saves lose nothing. */
  serialise<T>(work: () => Promise<T>): Promise<T>;
  /** Writes both rows and the bootstrap state in one transaction, then applies the new values. */
  save(change: RecordsChange): Promise<ManagerRecord>;
}

export interface ConnectionServiceOptions {
  readonly config: Pick<ManagerConfig, 'collector' | 'environmentConnection'>;
  readonly vault: SecretVault;
  /** From bootstrap. */
  readonly records: ConnectionRecords;
  readonly state: BootstrapState;
  /** From bootstrap. */
  readonly othersLost: boolean;
  /** Applies all changes in one transaction or none. */
  readonly write: (changes: readonly SettingChange[]) => Promise<unknown>;
  readonly now: () => number;
  /** Called with every management key before its use, so that logs can redact it. */
  readonly protectSecret?: (secret: string) => void;
}

export function createConnectionService(options: ConnectionServiceOptions): ConnectionService {
  const { config, vault, now } = options;
  const fromEnvironment = config.environmentConnection;
  let { records, state } = options;
  let stored = usableConnection(records);
  let queue: Promise<unknown> = Promise.resolve();
  options.protectSecret?.(stored.connection?.managementKey ?? '');

  function effective(): EffectiveConnection {
    if (fromEnvironment !== null) {
      return { source: 'env', connection: fromEnvironment, baseUrl: fromEnvironment.baseUrl };
    }
    return { source: stored.known ? 'db' : '', connection: stored.connection, baseUrl: stored.baseUrl };
  }

  function managerRecord(): ManagerRecord {
    const { baseUrl, connection } = effective();
    const saved = records.manager.collector;
    const collector =
      fromEnvironment === null
        ? { ...config.collector, ...saved, enabled: saved.enabled ?? true }
        : { ...config.collector, enabled: true };
    return {
      baseUrl,
      managementKeyConfigured: connection !== null,
      collector,
      codexInspection: records.manager.codexInspection,
      updatedAtMs: records.manager.updatedAtMs,
    };
  }

  return {
    effective,
    environmentManaged: () => fromEnvironment !== null,
    managerRecord,
    collectorTarget() {
      const { connection } = effective();
      const { enabled, ...settings } = managerRecord().collector;
      return connection === null || !enabled ? null : { connection, settings };
    },
    bootstrapState: () => state,
    isBoundKey(key) {
      const bound = effective().connection?.managementKey ?? '';
      return bound !== '' && secretsEqual(bound, key.trim());
    },
    serialise(work) {
      const result = queue.then(work);
      queue = result.catch(() => undefined);
      return result;
    },
    async save(change) {
      const nowMs = now();
      options.protectSecret?.(change.connection?.managementKey ?? '');
      const next = changeRecords(records, change, nowMs);
      const nextStored = usableConnection(next);
      const nextState: BootstrapState =
        nextStored.connection === null ? state : { ...connectedState(state, nowMs), dataKeyReady: !options.othersLost };
      await options.write([
        ...recordChanges(next, vault, nowMs),
        { key: BOOTSTRAP_ROW, value: JSON.stringify(nextState), updatedAtMs: nowMs },
      ]);
      records = next;
      stored = nextStored;
      state = nextState;
      return managerRecord();
    },
  };
}

function connectedState(state: BootstrapState, nowMs: number): BootstrapState {
  return { ...state, status: 'ready', projectInitialized: true, updatedAtMs: nowMs };
}
