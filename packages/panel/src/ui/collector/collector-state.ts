import type { StatusResponse } from '@manager/core/contract/system/status';
import type { TextKey } from '../../platform/i18n/index.ts';
import { KEY_REFUSALS } from '../../platform/wording/key-refusal.ts';
import type { StatusTone } from '../display/status.tsx';

export interface CollectorState {
  readonly tone: StatusTone;
  readonly label: TextKey;
  /** ms, null = no event since the manager started. */
  readonly lastEventMs: number | null;
}

/** The collector's state in every page header. */
export function collectorState(status: StatusResponse | undefined): CollectorState {
  if (status === undefined) return { tone: 'unknown', label: 'collector.unknown', lastEventMs: null };
  const { collector } = status;
  // The consumed record may have been a control record.
  const lastEventMs = status.lastInsertedAt || collector.lastInsertedAt || null;
  if (collector.keyRefused !== undefined)
    return { tone: 'bad', label: KEY_REFUSALS[collector.keyRefused.reason].state, lastEventMs };
  switch (collector.collector) {
    case 'error':
      return { tone: 'bad', label: 'collector.error', lastEventMs };
    case 'stopped':
      return { tone: 'off', label: 'collector.stopped', lastEventMs };
    case 'starting':
      return { tone: 'wait', label: 'collector.starting', lastEventMs };
    case 'running':
      break;
  }
  if (collector.starved) {
    const partial = collector.starvedReason === 'partial';
    return { tone: 'warn', label: partial ? 'collector.partial' : 'collector.starved', lastEventMs };
  }
  return { tone: 'ok', label: 'collector.running', lastEventMs };
}
