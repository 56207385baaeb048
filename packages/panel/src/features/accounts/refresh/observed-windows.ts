import { isSuccess } from '@manager/core/accounts/api-call';
import type { SnapshotWindowRequest } from '@manager/core/contract/quotas/snapshots';

/** A provider's answer about the quota of one account. */
export interface ObservedQuota {
  readonly windows: readonly SnapshotWindowRequest[];
  /** The list is complete: other windows are gone. */
  readonly complete: boolean;
}

/** The provider gave no quota: why, in its own words. */
export class QuotaError extends Error {
  /** Status of the provider, 0 = not reached. */
  readonly status: number;
  /** The answer was a success, but without any quota, or could not be read. */
  readonly unreadable: boolean;
  readonly signInRejected: boolean;
  constructor(message: string, status: number, signInRejected = status === 401) {
    super(message);
    this.name = 'QuotaError';
    this.status = status;
    this.signInRejected = signInRejected;
    this.unreadable = isSuccess(status);
  }
}

/** Members of a window with a stated end; without a length its cycle is unknown. */
export function fixedBoundary(
  endMs: number | null,
  durationSeconds: number | null,
  accuracy: 'exact' | 'derived' = 'exact',
): Pick<SnapshotWindowRequest, 'window_mode' | 'boundary_accuracy' | 'cycle_end_ms' | 'duration_seconds'> {
  const length =
    durationSeconds !== null && durationSeconds > 0 ? { duration_seconds: Math.round(durationSeconds) } : {};
  if (endMs === null) return { window_mode: 'unknown', boundary_accuracy: 'unknown', ...length };
  if (!('duration_seconds' in length))
    return { window_mode: 'unknown', boundary_accuracy: 'unknown', cycle_end_ms: endMs };
  return { window_mode: 'fixed', boundary_accuracy: accuracy, cycle_end_ms: endMs, ...length };
}

/** Members about use; values out of range are clamped. */
export function usedPercent(percent: number | null): Pick<SnapshotWindowRequest, 'used_percent'> {
  return percent === null ? {} : { used_percent: Math.min(100, Math.max(0, percent)) };
}

/** RFC 3339, null = none. */
export function instantOf(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || ms <= 0 ? null : ms;
}

/** @example windowSeconds('5h') // 18000 */
export function windowSeconds(text: string): number | null {
  const match = /^(\d+)\s*([mhdw])$/i.exec(text.trim());
  const unit = { m: 60, h: 3_600, d: 86_400, w: 604_800 }[match?.[2]?.toLowerCase() ?? ''];
  return match === null || unit === undefined ? null : Number(match[1]) * unit;
}

/** Lower case letters and digits with dashes between them. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
