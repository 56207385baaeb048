import { messageOf } from '../platform/logging/error-text.ts';
import { byteStream } from './byte-stream.ts';

export interface StreamDeps {
  readonly log: { warn(message: string): void };
  /** A client that reads nothing for this long is disconnected. Default 120,000. */
  readonly stallMs?: number;
}

type Pages = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;

export interface StreamOptions {
  /** In the log. */
  readonly name: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** @param signal fires at the end, however it comes: also when the client goes away */
  readonly open: (signal: AbortSignal) => Pages;
  /** Called at the end; may be called more than once. */
  readonly release?: () => void;
}

const STALL_MS = 120_000;

/** Sends the pages as they are ready. A failure before the first page is an ordinary error answer. */
export async function streamPages(deps: StreamDeps, options: StreamOptions): Promise<Response> {
  const { name, contentType, headers = {}, open, release = () => {} } = options;
  const controller = new AbortController();
  const pages = open(controller.signal);
  let first: IteratorResult<Uint8Array<ArrayBuffer>, void>;
  try {
    first = await pages.next();
  } catch (error) {
    release();
    throw error;
  }
  const body = byteStream(startingWith(first, pages), {
    stallMs: deps.stallMs ?? STALL_MS,
    onEnd(outcome, error) {
      release();
      controller.abort(new Error('the answer has ended'));
      if (outcome === 'stalled') deps.log.warn(`${name}: the client read no data and was disconnected`);
      if (outcome === 'failed') deps.log.warn(`${name}: cut off: ${messageOf(error)}`);
    },
  });
  return new Response(body, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...headers } });
}

async function* startingWith(first: IteratorResult<Uint8Array<ArrayBuffer>, void>, rest: Pages): Pages {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
