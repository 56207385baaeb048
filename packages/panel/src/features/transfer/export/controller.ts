import { ApiError } from '../../../platform/api/errors.ts';
import { copyLines, orDisk, SaveFailure } from '../../../platform/browser/copy-lines.ts';
import type { ExportSink } from '../../../platform/browser/file-sink.ts';
import { createRateMeter } from '../upload/rate.ts';

export type ExportPhase =
  | 'idle'
  /** The file dialog is open. */
  | 'choosing'
  | 'starting'
  | 'running'
  | 'completed'
  | 'cancelled'
  | 'failed';

export type ExportFailure =
  /** No answer, or an invalid one. */
  | { readonly kind: 'answer'; readonly error: unknown }
  /** The answer broke off and is incomplete. */
  | { readonly kind: 'cut'; readonly error: unknown }
  /** The file cannot be written. */
  | { readonly kind: 'disk'; readonly error: unknown };

export interface ExportState {
  readonly phase: ExportPhase;
  /** Null until known. */
  readonly target: ExportSink['kind'] | null;
  /** Name of the complete file; '' before. */
  readonly filename: string;
  /** Duration; 0 before the end, ms. */
  readonly tookMs: number;
  readonly failure: ExportFailure | null;
}

export const NO_EXPORT: ExportState = { phase: 'idle', target: null, filename: '', tookMs: 0, failure: null };

interface ExportProgress {
  readonly bytes: number;
  /** One line is one event. */
  readonly lines: number;
  /** Mean of 10 s; null while unknown. */
  readonly bytesPerSecond: number | null;
}

/** One export at a time for the whole panel: it continues on other pages. */
export interface ExportController {
  readonly state: () => ExportState;
  /** Changes with every piece, so pages poll it every second. */
  readonly progress: () => ExportProgress;
  /** False while one is running. Must be called from a click: only then do browsers open a file dialog. */
  readonly start: () => boolean;
  readonly cancel: () => void;
  /** Drops a finished one. */
  readonly dismiss: () => void;
  /** Aborts at once, for a sign-out. */
  readonly stop: () => void;
}

export interface ExportDeps {
  /** @throws ApiError */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Null when the person chose no file. */
  readonly chooseSink: () => Promise<ExportSink | null>;
  /** Browser time, ms. */
  readonly clock: () => number;
  readonly publish: (state: ExportState) => void;
}

const DEFAULT_NAME = 'usage-events.jsonl';
/** Minimum interval of rate samples, because pieces arrive faster, ms. */
const RATE_STEP_MS = 250;

const BUSY: ReadonlySet<ExportPhase> = new Set(['choosing', 'starting', 'running']);

/** Leaving the page would lose it. */
export function isExporting({ phase }: ExportState): boolean {
  return phase === 'starting' || phase === 'running';
}

export function createExportController({ open, chooseSink, clock, publish }: ExportDeps): ExportController {
  const rate = createRateMeter();
  let state = NO_EXPORT;
  let bytes = 0;
  let lines = 0;
  let active: AbortController | null = null;

  function update(changes: Partial<ExportState>): void {
    state = { ...state, ...changes };
    publish(state);
  }

  /** Never rejects. */
  async function run(current: AbortController): Promise<void> {
    const { signal } = current;
    const startedMs = clock();
    const show = (changes: Partial<ExportState>) => {
      if (current === active) update(changes);
    };
    const sink = await chosenSink(show);
    if (sink === null) return;
    try {
      signal.throwIfAborted();
      show({ phase: 'starting', target: sink.kind });
      const response = await opened(signal);
      show({ phase: 'running' });
      await copy(response, sink, signal);
      const filename = await orDisk(sink.close(filenameOf(response.headers)));
      show({ phase: 'completed', filename, tookMs: clock() - startedMs });
    } catch (error) {
      const wanted = signal.aborted;
      // Stop reading for a file that cannot be written.
      current.abort();
      await sink.discard().catch(() => {});
      if (wanted) show({ phase: 'cancelled' });
      else show({ phase: 'failed', failure: failureOf(error) });
    }
  }

  async function chosenSink(show: (changes: Partial<ExportState>) => void): Promise<ExportSink | null> {
    try {
      const sink = await chooseSink();
      if (sink === null) show(NO_EXPORT);
      return sink;
    } catch (error) {
      show({ phase: 'failed', failure: { kind: 'disk', error } });
      return null;
    }
  }

  async function opened(signal: AbortSignal): Promise<Response> {
    const response = await open(signal);
    // A proxy's page would otherwise be saved as events.
    if (/^application\/x-ndjson\b/i.test(response.headers.get('content-type') ?? '')) return response;
    await response.body?.cancel();
    throw new ApiError('shape', 'the answer is no export', { path: '', atMs: clock(), status: response.status });
  }

  async function copy(response: Response, sink: ExportSink, signal: AbortSignal): Promise<void> {
    let notedMs = Number.NEGATIVE_INFINITY;
    const onPiece = (pieceBytes: number, pieceLines: number) => {
      bytes += pieceBytes;
      lines += pieceLines;
      if (clock() < notedMs + RATE_STEP_MS) return;
      notedMs = clock();
      rate.note(notedMs, bytes);
    };
    await copyLines({ response, sink, signal, onPiece });
  }

  return {
    state: () => state,
    progress: () => ({
      bytes,
      lines,
      bytesPerSecond: state.phase === 'running' ? rate.bytesPerSecond(clock()) : null,
    }),
    start: () => {
      if (BUSY.has(state.phase)) return false;
      rate.reset();
      bytes = 0;
      lines = 0;
      active = new AbortController();
      update({ ...NO_EXPORT, phase: 'choosing' });
      void run(active);
      return true;
    },
    cancel: () => {
      if (isExporting(state)) active?.abort();
    },
    dismiss: () => {
      if (!BUSY.has(state.phase)) update(NO_EXPORT);
    },
    stop: () => {
      active?.abort();
      active = null;
      update(NO_EXPORT);
    },
  };
}

const failureOf = (error: unknown): ExportFailure =>
  error instanceof SaveFailure ? { kind: error.kind, error: error.cause } : { kind: 'answer', error };

/** The name in the answer. */
function filenameOf(headers: Headers): string {
  const name = /filename="([^"/\\]+)"/i.exec(headers.get('content-disposition') ?? '')?.[1]?.trim();
  return name === undefined || name === '' ? DEFAULT_NAME : name;
}
