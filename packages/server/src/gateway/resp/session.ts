import type { GatewayConnection } from '../../platform/config/config.ts';
import { addressOf } from '../address.ts';
import { clean, GatewayError, refusalAdvice } from '../errors.ts';
import { explainFailure } from '../port-protocol.ts';
import { MAX_RECORD_BYTES } from '../records.ts';
import { openPermit } from '../refusal.ts';
import type { KeyRefusalGate } from '../types.ts';
import { openRespConnection, type RespConnection } from './connection.ts';

/** The step of opening a session that failed. */
export type RespStage = 'connect' | 'auth' | 'subscribe';

export class RespStageError extends GatewayError {
  readonly stage: RespStage;

  constructor(stage: RespStage, error: GatewayError) {
    super(error.kind, error.message, {
      status: error.status,
      cause: error,
      ...(error.refused === null ? {} : { refused: error.refused }),
    });
    this.stage = stage;
  }
}

export interface RespSessionOptions {
  readonly connection: GatewayConnection;
  readonly gate: KeyRefusalGate;
  readonly now: () => number;
  readonly tlsSkipVerify: boolean;
  readonly dialTimeoutMs: number;
  readonly commandTimeoutMs: number;
  readonly maxRecordBytes?: number;
  readonly signal?: AbortSignal;
}

/** Dials and authenticates. `AUTH` is always sent first. @throws RespStageError */
export async function openRespSession(options: RespSessionOptions): Promise<RespConnection> {
  const permit = stageOf('auth', () => openPermit(options.gate, options.connection));
  let connection: RespConnection;
  try {
    connection = await openRespConnection(addressOf(options.connection.baseUrl), {
      now: options.now,
      tlsSkipVerify: options.tlsSkipVerify,
      timeoutMs: options.dialTimeoutMs,
      maxRecordBytes: options.maxRecordBytes ?? MAX_RECORD_BYTES,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (error) {
    permit.report('unknown');
    throw new RespStageError('connect', asGatewayError(error));
  }
  let answered = false;
  try {
    connection.send(['AUTH', options.connection.managementKey]);
    const reply = await connection.next(options.commandTimeoutMs);
    answered = true;
    if (reply.kind === 'error') throw authError(reply.text);
    if (reply.kind !== 'simple') throw new GatewayError('protocol', 'an unexpected reply to AUTH');
    permit.report('accepted');
    return connection;
  } catch (error) {
    const known = asGatewayError(error);
    if (known.kind === 'key_refused') permit.report('refused', known.message);
    else permit.report('unknown');
    connection.close();
    const address = addressOf(options.connection.baseUrl);
    throw new RespStageError('auth', answered ? known : await explainFailure(address, known));
  }
}

/** Error reply to `AUTH`, or to a command after it. */
export function replyError(text: string): GatewayError {
  const advice = refusalAdvice(text);
  if (advice !== null) return new GatewayError('key_refused', advice);
  return new GatewayError(isUnsupported(text) ? 'unsupported' : 'status', clean(text));
}

function authError(text: string): GatewayError {
  return replyError(text);
}

/** Texts about the version or its configuration, not about the key. */
function isUnsupported(text: string): boolean {
  return /AUTH disabled|home mode|unknown command|unsupported channel/i.test(text);
}

function stageOf<T>(stage: RespStage, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new RespStageError(stage, asGatewayError(error));
  }
}

export function asGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError
    ? error
    : new GatewayError('protocol', 'the gateway address cannot be used', { cause: error });
}
