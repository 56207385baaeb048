import type {
  ActionStatus,
  ExecutableAction,
  InspectionAction,
  InspectionLogLevel,
  InspectionRun,
  InspectionRunStatus,
} from '@manager/core/contract/inspection/runs';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { Word } from '../display/status.tsx';

/** Suggestions from the most urgent to none. */
export const ACTION_ORDER: readonly InspectionAction[] = ['delete', 'reauth', 'disable', 'enable', 'keep'];

export const ACTION_WORDS: Readonly<Record<InspectionAction, Word>> = {
  delete: { label: 'inspectionAction.delete', tone: 'bad' },
  reauth: { label: 'inspectionAction.reauth', tone: 'warn' },
  disable: { label: 'inspectionAction.disable', tone: 'warn' },
  enable: { label: 'inspectionAction.enable', tone: 'ok' },
  keep: { label: 'inspectionAction.keep', tone: 'okQuiet' },
};

export const STATE_WORDS: Readonly<Record<ActionStatus, Word>> = {
  none: { label: 'inspectionState.none', tone: 'okQuiet' },
  pending: { label: 'inspectionState.pending', tone: 'wait' },
  success: { label: 'inspectionState.success', tone: 'ok' },
  failed: { label: 'inspectionState.failed', tone: 'bad' },
  skipped: { label: 'inspectionState.skipped', tone: 'off' },
  needs_review: { label: 'inspectionState.review', tone: 'warn' },
};

/** The action as a verb on a button. */
export const COMMAND_LABELS: Readonly<Record<ExecutableAction, TextKey>> = {
  delete: 'inspection.delete',
  disable: 'inspection.disable',
  enable: 'inspection.enable',
};

export const LEVEL_WORDS: Readonly<Record<InspectionLogLevel, Word>> = {
  info: { label: 'inspectionLevel.info', tone: 'unknown' },
  success: { label: 'inspectionLevel.success', tone: 'okQuiet' },
  warning: { label: 'inspectionLevel.warning', tone: 'warn' },
  error: { label: 'inspectionLevel.error', tone: 'bad' },
};

const RUN_WORDS: Readonly<Record<InspectionRunStatus, Word>> = {
  running: { label: 'inspectionRun.running', tone: 'wait' },
  cancelling: { label: 'inspectionRun.cancelling', tone: 'wait' },
  completed: { label: 'inspectionRun.completed', tone: 'ok' },
  failed: { label: 'inspectionRun.failed', tone: 'bad' },
  cancelled: { label: 'inspectionRun.cancelled', tone: 'off' },
  interrupted: { label: 'inspectionRun.interrupted', tone: 'warn' },
};

/** null = a status of a later version, which is shown unchanged. An abandoned run is not running. */
export function runWord({ status, active }: Pick<InspectionRun, 'status' | 'active'>): Word | null {
  if (!Object.hasOwn(RUN_WORDS, status)) return null;
  if (!active && (status === 'running' || status === 'cancelling')) return RUN_WORDS.interrupted;
  return RUN_WORDS[status as InspectionRunStatus];
}
