import type { CollectorState, Transport } from '../../gateway/collector.ts';
import { GatewayError } from '../../gateway/errors.ts';
import { RespStageError } from '../../gateway/resp/session.ts';
import type { ErrorLog } from '../../platform/logging/error-log.ts';

export type Stage = 'connect' | 'auth' | 'subscribe' | 'http' | 'consume';

/** What `/status` shows of a run: errors of the connection and of the inserts. */
export interface RunState {
  failed(stage: Stage, error: unknown, hint?: string): void;
  /** A step of the connection succeeded: only this clears its error. */
  working(): void;
  /** Text of the insert failure, '' when inserts work. */
  insertProblem(text: string): void;
  setTransport(transport: Transport): void;
  stop(): void;
  collector(): CollectorState;
  transport(): Transport;
  lastError(): string;
  /** Connected, and inserts work. */
  healthy(): boolean;
}

export function createRunState(log: ErrorLog): RunState {
  let connected = false;
  let connectionError = '';
  let insertError = '';
  let transport: Transport = '';
  let stopped = false;

  return {
    failed(stage, error, hint = '') {
      connected = false;
      connectionError = `${stage}: ${textOf(error)}${hint}`;
      log.report(`collector: ${connectionError}`);
    },
    working() {
      if (connected && connectionError === '') return;
      connected = true;
      connectionError = '';
      if (insertError === '') log.recovered(`collector: running over ${transport}`);
    },
    insertProblem(text) {
      insertError = text === '' ? '' : `consume: ${text}`;
      if (insertError === '') log.recovered('collector: inserts work again');
      else log.report(`collector: ${insertError}`);
    },
    setTransport(next) {
      transport = next;
    },
    stop() {
      stopped = true;
    },
    collector() {
      if (stopped) return 'stopped';
      if (insertError !== '' || connectionError !== '') return 'error';
      return connected ? 'running' : 'starting';
    },
    transport: () => transport,
    lastError: () => (insertError === '' ? connectionError : insertError),
    healthy: () => connected && connectionError === '' && insertError === '',
  };
}

/** The stage in which something failed, if the error knows it. */
export function stageOf(error: unknown, otherwise: Stage): Stage {
  return error instanceof RespStageError ? error.stage : otherwise;
}

function textOf(error: unknown): string {
  return error instanceof GatewayError ? error.message : 'unexpected error';
}
