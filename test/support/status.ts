import type { ManagerProcess } from './manager-process.ts';

/** The parts of `/status` that the tests read. */
export interface Status {
  readonly events: number;
  readonly deadLetters: number;
  readonly implausibleTimestamps: number;
  readonly gatewayClockAheadMs?: number;
  readonly collector: {
    readonly collector: 'stopped' | 'starting' | 'running' | 'error';
    readonly transport: string;
    readonly lastError: string;
    readonly totalInserted: number;
    readonly totalSkipped: number;
    readonly totalRepaired: number;
    readonly deadLetters: number;
    readonly spooledRecords: number;
    readonly keyRefused?: {
      readonly reason: string;
      readonly tries: number;
      readonly lastAtMs: number;
      readonly nextTryAtMs: number;
    };
    readonly starved: boolean;
    readonly starvedReason?: string;
    readonly gaps: {
      readonly count: number;
      readonly open: readonly string[];
      readonly last?: { readonly kind: string; readonly estimatedLost: number | null };
    };
  };
  readonly database: {
    readonly databaseBytes: number;
    readonly walBytes: number;
    readonly shmBytes: number;
    readonly checkpoint: {
      readonly logFrames: number;
      readonly checkpointedFrames: number;
      readonly executedAtMs: number;
      readonly error?: string;
    };
    readonly sealing?: {
      readonly error: string;
      readonly sinceMs: number;
      readonly tries: number;
      readonly nextTryAtMs: number;
    };
  };
}

export function readStatus(manager: ManagerProcess): Promise<Status> {
  return manager.json<Status>('/status');
}

export interface ExportedEvent {
  readonly event_hash: string;
  readonly request_id: string;
  readonly timestamp_ms: number;
}

/** Every line of the export. */
export async function readExport(manager: ManagerProcess): Promise<ExportedEvent[]> {
  const text = await (await manager.fetch('/v0/management/usage/export')).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedEvent);
}
