import type {
  ActionStatus,
  ExecutableAction,
  InspectionAction,
  InspectionLogLevel,
  InspectionRun,
  InspectionRunStatus,
} from '@manager/core/contract/inspection/runs';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { StatusTone } from '../display/status.tsx';

export interface Word {
  readonly label: TextKey;
  readonly tone: StatusTone;
}

/** Suggestions from the most urgent to none. */
export const ACTION_ORDER: readonly InspectionAction[] = ['delete', 'reauth', 'disable', 'enable', 'keep'];

export const ACTION_WORDS: Readonly<Record<InspectionAction, Word>> = {
  delete: { label: 'healthAction.delete', tone: 'bad' },
  reauth: { label: 'healthAction.reauth', tone: 'warn' },
  disable: { label: 'healthAction.disable', tone: 'warn' },
  enable: { label: 'healthAction.enable', tone: 'ok' },
  keep: { label: 'healthAction.keep', tone: 'okQuiet' },
};

export const STATE_WORDS: Readonly<Record<ActionStatus, Word>> = {
  none: { label: 'healthState.none', tone: 'okQuiet' },
  pending: { label: 'healthState.pending', tone: 'wait' },
  success: { label: 'healthState.success', tone: 'ok' },
  failed: { label: 'healthState.failed', tone: 'bad' },
  skipped: { label: 'healthState.skipped', tone: 'off' },
  needs_review: { label: 'healthState.review', tone: 'warn' },
};

/** What is done, as a verb on a button. */
export const COMMAND_LABELS: Readonly<Record<ExecutableAction, TextKey>> = {
  delete: 'health.delete',
  disable: 'health.disable',
  enable: 'health.enable',
};

export const LEVEL_WORDS: Readonly<Record<InspectionLogLevel, Word>> = {
  info: { label: 'healthLevel.info', tone: 'unknown' },
  success: { label: 'healthLevel.success', tone: 'okQuiet' },
  warning: { label: 'healthLevel.warning', tone: 'warn' },
  error: { label: 'healthLevel.error', tone: 'bad' },
};

const RUN_WORDS: Readonly<Record<InspectionRunStatus, Word>> = {
  running: { label: 'healthRun.running', tone: 'wait' },
  cancelling: { label: 'healthRun.cancelling', tone: 'wait' },
  completed: { label: 'healthRun.completed', tone: 'ok' },
  failed: { label: 'healthRun.failed', tone: 'bad' },
  cancelled: { label: 'healthRun.cancelled', tone: 'off' },
  interrupted: { label: 'healthRun.interrupted', tone: 'warn' },
};

/** null = a status of a later version, which is shown as it is. What nobody executes any more is not running. */
export function runWord({ status, active }: Pick<InspectionRun, 'status' | 'active'>): Word | null {
  if (!Object.hasOwn(RUN_WORDS, status)) return null;
  if (!active && (status === 'running' || status === 'cancelling')) return RUN_WORDS.interrupted;
  return RUN_WORDS[status as InspectionRunStatus];
}
