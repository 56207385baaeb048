import {
  type ArchiveRetention,
  type ArchiveRetentionPatch,
  archiveRetentionPatchSchema,
} from '@manager/core/contract/archives/retention';
import { RETENTION_DAYS } from '@manager/core/contract/constants';
import { AppError } from '@manager/core/contract/errors';
import type { RetentionStartup } from '../../platform/config/config.ts';
import type { Setting, SettingChange } from '../../sqlite/settings.ts';

export interface RetentionSettingsDeps {
  /** From the environment, else from the configuration file, else the defaults. */
  readonly startup: RetentionStartup;
  readonly read: (keys: readonly string[]) => Promise<Record<string, Setting>>;
  readonly write: (changes: readonly SettingChange[]) => Promise<unknown>;
  /** A change is stored. */
  readonly onChange: () => void;
  readonly now: () => number;
}

/** Automatic archiving in effect, and its changes, which need no restart. */
export interface RetentionSettings {
  /** @throws when the stored setting is unreadable: a guess could delete something. */
  get(): Promise<ArchiveRetention>;
  /**
   * All of it or nothing.
   *
   * @throws 400 `usage_archive_retention_invalid` with the range `least` to `most`, 409 `usage_archive_retention_env_locked`
   */
  patch(change: ArchiveRetentionPatch): Promise<ArchiveRetention>;
}

const KEY = 'archive_retention';

interface Stored {
  readonly saved: ArchiveRetentionPatch;
  readonly updatedAtMs: number | null;
}

export function createRetentionSettings(deps: RetentionSettingsDeps): RetentionSettings {
  const { startup } = deps;
  let queue: Promise<unknown> = Promise.resolve();

  async function stored(): Promise<Stored> {
    const row = (await deps.read([KEY]))[KEY];
    if (row === undefined) return { saved: {}, updatedAtMs: null };
    const parsed = archiveRetentionPatchSchema.safeParse(JSON.parse(row.value));
    if (!parsed.success || !isAllowed(parsed.data.days)) throw new Error('the stored retention cannot be read');
    return { saved: parsed.data, updatedAtMs: row.updatedAtMs };
  }

  function effective({ saved, updatedAtMs }: Stored): ArchiveRetention {
    return {
      enabled: startup.locked ? startup.enabled : (saved.enabled ?? startup.enabled),
      days: startup.daysLocked ? startup.days : (saved.days ?? startup.days),
      enabled_locked: startup.locked,
      days_locked: startup.daysLocked,
      least_days: RETENTION_DAYS.least,
      most_days: RETENTION_DAYS.most,
      ...(updatedAtMs === null ? {} : { updated_at_ms: updatedAtMs }),
    };
  }

  async function change(wanted: ArchiveRetentionPatch): Promise<ArchiveRetention> {
    requireAllowed(startup, wanted);
    const { saved } = await stored();
    const updatedAtMs = deps.now();
    const next: ArchiveRetentionPatch = { ...saved, ...wanted };
    await deps.write([{ key: KEY, value: JSON.stringify(next), updatedAtMs }]);
    deps.onChange();
    return effective({ saved: next, updatedAtMs });
  }

  return {
    get: async () => effective(await stored()),
    patch(wanted) {
      // One after the other, so that two concurrent changes of different members both apply.
      const result = queue.then(() => change(wanted));
      queue = result.catch(() => undefined);
      return result;
    },
  };
}

function requireAllowed(startup: RetentionStartup, { enabled, days }: ArchiveRetentionPatch): void {
  const locked =
    (enabled !== undefined && startup.locked && 'USAGE_ARCHIVE_RETENTION_ENABLED') ||
    (days !== undefined && startup.daysLocked && 'USAGE_ARCHIVE_RETENTION_DAYS');
  if (locked !== false) {
    throw new AppError('usage_archive_retention_env_locked', {
      message: `the environment variable ${locked} sets this; change it there`,
    });
  }
  if (!isAllowed(days)) {
    const { least, most } = RETENTION_DAYS;
    throw new AppError('usage_archive_retention_invalid', {
      message: `days: expected whole days from ${least} to ${most}`,
      details: { least, most },
    });
  }
}

function isAllowed(days: number | undefined): boolean {
  return days === undefined || (Number.isInteger(days) && days >= RETENTION_DAYS.least && days <= RETENTION_DAYS.most);
}
