import { type AnswerSums, certainOf, totalsOf, uncertainOf } from './answer-sums.ts';

/** Share of events that arrive while nobody else takes them. */
export const IN_ORDER_SHARE = 0.95;

/** Share that is expected of answers that have events; the rest is repeated attempts and events in transit. */
const EXPECTED_SHARE = 0.97;
const LEAST_SHARE = 0.02;
/** So much likelier is the one explanation, or the other. A loss that goes on is looked at often, so silence needs more. */
const TAKEN = Math.log(100);
const SILENT = Math.log(10_000);
/** Answers of an account after which it is known that its successes have events. */
const KNOWN_ANSWERS = 10;

/** What missing events prove. `taken-certainly`: also without what was seen of the accounts before. */
export type Explanation = 'taken-certainly' | 'taken' | 'open' | 'silent';

/**
 * Tells events that someone else took from successes that have none. A second consumer takes the same share of everything; silent
 * successes leave the events of failures and of other providers alone. So those decide, by the likelihood of their number. Where there are
 * none, it counts how complete the events of the same accounts were before.
 */
export interface Silence {
  explain(sums: AnswerSums): Explanation;
  /** The events of this time are complete. */
  learn(sums: AnswerSums): void;
  /** Accounts without events are not known to have some for each success. */
  forget(sums: AnswerSums): void;
}

export function createSilence(): Silence {
  const histories = new Map<string, { answers: number; received: number }>();

  function isKnown(authIndex: string): boolean {
    const history = histories.get(authIndex);
    return (
      history !== undefined && history.answers >= KNOWN_ANSWERS && history.received >= history.answers * IN_ORDER_SHARE
    );
  }

  return {
    explain(sums) {
      const { growth, received } = totalsOf(sums);
      if (growth === 0) return 'open';
      const takenShare = Math.min(Math.max(received / growth, LEAST_SHARE), EXPECTED_SHARE);
      const certain = likelihood(certainOf(sums), takenShare);
      if (certain >= TAKEN) return 'taken-certainly';
      // Clients may begin to leave their streams at any time, so what was seen before never outweighs events that arrive.
      const all = certain + Math.min(TAKEN, likelihood(uncertainOf(sums, isKnown), takenShare));
      if (all >= TAKEN) return 'taken';
      return all <= -SILENT ? 'silent' : 'open';
    },
    learn(sums) {
      for (const [index, { maySucceedSilently, counted, received }] of sums) {
        if (!maySucceedSilently) continue;
        const before = histories.get(index) ?? { answers: 0, received: 0 };
        histories.set(index, {
          answers: before.answers + counted.success,
          received: before.received + Math.min(counted.success, received.success),
        });
      }
    },
    forget(sums) {
      for (const [index, { counted, received }] of sums) {
        if (received.success < counted.success * IN_ORDER_SHARE) histories.delete(index);
      }
    },
  };
}

/** Logarithm of how much likelier it is that only `takenShare` of the events were left than that all arrive. */
function likelihood({ growth, received }: { growth: number; received: number }, takenShare: number): number {
  return (
    (growth - received) * Math.log((1 - takenShare) / (1 - EXPECTED_SHARE)) +
    received * Math.log(takenShare / EXPECTED_SHARE)
  );
}
