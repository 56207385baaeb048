import type { BytesPerEvent, UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import type { TextKey } from '../../../platform/i18n/index.ts';
import type { Maintenance } from '../wire.ts';

export interface StoragePart {
  readonly key: 'raw' | 'facts' | 'ledger' | 'other' | 'free';
  readonly label: TextKey;
  /** What makes it smaller, or that nothing does. */
  readonly shrink: TextKey;
  /** Null where a value per event makes no sense. */
  readonly perEvent: number | null;
  /** Number of events that share it; null = none do. */
  readonly events: number | null;
  readonly bytes: number;
  /** Share of all pages of the database, 0 to 1. */
  readonly share: number;
}

const TEXTS: Readonly<Record<Exclude<StoragePart['key'], 'free'>, readonly [TextKey, TextKey]>> = {
  raw: ['storage.raw', 'storage.rawShrink'],
  facts: ['storage.facts', 'storage.factsShrink'],
  ledger: ['storage.ledger', 'storage.ledgerShrink'],
  other: ['storage.other', 'storage.otherShrink'],
};

/** The database file's bytes by part; empty without events. */
export function storageParts({ storage, ...counts }: Maintenance): readonly StoragePart[] {
  const per = storage.bytes_per_event;
  if (per === undefined) return [];
  const left = counts.raw_event_count;
  const ever = left + counts.raw_deleted_event_count;
  const whole = wholeBytes(storage);
  const share = (bytes: number) => (whole > 0 ? Math.min(1, bytes / whole) : 0);
  const part = (key: Exclude<StoragePart['key'], 'free'>, events: number): StoragePart => {
    const [label, shrink] = TEXTS[key];
    const bytes = Math.round(per[key] * events);
    return { key, label, shrink, perEvent: per[key], events, bytes, share: share(bytes) };
  };
  return [
    part('raw', left),
    part('facts', ever),
    part('ledger', ever),
    part('other', ever),
    {
      key: 'free',
      label: 'storage.free',
      shrink: 'storage.freeShrink',
      perEvent: null,
      events: null,
      bytes: storage.reclaimable_bytes,
      share: share(storage.reclaimable_bytes),
    },
  ];
}

/** Bytes of one event with a raw row. */
export function bytesOfEvent(per: BytesPerEvent | undefined): number | null {
  return per === undefined ? null : per.raw + per.facts + per.ledger + per.other;
}

/** Space inside the file that deleting raw rows frees; null = unknown. */
export function freedBytes(per: BytesPerEvent | undefined, events: number): number | null {
  return per === undefined ? null : Math.round(per.raw * events);
}

type Storage = UsageMaintenanceResponse['storage'];

/** Size of the file once the log has been moved into it; until then the file itself may be far smaller. */
function wholeBytes({ page_size, page_count, database_bytes }: Storage): number {
  return Math.max(page_size * page_count, database_bytes);
}

/** Compaction writes a new file beside the old one: this much must be free, and twice as much is safe. */
export function compactionRoom(storage: Storage): { readonly least: number; readonly safe: number } {
  const least = wholeBytes(storage);
  return { least, safe: least * 2 };
}

export type Environment = 'native' | 'container';

export interface CommandStep {
  readonly label: TextKey;
  readonly command: string;
}

/** Stop, work, start again: as lines to copy. Placeholders of the installation are in capitals. */
export function offlineSteps(
  command: 'compact-usage' | 'cleanup-derived',
  environment: Environment,
): readonly CommandStep[] {
  const lines: readonly [stop: string, run: string, start: string] =
    environment === 'native'
      ? [
          'systemctl stop SERVICE',
          `manager-server ${command} --db-path /path/to/usage.sqlite`,
          'systemctl start SERVICE',
        ]
      : [
          'docker stop CONTAINER',
          `docker run --rm --volumes-from CONTAINER IMAGE ${command}`,
          'docker start CONTAINER',
        ];
  return [
    { label: 'storage.stop', command: lines[0] },
    { label: command === 'compact-usage' ? 'storage.runCompact' : 'storage.runCleanup', command: lines[1] },
    { label: 'storage.start', command: lines[2] },
  ];
}
