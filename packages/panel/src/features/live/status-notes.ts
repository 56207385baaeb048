import type { ConfigResponse } from '@manager/core/contract/config';
import type { StatusResponse } from '@manager/core/contract/status';
import type { TextKey } from '../../i18n/index.ts';
import { gapText } from '../../ui/gap-texts.ts';

/** Values are raw; the view formats times and counts. */
export interface StatusNote {
  /** One note per kind; also the name under which a dismissal is kept. */
  readonly kind: string;
  readonly tone: 'bad' | 'warn' | 'wait';
  readonly fact: TextKey;
  readonly text: TextKey;
  readonly counts?: Readonly<Record<string, number>>;
  readonly times?: Readonly<Record<string, number | null>>;
  /** Words of the server, shown as they are. */
  readonly detail?: string;
  readonly to?: '/settings' | '/doctor' | '/system';
  readonly link?: TextKey;
  /** Goes away for a day when dismissed; absent = stays until it is mended. */
  readonly dismissible?: boolean;
}

const DAY_MS = 86_400_000;
const SOON_MS = 60_000;

function errorText(lastError: string): { readonly fact: TextKey; readonly text: TextKey } {
  if (lastError.includes("unsupported RESP prefix 'H'"))
    return { fact: 'note.errorFact', text: 'note.errorRespPrefix' };
  if (lastError.startsWith('consume:')) return { fact: 'note.writeFact', text: 'note.writeText' };
  if (lastError.startsWith('connect:')) return { fact: 'note.connectFact', text: 'note.connectText' };
  return { fact: 'note.errorFact', text: 'note.errorText' };
}

function collectorNotes({ collector }: StatusResponse): StatusNote[] {
  const settings = { to: '/settings', link: 'note.openSettings' } as const;
  if (collector.keyRefused !== undefined) {
    // The first tries follow each other so closely that their time would be past when it is read.
    const soon = collector.keyRefused.nextTryAtMs - collector.keyRefused.lastAtMs < SOON_MS;
    return [
      {
        kind: 'keyRefused',
        tone: 'bad',
        fact: 'note.keyFact',
        text: soon ? 'note.keyTextSoon' : 'note.keyText',
        counts: { tries: collector.keyRefused.tries },
        times: { next: collector.keyRefused.nextTryAtMs },
        ...(collector.lastError === '' ? {} : { detail: collector.lastError }),
        to: '/settings',
        link: 'note.saveKey',
      },
    ];
  }
  const writing = collector.lastError.startsWith('consume:');
  const link = writing ? ({ to: '/system', link: 'note.openSystem' } as const) : settings;
  if (collector.collector === 'error' || (collector.lastError !== '' && collector.collector !== 'stopped')) {
    return [
      {
        kind: 'collectorError',
        tone: 'bad',
        ...errorText(collector.lastError),
        detail: collector.lastError,
        ...link,
      },
    ];
  }
  if (collector.collector === 'stopped') {
    return [{ kind: 'stopped', tone: 'wait', fact: 'note.stoppedFact', text: 'note.stoppedText', ...settings }];
  }
  if (!collector.starved) return [];
  const text = {
    publishing_off: 'note.starvedPublishing',
    no_events: 'note.starvedNoEvents',
    partial: 'note.starvedPartial',
  } as const;
  return [
    {
      kind: 'starved',
      tone: 'warn',
      fact: collector.starvedReason === 'partial' ? 'note.partialFact' : 'note.starvedFact',
      text: text[collector.starvedReason ?? 'no_events'],
      ...settings,
    },
  ];
}

function gapNote({ collector }: StatusResponse, nowMs: number): StatusNote[] {
  const { last, open, count } = collector.gaps;
  if (last === undefined) return [];
  const recent = (last.toMs ?? nowMs) > nowMs - DAY_MS;
  if (open.length === 0 && !recent) return [];
  return [
    {
      kind: `gap:${last.fromMs}`,
      tone: 'warn',
      fact: last.toMs === null ? 'note.gapOpenFact' : 'note.gapFact',
      text: gapText(last.kind),
      times: { from: last.fromMs, to: last.toMs },
      counts: { gaps: count, ...(last.estimatedLost === null ? {} : { lost: last.estimatedLost }) },
      dismissible: last.toMs !== null,
    },
  ];
}

const QUIET_SPOOL_RECORDS = 5_000;

function storageNotes(status: StatusResponse): StatusNote[] {
  const notes: StatusNote[] = [];
  const { dataMigration: migration, databaseMaintenance: maintenance } = status;
  // A short queue is how a burst is taken; it empties by itself within seconds.
  if (status.collector.spooledRecords > (status.collector.collector === 'error' ? 0 : QUIET_SPOOL_RECORDS)) {
    notes.push({
      kind: 'spool',
      tone: 'warn',
      fact: 'note.spoolFact',
      text: 'note.spoolText',
      counts: { records: status.collector.spooledRecords },
    });
  }
  if (migration.status === 'failed') {
    notes.push({
      kind: 'migrationFailed',
      tone: 'bad',
      fact: 'note.migrationFailedFact',
      text: 'note.migrationFailedText',
    });
  } else if (migration.status !== 'completed' && migration.targetEventId > 0) {
    notes.push({
      kind: 'migration',
      tone: 'wait',
      fact: 'note.migrationFact',
      text: 'note.migrationText',
      counts: { done: migration.lastEventId, all: migration.targetEventId },
      dismissible: true,
    });
  }
  if (maintenance.required) {
    notes.push({
      kind: 'maintenance',
      tone: 'warn',
      fact: 'note.maintenanceFact',
      text: 'note.maintenanceText',
      dismissible: true,
    });
  }
  if (status.deadLetters > 0) {
    notes.push({
      kind: 'deadLetters',
      tone: 'warn',
      fact: 'note.deadFact',
      text: 'note.deadText',
      counts: { records: status.deadLetters },
      dismissible: true,
    });
  }
  if (status.implausibleTimestamps > 0) {
    notes.push({
      kind: 'implausible',
      tone: 'warn',
      fact: 'note.implausibleFact',
      text: 'note.implausibleText',
      counts: { events: status.implausibleTimestamps },
      dismissible: true,
    });
  }
  return notes;
}

function pollNote(config: ConfigResponse | undefined): StatusNote[] {
  const retentionSeconds = config?.cpaUsage?.redisUsageQueueRetentionSeconds;
  if (config === undefined || retentionSeconds === undefined || !config.config.collector.enabled) return [];
  if (config.config.collector.pollIntervalMs <= retentionSeconds * 1000) return [];
  return [
    {
      kind: 'poll',
      tone: 'warn',
      fact: 'note.pollFact',
      text: 'note.pollText',
      to: '/settings',
      link: 'note.openSettings',
    },
  ];
}

const RANK = { bad: 0, warn: 1, wait: 2 } as const;

/** What an operator has to know now, worst first; empty when all is well. */
export function statusNotes(
  status: StatusResponse,
  config: ConfigResponse | undefined,
  nowMs: number,
): readonly StatusNote[] {
  const notes = [...collectorNotes(status), ...gapNote(status, nowMs), ...storageNotes(status), ...pollNote(config)];
  return notes.sort((a, b) => RANK[a.tone] - RANK[b.tone]);
}

/** Versions differ when both are releases and not the same; builds from a working copy are not compared. */
export function versionsDiffer(panel: string, server: string): boolean {
  const release = /^v?(\d+\.\d+\.\d+)$/;
  const a = release.exec(panel)?.[1];
  const b = release.exec(server)?.[1];
  return a !== undefined && b !== undefined && a !== b;
}
