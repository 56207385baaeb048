import type { CollectorTarget } from '../../gateway/collector.ts';
import { GatewayError } from '../../gateway/errors.ts';
import type { GatewayHttp } from '../../gateway/http-call.ts';
import { mayHaveLost, popOverHttp } from '../../gateway/http-queue.ts';
import type { QueueRecord } from '../../gateway/records.ts';
import { countRefusal } from '../../gateway/refusal.ts';
import type { RespConnection } from '../../gateway/resp/connection.ts';
import { PopBrokenError, popRecords } from '../../gateway/resp/pop.ts';
import { openRespSession } from '../../gateway/resp/session.ts';
import type { KeyRefusalGate } from '../../gateway/types.ts';
import type { CollectorTiming } from './timing.ts';

/** One way of popping records from the queue. Pops of one source never overlap and are never repeated automatically. */
export interface PopSource {
  readonly transport: 'http' | 'resp';
  /** Prepares the connection for a pop. @throws GatewayError */
  prepare(signal: AbortSignal): Promise<void>;
  /** @throws GatewayError */
  pop(signal: AbortSignal): Promise<{ readonly records: readonly QueueRecord[]; readonly elements: number }>;
  close(): void;
}

export interface PopSourceDeps {
  readonly target: CollectorTarget;
  readonly http: GatewayHttp;
  readonly gate: KeyRefusalGate;
  readonly now: () => number;
  readonly timing: CollectorTiming;
}

export function createHttpSource({ target, http, timing }: PopSourceDeps): PopSource {
  return {
    transport: 'http',
    prepare: () => Promise.resolve(),
    pop: (signal) =>
      popOverHttp(http, {
        connection: target.connection,
        count: target.settings.batchSize,
        timeoutMs: timing.httpTimeoutMs,
        tlsSkipVerify: target.settings.tlsSkipVerify,
        signal,
      }),
    close() {},
  };
}

/** Keeps one authenticated connection between pops. */
export function createRespSource({ target, gate, now, timing }: PopSourceDeps): PopSource {
  const { settings, connection } = target;
  let session: RespConnection | null = null;

  function close(): void {
    session?.close();
    session = null;
  }

  return {
    transport: 'resp',
    async prepare(signal) {
      if (session !== null) return;
      const opened = await openRespSession({
        connection,
        gate,
        now,
        tlsSkipVerify: settings.tlsSkipVerify,
        dialTimeoutMs: timing.dialTimeoutMs,
        commandTimeoutMs: timing.commandTimeoutMs,
        signal,
      });
      session = opened;
      // A gateway that closes between two pops is noticed before the next one is sent.
      void opened.ended.then(() => {
        if (session === opened) session = null;
      });
    },
    async pop(signal) {
      if (session === null) throw new GatewayError('unreachable', 'the connection ended before the pop was sent');
      const used = session;
      const abort = () => used.close();
      signal.addEventListener('abort', abort, { once: true });
      try {
        const records = await popRecords(used, {
          queue: settings.queue,
          side: settings.popSide,
          count: settings.batchSize,
          timeoutMs: timing.commandTimeoutMs,
        });
        return { records, elements: records.length };
      } catch (error) {
        close();
        countRefusal(gate, connection, error);
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close,
  };
}

/** True when a failed pop may have removed records from the queue that did not arrive. */
export function popMayHaveLost(error: unknown): boolean {
  if (error instanceof PopBrokenError) return true;
  return !(error instanceof GatewayError) || mayHaveLost(error);
}

/** Records that arrived completely before a pop broke off. */
export function salvagedFrom(error: unknown): readonly QueueRecord[] {
  return error instanceof PopBrokenError ? error.salvaged : [];
}
