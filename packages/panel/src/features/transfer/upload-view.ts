import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { StatusTone } from '../../ui/display/status.tsx';
import { type Outcome, outcomeOf } from './sessions/result-view.ts';
import { canResume, type UploadPhase, type UploadState } from './upload/state.ts';

/** One bar. `percent` null = unknown progress. */
export interface Bar {
  readonly state: 'waiting' | 'running' | 'halted' | 'done';
  readonly percent: number | null;
}

export interface UploadView {
  readonly tone: StatusTone;
  readonly word: TextKey;
  readonly upload: Bar;
  readonly processing: Bar;
}

const WORDS: Readonly<Record<UploadPhase, readonly [StatusTone, TextKey]>> = {
  idle: ['off', 'transfer.notSent'],
  preparing: ['wait', 'transfer.preparing'],
  hashing: ['wait', 'transfer.comparing'],
  uploading: ['wait', 'transfer.uploading'],
  paused: ['off', 'transfer.paused'],
  watching: ['wait', 'transfer.watching'],
  processing: ['wait', 'transfer.processing'],
  cancelling: ['wait', 'transfer.cancelling'],
  completed: ['ok', 'transfer.completed'],
  cancelled: ['off', 'transfer.cancelled'],
  failed: ['bad', 'transfer.failed'],
};

/** Bytes are sent or the server works, as far as this tab knows. */
const ACTIVE_PHASES: ReadonlySet<UploadPhase> = new Set([
  'preparing',
  'hashing',
  'uploading',
  'watching',
  'processing',
]);
const WAITING: Bar = { state: 'waiting', percent: null };
const DONE: Bar = { state: 'done', percent: 100 };

/** @param percent of the file that the server has, rounded down */
export function uploadView(state: UploadState, percent: number): UploadView {
  const [tone, word] = wordOf(state);
  return { tone, word, ...bars(state, percent) };
}

function wordOf(state: UploadState): readonly [StatusTone, TextKey] {
  if (state.phase === 'failed' && canResume(state)) return ['warn', 'transfer.stopped'];
  if (state.phase === 'completed' && state.result !== null) return COMPLETED[outcomeOf(state.result)](state.result);
  return WORDS[state.phase];
}

const COMPLETED: Readonly<Record<Outcome, (result: ImportResult) => readonly [StatusTone, TextKey]>> = {
  imported: ({ failed }) => [failed > 0 ? 'warn' : 'ok', 'transfer.completed'],
  known: ({ failed }) => [failed > 0 ? 'warn' : 'ok', 'transfer.known'],
  nothing: () => ['bad', 'transfer.nothing'],
};

function bars({ phase, session }: UploadState, percent: number): Pick<UploadView, 'upload' | 'processing'> {
  if (phase === 'completed') return { upload: DONE, processing: DONE };
  const moving = ACTIVE_PHASES.has(phase) ? 'running' : 'halted';
  if (session === null) {
    // Nothing is known before the session, nor about a file sent in one request.
    const upload: Bar = moving === 'running' ? { state: 'running', percent: null } : WAITING;
    return { upload, processing: WAITING };
  }
  if (session.received_bytes < session.size_bytes) return { upload: { state: moving, percent }, processing: WAITING };
  const begun = session.status !== 'ready' && session.status !== 'uploading';
  return { upload: DONE, processing: begun ? { state: moving, percent: null } : WAITING };
}

export interface ChipView {
  readonly tone: StatusTone;
  readonly text: TextKey;
  /** Of what was sent; null while the manager works on what it has, whose progress is unknown. */
  readonly percent: number | null;
}

/** Status of the upload in every page's header; null = none. */
export function chipView(state: UploadState, percent: number): ChipView | null {
  switch (state.phase) {
    case 'idle':
    case 'cancelled':
    case 'cancelling':
      return null;
    case 'completed':
      return state.result !== null && outcomeOf(state.result) === 'nothing'
        ? { tone: 'bad', text: 'transferChip.nothing', percent }
        : { tone: 'ok', text: 'transferChip.done', percent };
    case 'failed':
      return canResume(state)
        ? { tone: 'warn', text: 'transferChip.attention', percent }
        : { tone: 'bad', text: 'transferChip.failed', percent };
    case 'paused':
      return { tone: 'off', text: 'transferChip.paused', percent };
    case 'processing':
      return { tone: 'wait', text: 'transferChip.processing', percent: null };
    default:
      if (isReceived(state)) return { tone: 'wait', text: 'transferChip.processing', percent: null };
      return { tone: 'wait', text: 'transferChip.uploading', percent };
  }
}

const isReceived = ({ session }: UploadState): boolean =>
  session !== null && session.received_bytes >= session.size_bytes;
