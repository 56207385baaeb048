import type { NotificationEvent, TargetKind } from '@manager/core/contract/notifications/kinds';
import type { TargetRequest } from '@manager/core/contract/notifications/targets';

/** Of a target, everything that is not secret. */
export type TargetConfig = Pick<
  TargetRequest,
  'name' | 'language' | 'events' | 'sendRecovered' | 'showAccounts' | 'timeZone' | 'quietHours' | 'options'
>;

export interface StoredTarget {
  readonly id: string;
  readonly kind: TargetKind;
  readonly enabled: boolean;
  readonly config: TargetConfig;
  /** Encrypted JSON of `Secrets`; '' = none. */
  readonly secrets: string;
  /** Events that were observed for it. */
  readonly observed: readonly NotificationEvent[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface TargetRow {
  readonly id: string;
  readonly kind: string;
  readonly enabled: number;
  readonly config: string;
  readonly secrets: string;
  readonly observed: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export const TARGET_COLUMNS = 'id, kind, enabled, config, secrets, observed, created_at_ms, updated_at_ms';

export function toTarget(row: TargetRow): StoredTarget {
  return {
    id: row.id,
    // The service writes these, after it has checked them.
    kind: row.kind as TargetKind,
    enabled: row.enabled !== 0,
    config: JSON.parse(row.config) as TargetConfig,
    secrets: row.secrets,
    observed: JSON.parse(row.observed) as NotificationEvent[],
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
