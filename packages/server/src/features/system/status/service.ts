import { AppError } from '@manager/core/contract/errors';
import { SERVICE_NAME } from '@manager/core/contract/system/info';
import type {
  CollectorStatusResponse,
  DatabaseFiles,
  DatabaseMaintenance,
  DataMigration,
  MaintenanceStatusResponse,
  StatusResponse,
} from '@manager/core/contract/system/status';
import type { CollectorStatus } from '../../../gateway/collector.ts';

export interface StoredCounts {
  readonly events: number;
  readonly deadLetters: number;
  /** Events with a time outside `[2000-01-01, arrival + 1 day]`. */
  readonly implausibleTimestamps: number;
}

/** Maintenance work that needs a stopped server, known from schema metadata alone. */
export interface MaintenanceWork {
  readonly deferredIndexes: number;
  readonly offlineJobs: number;
}

export interface StatusServiceDeps {
  readonly version: string;
  readonly configured: () => boolean;
  /** Canonical path. */
  readonly databasePath: string;
  readonly counts: () => Promise<StoredCounts>;
  readonly collectorStatus: () => CollectorStatus;
  readonly dataMigration: () => DataMigration | Promise<DataMigration>;
  readonly maintenanceWork: () => MaintenanceWork | Promise<MaintenanceWork>;
  /** null when the files cannot be read. */
  readonly databaseFiles: () => DatabaseFiles | null | Promise<DatabaseFiles | null>;
  /** null when no difference is known. */
  readonly gatewayAheadMs: () => number | null;
  readonly trustedPluginPages: boolean;
}

export interface StatusService {
  status(): Promise<StatusResponse>;
  /** Counts nothing: panels poll it once a minute. */
  maintenanceStatus(): Promise<MaintenanceStatusResponse>;
}

export function createStatusService(deps: StatusServiceDeps): StatusService {
  async function maintenance(): Promise<DatabaseMaintenance> {
    try {
      return toMaintenance(await deps.maintenanceWork());
    } catch (cause) {
      throw new AppError('maintenance_state_unreadable', { cause });
    }
  }

  return {
    maintenanceStatus: async () => ({ databaseMaintenance: await maintenance() }),
    async status() {
      const [counts, dataMigration, databaseMaintenance, database] = await Promise.all([
        deps.counts(),
        deps.dataMigration(),
        maintenance(),
        deps.databaseFiles(),
      ]);
      const gatewayClockAheadMs = deps.gatewayAheadMs();
      const collector = toCollector(deps.collectorStatus(), counts.deadLetters);
      return {
        service: SERVICE_NAME,
        version: deps.version,
        configured: deps.configured(),
        dbPath: deps.databasePath,
        events: counts.events,
        eventCount: counts.events,
        deadLetters: counts.deadLetters,
        implausibleTimestamps: counts.implausibleTimestamps,
        lastConsumedAt: collector.lastConsumedAt || null,
        lastInsertedAt: collector.lastInsertedAt || null,
        collector,
        dataMigration,
        databaseMaintenance,
        ...(database === null ? {} : { database }),
        ...(gatewayClockAheadMs === null ? {} : { gatewayClockAheadMs }),
        ...(deps.trustedPluginPages ? { trustedPluginPages: true as const } : {}),
      };
    },
  };
}

/** The collector counts since process start; the operator needs the total of dead letters. */
function toCollector(
  { failedStage: _failedStage, ...status }: CollectorStatus,
  deadLetters: number,
): CollectorStatusResponse {
  return { ...status, gaps: { ...status.gaps, open: [...status.gaps.open] }, deadLetters };
}

function toMaintenance({ deferredIndexes, offlineJobs }: MaintenanceWork): DatabaseMaintenance {
  const required = deferredIndexes > 0 || offlineJobs > 0;
  return {
    required,
    performanceDegraded: required,
    deferredIndexes,
    offlineJobs,
    reasons: [
      ...(deferredIndexes > 0 ? (['deferred_indexes'] as const) : []),
      ...(offlineJobs > 0 ? (['offline_derived_cleanup'] as const) : []),
    ],
    ...(required ? { command: 'cleanup-derived' as const } : {}),
  };
}
