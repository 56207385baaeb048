import type { CollectorMode, CollectorSettings, GatewayConnection } from '../platform/config/config.ts';
import type { KeyRefused } from './types.ts';

export type CollectorState = 'stopped' | 'starting' | 'running' | 'error';
export type Transport = '' | 'subscribe' | 'http' | 'resp';
/** Where a run fails: at a step of the connection, or when it stores events. */
export type CollectorStage = 'connect' | 'auth' | 'subscribe' | 'http' | 'consume';
export type GapKind = 'unclean_stop' | 'away' | 'dropped' | 'answer_lost' | 'publishing_off' | 'starved';

/** What the `collector` object of `/status` shows, and the stage of an error. Times are ms, 0 = never in this process. */
export interface CollectorStatus {
  readonly collector: CollectorState;
  readonly upstream: string;
  readonly mode: CollectorMode;
  readonly transport: Transport;
  readonly queue: string;
  readonly lastConsumedAt: number;
  readonly lastInsertedAt: number;
  readonly totalInserted: number;
  readonly totalSkipped: number;
  readonly deadLetters: number;
  /**
   * Records stored with replaced characters, cut to the record limit, or with token counts out of range, since process start.
   */
  readonly totalRepaired: number;
  /** `<stage>: <detail>`, '' = no error. */
  readonly lastError: string;
  /** Of `lastError`; null = no error. */
  readonly failedStage: CollectorStage | null;
  readonly starved: boolean;
  readonly starvedReason?: 'publishing_off' | 'no_events' | 'partial';
  readonly gaps: {
    readonly count: number;
    readonly open: readonly GapKind[];
    readonly last?: {
      readonly fromMs: number;
      readonly toMs: number | null;
      readonly kind: GapKind;
      readonly estimatedLost: number | null;
    };
  };
  readonly spooledRecords: number;
  readonly keyRefused?: KeyRefused;
}

export interface CollectorTarget {
  readonly connection: GatewayConnection;
  readonly settings: CollectorSettings;
}

/** One collector per process. */
export interface Collector {
  /** Starts a run; a run in progress first commits or spools its records. */
  start(target: CollectorTarget): Promise<void>;
  /** Lets a pop in flight finish (at most 5 s), commits its records, writes the clean mark. */
  stop(): Promise<void>;
  status(): CollectorStatus;
  /** Reads what the gateway's configuration says about events now, because someone may have changed it. */
  configurationChanged(): void;
  /** True while a run exists, in any state: a proxied read of the usage queue would then destroy events. */
  active(): boolean;
}
