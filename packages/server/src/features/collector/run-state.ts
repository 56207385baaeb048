import type { CollectorStage, CollectorState, Transport } from '../../gateway/collector.ts';
import { GatewayError } from '../../gateway/errors.ts';
import { RespStageError } from '../../gateway/resp/session.ts';
import type { ErrorLog } from '../../platform/logging/error-log.ts';

export interface RunFailure {
  readonly stage: CollectorStage;
  /** `<stage>: <detail>` */
  readonly text: string;
}

/** What `/status` shows of a run: errors of the connection and of the inserts. */
export interface RunState {
  failed(stage: CollectorStage, error: unknown, hint?: string): void;
  /** A step of the connection succeeded: only this clears its error. */
  working(): void;
  /** Text of the insert failure, '' when inserts work. */
  insertProblem(text: string): void;
  setTransport(transport: Transport): void;
  stop(): void;
  collector(): CollectorState;
  transport(): Transport;
  /** Of the inserts, else of the connection; null = all works. */
  failure(): RunFailure | null;
  /** Connected, and inserts work. */
  healthy(): boolean;
}

export function createRunState(log: ErrorLog): RunState {
  let connected = false;
  let connectionFailure: RunFailure | null = null;
  let insertFailure: RunFailure | null = null;
  let transport: Transport = '';
  let stopped = false;

  return {
    failed(stage, error, hint = '') {
      connected = false;
      connectionFailure = { stage, text: `${stage}: ${textOf(error)}${hint}` };
      log.report(`collector: ${connectionFailure.text}`);
    },
    working() {
      if (connected && connectionFailure === null) return;
      connected = true;
      connectionFailure = null;
      if (insertFailure === null) log.recovered(`collector: running over ${transport}`);
    },
    insertProblem(text) {
      insertFailure = text === '' ? null : { stage: 'consume', text: `consume: ${text}` };
      if (insertFailure === null) log.recovered('collector: inserts work again');
      else log.report(`collector: ${insertFailure.text}`);
    },
    setTransport(next) {
      transport = next;
    },
    stop() {
      stopped = true;
    },
    collector() {
      if (stopped) return 'stopped';
      if (insertFailure !== null || connectionFailure !== null) return 'error';
      return connected ? 'running' : 'starting';
    },
    transport: () => transport,
    failure: () => insertFailure ?? connectionFailure,
    healthy: () => connected && connectionFailure === null && insertFailure === null,
  };
}

/** The stage in which something failed, if the error knows it. */
export function stageOf(error: unknown, otherwise: CollectorStage): CollectorStage {
  return error instanceof RespStageError ? error.stage : otherwise;
}

function textOf(error: unknown): string {
  return error instanceof GatewayError ? error.message : 'unexpected error';
}
