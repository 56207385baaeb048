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
  /** A change is stored. The answer to it waits for this. */
  readonly onChange: () => Promise<void>;
  readonly now: () => number;
}

/** Automatic archiving in effect, and its changes, which need no restart. */
export interface RetentionSettings {
  /** @throws when the stored setting is unreadable: a guess could delete something. */
  get(): Promise<ArchiveRetention>;
  /** The same, null when the stored setting is unreadable. */
  readable(): Promise<ArchiveRetention | null>;
  /**
   * All of it or nothing. A stored setting that is unreadable is replaced when all members that the environment does not set are given.
   *
   * @throws 400 `usage_archive_retention_invalid` with the range `least` to `most`, 409 `usage_archive_retention_env_locked`
   */
  patch(change: ArchiveRetentionPatch): Promise<ArchiveRetention>;
}

const KEY = 'archive_retention';

class UnreadableRetention extends Error {
  constructor() {
    super('the stored retention cannot be read; save it again with all its members');
  }
}

interface Stored {
  readonly saved: ArchiveRetentionPatch;
  readonly updatedAtMs: number | null;
}

export function createRetentionSettings(deps: RetentionSettingsDeps): RetentionSettings {
  const { startup } = deps;
  let queue: Promise<unknown> = Promise.resolve();

  /** @param wanted counts instead of what is stored */
  async function stored(wanted: ArchiveRetentionPatch): Promise<Stored> {
    const row = (await deps.read([KEY]))[KEY];
    if (row === undefined) return { saved: {}, updatedAtMs: null };
    const saved = readSaved(row.value);
    if (saved !== null) return { saved, updatedAtMs: row.updatedAtMs };
    const isNeeded =
      (!startup.locked && wanted.enabled === undefined) || (!startup.daysLocked && wanted.days === undefined);
    if (isNeeded) throw new UnreadableRetention();
    return { saved: {}, updatedAtMs: null };
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
    const { saved } = await stored(wanted);
    const updatedAtMs = deps.now();
    const next: ArchiveRetentionPatch = { ...saved, ...wanted };
    await deps.write([{ key: KEY, value: JSON.stringify(next), updatedAtMs }]);
    await deps.onChange();
    return effective({ saved: next, updatedAtMs });
  }

  const get = async () => effective(await stored({}));

  return {
    get,
    async readable() {
      try {
        return await get();
      } catch (error) {
        if (error instanceof UnreadableRetention) return null;
        throw error;
      }
    },
    patch(wanted) {
      // One after the other, so that two concurrent changes of different members both apply.
      const result = queue.then(() => change(wanted));
      queue = result.catch(() => undefined);
      return result;
    },
  };
}

/** Null when it is unreadable. */
function readSaved(text: string): ArchiveRetentionPatch | null {
  try {
    const parsed = archiveRetentionPatchSchema.safeParse(JSON.parse(text));
    return parsed.success && isAllowed(parsed.data.days) ? parsed.data : null;
  } catch {
    return null;
  }
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
