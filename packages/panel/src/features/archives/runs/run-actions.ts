import type { Run, Stage } from '../wire.ts';

type RunFacts = Pick<
  Run,
  'status' | 'resume_status' | 'requested_stage' | 'delete_started_at_ms' | 'deleted_event_count'
>;

/** What may be done with a run as it stands. */
export interface RunActions {
  /** Begins to write files, or continues the stage that failed; null = not now. */
  readonly resume: { readonly kind: 'start' | 'continue'; readonly stage: Stage } | null;
  /** Reads the files back, for the first time or again. */
  readonly verify: 'first' | 'again' | null;
  readonly delete: boolean;
  readonly cancel: boolean;
  /** It goes on by itself: there is only something to see. */
  readonly watch: boolean;
}

const NOTHING: RunActions = { resume: null, verify: null, delete: false, cancel: false, watch: false };

const STAGES: ReadonlySet<string> = new Set<Stage>(['archiving', 'verifying', 'deleting']);

export function isStage(text: string | undefined): text is Stage {
  return text !== undefined && STAGES.has(text);
}

/** Rows are gone, or may be: only the same run can bring it to an end. */
export function deletionBegun(run: RunFacts): boolean {
  const { status, resume_status, delete_started_at_ms = 0, deleted_event_count } = run;
  const deleting = status === 'deleting' || (status === 'failed' && resume_status === 'deleting');
  return deleting || delete_started_at_ms > 0 || deleted_event_count > 0;
}

/** Buttons by the state of the run. A state that is not known offers none, because nobody knows what they would do. */
export function runActions(run: RunFacts): RunActions {
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
export function isAtWork(run: Pick<Run, 'status' | 'requested_stage'>): boolean {
  return isStage(run.status) || run.requested_stage !== undefined;
}
