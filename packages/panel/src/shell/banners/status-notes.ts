import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { StatusResponse } from '@manager/core/contract/system/status';
import type { TextKey } from '../../platform/i18n/index.ts';
import { gapFix, gapText } from '../../platform/wording/gap-texts.ts';
import { KEY_REFUSALS } from '../../platform/wording/key-refusal.ts';
import type { StatusNote } from '../../ui/feedback/banner.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 60_000;

interface ErrorCause {
  readonly cause: 'prefix' | 'write' | 'connect' | 'other';
  readonly fact: TextKey;
  readonly text: TextKey;
}

function errorCause(lastError: string): ErrorCause {
  if (lastError.includes("unsupported RESP prefix 'H'"))
    return { cause: 'prefix', fact: 'note.errorFact', text: 'note.errorRespPrefix' };
  if (lastError.startsWith('consume:')) return { cause: 'write', fact: 'note.writeFact', text: 'note.writeText' };
  if (lastError.startsWith('connect:')) return { cause: 'connect', fact: 'note.connectFact', text: 'note.connectText' };
  return { cause: 'other', fact: 'note.errorFact', text: 'note.errorText' };
}

const SETTINGS = {
  to: '/settings',
  search: { tab: ['collector'] },
  link: 'note.openSettings',
} as const satisfies Partial<StatusNote>;
const SYSTEM = { to: '/system', link: 'note.openSystem' } as const;
const DOCTOR = { to: '/doctor', link: 'note.openDoctor' } as const;

function collectorNotes({ collector }: StatusResponse): StatusNote[] {
  if (collector.keyRefused !== undefined) {
    const { reason, tries, lastAtMs, nextTryAtMs } = collector.keyRefused;
    const { fact, text } = KEY_REFUSALS[reason];
    const ofKey = reason === 'key_rejected';
    // The first retries follow so quickly that their time would be past when it is read.
    const soon = ofKey && nextTryAtMs - lastAtMs < SOON_MS;
    return [
      {
        kind: ofKey ? 'keyRefused' : `keyRefused:${reason}`,
        tone: 'bad',
        fact,
        text: soon ? 'note.keyTextSoon' : text,
        counts: { tries },
        times: { next: nextTryAtMs },
        ...(collector.lastError === '' ? {} : { detail: collector.lastError }),
        to: '/settings',
        link: ofKey ? 'note.saveKey' : 'note.openSettings',
      },
    ];
  }
  if (collector.collector === 'error' || (collector.lastError !== '' && collector.collector !== 'stopped')) {
    const { cause, fact, text } = errorCause(collector.lastError);
    const kind = `collectorError:${cause}`;
    const note = { kind, tone: 'bad', fact, text, detail: collector.lastError, ...DOCTOR } as const;
    // Nothing else on the page would say so.
    return [cause === 'connect' ? { ...note, ...openGap({ collector }) } : { ...note, dismiss: 'day' }];
  }
  if (collector.collector === 'stopped') {
    return [
      {
        kind: 'stopped',
        tone: 'wait',
        fact: 'note.stoppedFact',
        text: 'note.stoppedText',
        ...SETTINGS,
        dismiss: 'day',
      },
    ];
  }
  if (!collector.starved) return [];
  const reason = collector.starvedReason ?? 'no_events';
  return [
    {
      kind: `starved:${reason}`,
      tone: 'warn',
      fact: reason === 'partial' ? 'note.partialFact' : 'note.starvedFact',
      text: STARVED_TEXTS[reason],
      ...(reason === 'publishing_off' ? { action: 'publish' } : DOCTOR),
      dismiss: 'day',
    },
  ];
}

const STARVED_TEXTS = {
  publishing_off: 'note.starvedPublishing',
  no_events: 'note.starvedNoEvents',
  partial: 'note.starvedPartial',
} as const satisfies Record<NonNullable<StatusResponse['collector']['starvedReason']>, TextKey>;

/** What a gateway that is away has cost so far, within the note about it. */
export function openGap({
  collector: { gaps },
}: Pick<StatusResponse, 'collector'>): Pick<StatusNote, 'also' | 'times'> {
  if (gaps.last === undefined || gaps.last.toMs !== null) return {};
  return { also: ['note.gapMeanwhile'], times: { from: gaps.last.fromMs } };
}

