import { GatewayError } from '../errors.ts';
import type { QueueRecord } from '../records.ts';
import type { RespValue } from './codec.ts';
import type { RespConnection } from './connection.ts';
import { replyError } from './session.ts';

export interface PopRequest {
  readonly queue: string;
  readonly side: 'left' | 'right';
  readonly count: number;
  readonly timeoutMs: number;
}

/** A pop that broke off. `salvaged` arrived completely and is gone at the gateway, so it must not be dropped. */
export class PopBrokenError extends GatewayError {
  readonly salvaged: readonly QueueRecord[];

  constructor(error: GatewayError, salvaged: readonly QueueRecord[]) {
    super(error.kind, error.message, { cause: error });
    this.salvaged = salvaged;
  }
}

/** Pops up to `count` records from the queue, oldest first. @throws GatewayError */
export async function popRecords(connection: RespConnection, request: PopRequest): Promise<readonly QueueRecord[]> {
  connection.send([request.side === 'left' ? 'LPOP' : 'RPOP', request.queue, String(request.count)]);
  let reply: RespValue;
  try {
    reply = await connection.next(request.timeoutMs);
  } catch (error) {
    const known = error instanceof GatewayError ? error : new GatewayError('closed', 'the response did not arrive');
    throw new PopBrokenError(known, connection.partial().flatMap(recordOf));
  }
  if (reply.kind === 'error') throw replyError(reply.text);
  if (reply.kind === 'array') return reply.items.flatMap(recordOf);
  if (reply.kind === 'bulk' || reply.kind === 'oversized' || reply.kind === 'nil') return recordOf(reply);
  throw new GatewayError('protocol', 'an unexpected reply to a pop');
}

export function recordOf(value: RespValue): QueueRecord[] {
  switch (value.kind) {
    case 'bulk':
      return [{ text: value.text, repaired: value.repaired, bytes: value.bytes }];
    case 'simple':
      return [{ text: value.text, repaired: false, bytes: value.text.length }];
    case 'oversized':
      return [{ oversizedBytes: value.bytes, head: value.head }];
    default:
      return [];
  }
}
