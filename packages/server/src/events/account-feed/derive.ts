import { cooldownSignal, type SeenCooldown } from '@manager/core/accounts/cooldown/signals';
import { type CandidateReport, candidateOfEvent } from '@manager/core/accounts/failures/candidate';
import {
  type AccountSuccess,
  notAhead,
  successKeys,
  successOfEvent,
} from '@manager/core/accounts/failures/confirmation';
import { observationOfEvent } from '@manager/core/accounts/quota/header-evidence';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import type { UsageEvent } from '@manager/core/usage/event';
import type { ReaderContext } from '../../sqlite/contexts.ts';
import { type EventDecoder, eventDecoder } from '../detail/event-decoder.ts';
import { type CollectedRange, oldestCollectedRange } from '../ingest/collected-batches.ts';

/** The effects of a range of collected events. */
export interface AccountEffects {
  /** Exactly these events. */
  readonly range: CollectedRange;
  /** More ranges follow. */
  readonly hasMore: boolean;
  readonly observations: readonly QuotaObservation[];
  readonly cooldowns: readonly SeenCooldown[];
  readonly failures: readonly CandidateReport[];
  /** The newest of every account. */
  readonly successes: readonly AccountSuccess[];
  /** Failures of an account that cannot be identified. */
  readonly withoutAuthFile: number;
  /** Unreadable events. They are skipped: one bad row must not block the others. */
  readonly unreadable: number;
}

export interface DeriveArgs {
  readonly maxEvents: number;
  /** Which automations are enabled; an event that is read while they are disabled has no effect later either. */
  readonly cooldowns: boolean;
  readonly failures: boolean;
  readonly nowMs: number;
}

/** Status codes that can lead to a cooldown or a candidate. */
const TELLING_STATUS: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** Read operation: the effects of the oldest collected events that were not processed; null when all were. */
export function deriveAccountEffects({ db }: ReaderContext, args: DeriveArgs): AccountEffects | null {
  const oldest = oldestCollectedRange(db);
  if (oldest === null) return null;
  const lastEventId = Math.min(oldest.lastEventId, oldest.firstEventId + args.maxEvents - 1);
  const rows = db
    .query<{ detail: Uint8Array }, [number, number]>(
      'SELECT detail FROM usage_events WHERE id BETWEEN ? AND ? ORDER BY id',
    )
    .iterate(oldest.firstEventId, lastEventId);
  const found = {
    observations: [] as QuotaObservation[],
    cooldowns: [] as SeenCooldown[],
    failures: [] as CandidateReport[],
    withoutAuthFile: 0,
    unreadable: 0,
  };
  const successes = new Map<string, AccountSuccess>();
  const decode = eventDecoder(db);
  for (const { detail } of rows) {
    try {
      const event = readEvent(decode, detail);
      const observation = observationOfEvent(event);
      if (observation !== null) found.observations.push(observation);
      if (!event.failed) {
        const success = successOfEvent(event, args.nowMs);
        const key = JSON.stringify(successKeys(success));
        if (success.atMs >= (successes.get(key)?.atMs ?? Number.NEGATIVE_INFINITY)) successes.set(key, success);
        continue;
      }
      const candidate = args.cooldowns ? cooldownSignal(event, args.nowMs) : null;
      if (candidate !== null) found.cooldowns.push({ candidate, seenAtMs: event.timestamp_ms });
      const outcome = args.failures ? candidateOfEvent(event) : null;
      if (outcome?.kind === 'candidate') {
        const { report } = outcome;
        found.failures.push({ ...report, seenAtMs: notAhead(report.seenAtMs, args.nowMs) });
      }
      if (outcome?.kind === 'no_auth_file') found.withoutAuthFile += 1;
    } catch {
      found.unreadable += 1;
    }
  }
  return {
    ...found,
    successes: [...successes.values()],
    range: { firstEventId: oldest.firstEventId, lastEventId },
    hasMore: lastEventId < oldest.lastEventId,
  };
}

/** The raw record is expensive to read, and only needed for failures that concern the account. */
function readEvent(decode: EventDecoder, detail: Uint8Array): UsageEvent {
  const event = decode(detail, { raw: false });
  return event.failed && TELLING_STATUS.has(event.fail_status_code ?? 0) ? decode(detail) : event;
}
