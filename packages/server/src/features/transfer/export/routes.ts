import { AppError } from '@manager/core/contract/errors';
import { Hono } from 'hono';
import { byteStream } from '../../../http/byte-stream.ts';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { messageOf } from '../../../platform/logging/error-text.ts';
import type { EventReads } from './event-reads.ts';
import { exportLines } from './export.ts';
import type { ExportGate } from './export-gate.ts';
import { usagePayload } from './usage-payload.ts';

export interface EventsDeps {
  readonly reads: EventReads;
  /** Effective query limit; 0 or less = 50,000. */
  readonly queryLimit: () => number;
  /** Shared with the deletion of archived events. */
  readonly exports: ExportGate;
  readonly log: EventsLog;
  /** A client that reads nothing for this long is disconnected. Default 120,000. */
  readonly stallMs?: number;
}

export interface EventsLog {
  warn(message: string): void;
}

const DEFAULT_QUERY_LIMIT = 50_000;
const STALL_MS = 120_000;
const MAX_EXPORTS = 4;
const USAGE = '/v0/management/usage';

/** The two ways to read all stored events: the bounded compatible payload and the complete export. */
export function eventsRoutes(deps: EventsDeps): FeatureRoutes {
  const { exports } = deps;

  return new Hono<ManagerEnv>()
    .get(USAGE, () => {
      const limit = deps.queryLimit();
      return stream(deps, 'usage payload', 'application/json', {}, (signal) =>
        usagePayload(deps.reads, limit > 0 ? limit : DEFAULT_QUERY_LIMIT, signal),
      );
    })
    .get(`${USAGE}/export`, async () => {
      if (exports.running() >= MAX_EXPORTS) {
        throw new AppError('too_many_exports', {
          message: `${MAX_EXPORTS} exports are running; try again when one ends`,
          headers: { 'Retry-After': '10' },
        });
      }
      const release = await exports.enter();
      const headers = { 'Content-Disposition': 'attachment; filename="usage-events.jsonl"' };
      return stream(
        deps,
        'export',
        'application/x-ndjson',
        headers,
        (signal) => exportLines(deps.reads, signal),
        release,
      );
    });
}

/** Sends the pages as they are ready. A failure before the first page is an ordinary error answer. */
async function stream(
  deps: EventsDeps,
  name: string,
  contentType: string,
  headers: Readonly<Record<string, string>>,
  open: (signal: AbortSignal) => AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  release: () => void = () => {},
): Promise<Response> {
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

async function* startingWith(
  first: IteratorResult<Uint8Array<ArrayBuffer>, void>,
  rest: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
