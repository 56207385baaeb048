import type { ArchiveRetention, ArchiveRetentionPatch } from '@manager/core/contract/archives/retention';
import type { Maintenance } from './wire.ts';

export interface RetentionForm {
  readonly enabled: boolean;
  /** NaN while the field holds no number. */
  readonly days: number;
}

/** Null with an older server, which takes it from its environment only. */
export function editableRetention(retention: Maintenance['retention']): ArchiveRetention | null {
  if (retention === undefined) return null;
  const { enabled, days, enabled_locked, days_locked, least_days, most_days } = retention;
  if (enabled_locked === undefined || days_locked === undefined) return null;
  if (least_days === undefined || most_days === undefined) return null;
  return { enabled, days, enabled_locked, days_locked, least_days, most_days };
}

/** What has to be sent; null = nothing was changed. A locked member is never sent. */
export function retentionChange(stored: ArchiveRetention, form: RetentionForm): ArchiveRetentionPatch | null {
  const enabled = !stored.enabled_locked && form.enabled !== stored.enabled;
  const days = !stored.days_locked && form.days !== stored.days;
  if (!enabled && !days) return null;
  return { ...(enabled ? { enabled: form.enabled } : {}), ...(days ? { days: form.days } : {}) };
}

/** Whether rows are deleted that the stored retention would keep. */
export function deletesMore(stored: RetentionForm, form: RetentionForm): boolean {
  return form.enabled && (!stored.enabled || form.days < stored.days);
}
