import type { IngestResult } from '../../events/ingest/ingest.ts';
import type { GatewayHttp } from '../../gateway/http-call.ts';
import type { ManagementClient } from '../../gateway/management-client.ts';
import type { KeyRefusalGate } from '../../gateway/types.ts';
import type { GapKeeper } from './gap-keeper.ts';
import type { CollectorLogger, CollectorStore, Ingest } from './ports.ts';
import type { Spool } from './spool.ts';
import type { ThreadLag } from './thread-lag.ts';
import type { CollectorTiming } from './timing.ts';

export interface CollectorDeps {
  readonly ingest: Ingest;
  readonly store: CollectorStore;
  readonly gate: KeyRefusalGate;
  readonly http: GatewayHttp;
  readonly management: ManagementClient;
  readonly now: () => number;
  readonly logger: CollectorLogger;
  readonly dataDir: string;
  /** Name of the queue, shown before the first start. */
  readonly queue: string;
  /** Called after every commit, with the ids of the new events. */
  readonly onCommitted?: (outcome: IngestResult) => void;
  readonly timing?: Partial<CollectorTiming>;
}

/** Since process start. */
export interface Counters {
  lastConsumedAt: number;
  lastInsertedAt: number;
  totalInserted: number;
  totalSkipped: number;
  deadLetters: number;
  totalRepaired: number;
}

/** What outlives a run. */
export interface CollectorParts extends Omit<CollectorDeps, 'timing' | 'dataDir'> {
  readonly timing: CollectorTiming;
  readonly spool: Spool;
  readonly gaps: GapKeeper;
  readonly counters: Counters;
  readonly lag: ThreadLag;
}
