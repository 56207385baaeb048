import { countLines, type ExportSink, LINE_END } from './file-sink.ts';

/** Why an answer did not become a file: it broke off, or the file cannot be written. The original error is its cause. */
export class SaveFailure extends Error {
  readonly kind: 'cut' | 'disk';

  constructor(kind: SaveFailure['kind'], cause: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** @throws SaveFailure `disk` */
export async function orDisk<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    throw new SaveFailure('disk', error);
  }
}

/**
 * Copies an answer of lines into a file as it comes; the caller closes or discards the file. After a failure the rest of the
 * answer is not read.
 * @throws SaveFailure, or the signal's reason
 */
export async function copyLines(options: {
  readonly response: Response;
  readonly sink: ExportSink;
  readonly signal: AbortSignal;
  /** Before a piece is written: its size and the ends of lines in it. */
  readonly onPiece: (bytes: number, lines: number) => void;
}): Promise<void> {
  const { response, sink, signal, onPiece } = options;
  const reader = response.body?.getReader();
  let last = LINE_END;
  try {
    for (;;) {
      const next = await reader?.read().catch((error: unknown) => Promise.reject(new SaveFailure('cut', error)));
      signal.throwIfAborted();
      if (next === undefined || next.done) break;
      const piece = next.value;
      last = piece.at(-1) ?? last;
      onPiece(piece.length, countLines(piece));
      await orDisk(sink.write(piece));
    }
  } catch (error) {
    // Of an answer that failed itself there is nothing to cancel.
    void reader?.cancel().catch(() => {});
    throw error;
  }
  // Every line ends with a line break, so this one was truncated unnoticed.
  if (last !== LINE_END) throw new SaveFailure('cut', new Error('the last line has no end'));
}
