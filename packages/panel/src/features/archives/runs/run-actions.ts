import type { Run, Stage } from '../wire.ts';

type RunFacts = Pick<
  Run,
  'status' | 'resume_status' | 'requested_stage' | 'delete_started_at_ms' | 'deleted_event_count' | 'automatic'
>;

/** Actions available for a run in its present state. */
export interface RunActions {
  /** Starts writing files, or continues the failed stage; null = not now. */
  readonly resume: { readonly kind: 'start' | 'continue'; readonly stage: Stage } | null;
  /** Verifies the files, for the first time or again. */
  readonly verify: 'first' | 'again' | null;
  readonly delete: boolean;
  readonly cancel: boolean;
  /** All stages follow automatically, and deletion has not begun: that can be ended. */
  readonly hold: boolean;
  /** Continues automatically: it can only be watched. */
  readonly watch: boolean;
}

const NOTHING: RunActions = { resume: null, verify: null, delete: false, cancel: false, hold: false, watch: false };

const STAGES: ReadonlySet<string> = new Set<Stage>(['archiving', 'verifying', 'deleting']);

export function isStage(text: string | undefined): text is Stage {
  return text !== undefined && STAGES.has(text);
}

/** Rows are or may be deleted: only the same run can complete this. */
export function deletionBegun(run: RunFacts): boolean {
  const { status, resume_status, delete_started_at_ms = 0, deleted_event_count } = run;
  const deleting = status === 'deleting' || (status === 'failed' && resume_status === 'deleting');
  return deleting || delete_started_at_ms > 0 || deleted_event_count > 0;
}

/** Buttons by run status. An unknown status has none, because their effect is unknown. */
export function runActions(run: RunFacts): RunActions {
  const actions = actionsOf(run);
  const ended = run.status === 'completed' || run.status === 'cancelled';
  return run.automatic === true && !ended && !deletionBegun(run) ? { ...actions, hold: true } : actions;
}

function actionsOf(run: RunFacts): RunActions {
  const asked = run.requested_stage !== undefined;
  switch (run.status) {
    case 'previewed':
      return {
        ...NOTHING,
        resume: asked ? null : { kind: 'start', stage: 'archiving' },
        cancel: true,
        watch: asked,
      };
    case 'archiving':
    case 'verifying':
    case 'deleting':
      return { ...NOTHING, watch: true };
    case 'archived':
      return asked ? { ...NOTHING, watch: true } : { ...NOTHING, verify: 'first' };
    case 'verified':
      return asked ? { ...NOTHING, watch: true } : { ...NOTHING, verify: 'again', delete: true };
    case 'failed':
      return failedActions(run, asked);
    default:
      return NOTHING;
  }
}

function failedActions(run: RunFacts, asked: boolean): RunActions {
  const stage = run.resume_status;
  if (!isStage(stage)) return NOTHING;
  return {
    ...NOTHING,
    resume: asked ? null : { kind: 'continue', stage },
    cancel: !deletionBegun(run),
    watch: asked,
  };
}

/** The server works on it, or will in a moment. */
export function isServerWorking(run: Pick<Run, 'status' | 'requested_stage'>): boolean {
  return isStage(run.status) || run.requested_stage !== undefined;
}

/** Its state changes without a person, which is worth looking at often: a stage, or the compaction after the last one. */
export function isFollowed(run: Pick<Run, 'status' | 'requested_stage' | 'compaction'>): boolean {
  return isServerWorking(run) || run.compaction === 'waiting' || run.compaction === 'running';
}