function gapNote({ collector }: StatusResponse, nowMs: number): StatusNote[] {
  const { last, open, count } = collector.gaps;
  if (last === undefined) return [];
  const recent = (last.toMs ?? nowMs) > nowMs - DAY_MS;
  if (open.length === 0 && !recent) return [];
  const others = new Set<string>(open);
  others.delete(last.kind);
  return [
    {
      kind: `gap:${last.fromMs}`,
      tone: 'warn',
      fact: last.toMs === null ? 'note.gapOpenFact' : 'note.gapFact',
      text: gapText(last.kind),
      also: [gapFix(last.kind), ...[...others].map(gapText)],
      times: { from: last.fromMs, to: last.toMs },
      counts: { gaps: count, ...(last.estimatedLost === null ? {} : { lost: last.estimatedLost }) },
      ...DOCTOR,
      dismiss: 'day',
    },
  ];
}

const QUIET_SPOOL_RECORDS = 5_000;

function storageNotes(status: StatusResponse): StatusNote[] {
  const notes: StatusNote[] = [];
  const { dataMigration: migration, databaseMaintenance: maintenance } = status;
  // A short queue absorbs a burst; it empties automatically within seconds.
  if (status.collector.spooledRecords > (status.collector.collector === 'error' ? 0 : QUIET_SPOOL_RECORDS)) {
    notes.push({
      kind: 'spool',
      tone: 'warn',
      fact: 'note.spoolFact',
      text: 'note.spoolText',
      counts: { records: status.collector.spooledRecords },
      ...DOCTOR,
    });
  }
  if (migration.status === 'failed') {
    notes.push({
      kind: 'migrationFailed',
      tone: 'bad',
      fact: 'note.migrationFailedFact',
      text: 'note.migrationFailedText',
      ...DOCTOR,
    });
  } else if (migration.status !== 'completed' && migration.targetEventId > 0) {
    notes.push({
      kind: 'migration',
      tone: 'wait',
      fact: 'note.migrationFact',
      text: 'note.migrationText',
      counts: { done: migration.lastEventId, all: migration.targetEventId },
      ...SYSTEM,
      dismiss: 'day',
    });
  }
  if (maintenance.required) {
    notes.push({
      kind: 'maintenance',
      tone: 'warn',
      fact: 'note.maintenanceFact',
      text: 'note.maintenanceText',
      counts: { indexes: maintenance.deferredIndexes, jobs: maintenance.offlineJobs },
      to: '/usage-maintenance',
      search: { tab: ['storage'] },
      link: 'note.openMaintenance',
      dismiss: 'day',
    });
  }
  if (status.deadLetters > 0) {
    notes.push({
      kind: 'deadLetters',
      tone: 'warn',
      fact: 'note.deadFact',
      text: 'note.deadText',
      counts: { records: status.deadLetters },
      ...SYSTEM,
      dismiss: 'day',
    });
  }
  if (status.implausibleTimestamps > 0) {
    notes.push({
      kind: 'implausible',
      tone: 'warn',
      fact: 'note.implausibleFact',
      text: 'note.implausibleText',
      counts: { events: status.implausibleTimestamps },
      ...SYSTEM,
      dismiss: 'day',
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
      ...SETTINGS,
      dismiss: 'day',
    },
  ];
}

function pluginPagesNote({ trustedPluginPages }: StatusResponse): StatusNote[] {
  if (trustedPluginPages !== true) return [];
  return [
    {
      kind: 'pluginPages',
      tone: 'warn',
      fact: 'note.pluginPagesFact',
      text: 'note.pluginPagesText',
      dismiss: 'day',
    },
  ];
}

function clockNote({ gatewayClockAheadMs: aheadMs }: StatusResponse): StatusNote[] {
  if (aheadMs === undefined) return [];
  return [
    {
      kind: 'gatewayClock',
      tone: 'warn',
      fact: aheadMs > 0 ? 'note.managerClockBehindFact' : 'note.managerClockAheadFact',
      text: 'note.gatewayClockText',
      spans: { difference: Math.abs(aheadMs) },
      ...DOCTOR,
      dismiss: 'day',
    },
  ];
}

/** The manager's problems for an operator, in no order; empty when all is well. */
export function statusNotes(
  status: StatusResponse,
  config: ConfigResponse | undefined,
  nowMs: number,
): readonly StatusNote[] {
  return [
    ...collectorNotes(status),
    ...gapNote(status, nowMs),
    ...storageNotes(status),
    ...pollNote(config),
    ...clockNote(status),
    ...pluginPagesNote(status),
  ];
}
