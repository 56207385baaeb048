import type { AnswerCounts, ListedAuthFile } from '../../gateway/auth-file-list.ts';

/** Events per `auth_index`. */
export type Received = ReadonlyMap<string, AnswerCounts>;

export type CountedFile = Pick<ListedAuthFile, 'authIndex' | 'answers'> & {
  readonly snapshot: Pick<ListedAuthFile['snapshot'], 'provider'>;
};

/**
 * Providers with successes that have no event although the gateway counts them: streams without usage, and streams that the client
 * left. Failures and all answers of other providers have one.
 */
const SILENT_PROVIDERS: ReadonlySet<string> = new Set(['claude', 'codex', 'xai', 'kimi']);

/** What the gateway counted for an account within a time, and how many of the events arrived. */
export interface AccountSum {
  readonly maySucceedSilently: boolean;
  readonly counted: AnswerCounts;
  readonly received: AnswerCounts;
}

/** Per `auth_index`; accounts without answers are missing. */
export type AnswerSums = ReadonlyMap<string, AccountSum>;

/** The counters of one list. */
export type Counters = ReadonlyMap<string, AnswerCounts & { readonly maySucceedSilently: boolean }>;

/** Entries that share an auth index count together. */
export function countersOf(files: readonly CountedFile[]): Counters {
  const counters = new Map<string, AnswerCounts & { maySucceedSilently: boolean }>();
  for (const { authIndex, answers, snapshot } of files) {
    if (authIndex === '' || answers === null) continue;
    const before = counters.get(authIndex);
    counters.set(authIndex, {
      success: (before?.success ?? 0) + answers.success,
      failed: (before?.failed ?? 0) + answers.failed,
      maySucceedSilently: SILENT_PROVIDERS.has(snapshot.provider.toLowerCase()),
    });
  }
  return counters;
}

/** The growth from one list to the next. An account that is new, or counts from zero again, has nothing to compare. */
export function growthOf(before: Counters, after: Counters, received: Received): AnswerSums {
  const sums = new Map<string, AccountSum>();
  for (const [index, now] of after) {
    const old = before.get(index);
    if (old === undefined || now.success < old.success || now.failed < old.failed) continue;
    const counted = { success: now.success - old.success, failed: now.failed - old.failed };
    const arrived = received.get(index) ?? { success: 0, failed: 0 };
    if (counted.success + counted.failed + arrived.success + arrived.failed === 0) continue;
    sums.set(index, { maySucceedSilently: now.maySucceedSilently, counted, received: arrived });
  }
  return sums;
}

/** Events that arrived before the gateway's list showed their answers: the next list does. */
export function aheadOf(sums: AnswerSums): Received {
  const of = (part: 'received' | 'counted') => new Map([...sums].map(([index, sum]) => [index, sum[part]]));
  return receivedBeyond(of('received'), of('counted'));
}

export function addReceived(one: Received, other: Received): Received {
  const sums = new Map(one);
  for (const [index, counts] of other) sums.set(index, addCounts(sums.get(index), counts));
  return sums;
}

/** What is in `one` and not in `other`. */
export function receivedBeyond(one: Received, other: Received): Received {
  const beyond = new Map<string, AnswerCounts>();
  for (const [index, counts] of one) {
    const less = other.get(index);
    const success = Math.max(0, counts.success - (less?.success ?? 0));
    const failed = Math.max(0, counts.failed - (less?.failed ?? 0));
    if (success + failed > 0) beyond.set(index, { success, failed });
  }
  return beyond;
}

export function leastOf(one: Received, other: Received): Received {
  const least = new Map<string, AnswerCounts>();
  for (const [index, { success, failed }] of one) {
    const limit = other.get(index);
    if (limit === undefined) continue;
    least.set(index, { success: Math.min(success, limit.success), failed: Math.min(failed, limit.failed) });
  }
  return least;
}

export function addSums(one: AnswerSums, other: AnswerSums): AnswerSums {
  const sums = new Map(one);
  for (const [index, sum] of other) {
    const before = sums.get(index);
    sums.set(index, {
      maySucceedSilently: sum.maySucceedSilently,
      counted: addCounts(before?.counted, sum.counted),
      received: addCounts(before?.received, sum.received),
    });
  }
  return sums;
}

/** The same answers with more of their events. */
export function addArrived(sums: AnswerSums, more: Received): AnswerSums {
  if (more.size === 0) return sums;
  return new Map(
    [...sums].map(([index, sum]) => {
      const arrived = more.get(index);
      return [index, arrived === undefined ? sum : { ...sum, received: addCounts(sum.received, arrived) }];
    }),
  );
}

function addCounts(one: AnswerCounts | undefined, other: AnswerCounts): AnswerCounts {
  return { success: (one?.success ?? 0) + other.success, failed: (one?.failed ?? 0) + other.failed };
}

export interface Totals {
  /** Answers that the gateway counted. */
  readonly growth: number;
  /** How many of their events arrived; a surplus of one account does not make up for another. */
  readonly received: number;
}

export function totalsOf(sums: AnswerSums): Totals {
  return sumOf(sums, (account) => {
    const growth = account.counted.success + account.counted.failed;
    return { growth, received: Math.min(growth, account.received.success + account.received.failed) };
  });
}

/** The answers that certainly have events. */
export function certainOf(sums: AnswerSums): Totals {
  return sumOf(sums, (account) => {
    const { counted, received } = account;
    const growth = account.maySucceedSilently ? counted.failed : counted.failed + counted.success;
    // The gateway may count an answer as failed whose event is a success: then it is one more than the successes.
    const arrived = account.maySucceedSilently
      ? received.failed + Math.max(0, received.success - counted.success)
      : received.failed + received.success;
    return { growth, received: Math.min(growth, arrived) };
  });
}

/** Successes that may be silent, of accounts that satisfy a condition. */
export function uncertainOf(sums: AnswerSums, counts: (authIndex: string) => boolean): Totals {
  return sumOf(sums, (account, index) => {
    const growth = account.maySucceedSilently && counts(index) ? account.counted.success : 0;
    return { growth, received: Math.min(growth, account.received.success) };
  });
}

function sumOf(sums: AnswerSums, part: (account: AccountSum, authIndex: string) => Totals): Totals {
  let growth = 0;
  let received = 0;
  for (const [index, account] of sums) {
    const one = part(account, index);
    growth += one.growth;
    received += one.received;
  }
  return { growth, received };
}
