import type { CandidateAction } from '../../contract/account-actions.ts';
import { trimText } from '../../json/text.ts';
import { normalizedProvider } from '../../usage/account-key.ts';
import type { UsageEvent } from '../../usage/event.ts';
import { directSnapshot } from '../identity.ts';
import type { ListedAccount } from '../listed-account.ts';

/**
 * One failure is no broken login yet: gateways refresh a refused token and repeat the request themselves. So long a later
 * success may show that the account works.
 */
export const CONFIRMATION_MS = 90_000;
/** An old failure may have its success in the next batch of events. */
const READ_MS = 5_000;
/** A time that is further ahead is wrong by one of the clocks. A success must not hide all failures until then. */
const AHEAD_MS = 60_000;

/** The latest time that an event can have. */
export function latestMs(nowMs: number): number {
  return nowMs + AHEAD_MS;
}

/**
 * Time of an event that is read now. Of failures as of successes: with a clock that is ahead each would be older than the other
 * otherwise.
 */
export function notAhead(atMs: number, nowMs: number): number {
  return Math.min(atMs, latestMs(nowMs));
}

/**
 * When a failure counts, unless the account succeeds before.
 *
 * @param failedAtMs start of the failed attempt, by the clock of the gateway, which may be ahead
 * @param nowMs when it was read
 */
export function confirmedAtMs(failedAtMs: number, nowMs: number): number {
  return Math.max(Math.min(failedAtMs, nowMs) + CONFIRMATION_MS, nowMs + READ_MS);
}

/** Failures of a candidate. */
interface Failures {
  readonly actionType: CandidateAction;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
}

/** A deactivated account is not a matter of its token, so one failure is enough to show it. It is disabled as late as others. */
export function isDeactivation({ actionType }: Pick<Failures, 'actionType'>): boolean {
  return actionType === 'delete';
}

/** The newest success of an account, by the start of its attempt. */
export interface AccountSuccess {
  readonly file: string;
  readonly provider: string;
  readonly authIndex: string;
  readonly accountSnapshot: string;
  readonly atMs: number;
}

type SucceededEvent = Pick<
  UsageEvent,
  'timestamp_ms' | 'provider' | 'auth_provider_snapshot' | 'auth_file_snapshot' | 'auth_index' | 'account_snapshot'
>;

/** A success whose account is unknown has no key. */
export function successOfEvent(event: SucceededEvent, nowMs: number): AccountSuccess {
  const file = trimText(event.auth_file_snapshot);
  return {
    file,
    provider: normalizedProvider(trimText(event.auth_provider_snapshot) || event.provider),
    authIndex: trimText(event.auth_index),
    accountSnapshot: file === '' ? '' : directSnapshot(event.account_snapshot, file),
    atMs: notAhead(event.timestamp_ms, nowMs),
  };
}

type Subject = Omit<AccountSuccess, 'atMs'>;

/**
 * Names of an account by which successes are found: its index and, for events of gateways that send none, its name. Every
 * success is kept under all of them, and looked up by the first.
 */
export function successKeys({ file, provider, authIndex, accountSnapshot }: Subject): readonly string[] {
  const named = accountSnapshot === '' ? [] : [JSON.stringify(['snapshot', file, provider, accountSnapshot])];
  return authIndex === '' ? named : [JSON.stringify(['index', authIndex]), ...named];
}

/**
 * What a success means for the failures of a candidate: all are older, or only some, so that the others are confirmed anew.
 * Attempts that start at the same moment are a failure and its repetition. Failures that are still to come are from before a
 * clock was set back.
 */
export function afterSuccess(
  { firstSeenAtMs, lastSeenAtMs }: Pick<Failures, 'firstSeenAtMs' | 'lastSeenAtMs'>,
  successAtMs: number,
  nowMs: number,
): 'superseded' | 'again' | 'unchanged' {
  if (successAtMs >= lastSeenAtMs || lastSeenAtMs > latestMs(nowMs)) return 'superseded';
  return successAtMs >= firstSeenAtMs ? 'again' : 'unchanged';
}

/** Whether the account got a new token since its last failure, and a new token can help. */
export function isRefreshedSince(
  row: Pick<Failures, 'actionType' | 'lastSeenAtMs'>,
  { lastRefreshMs }: Pick<ListedAccount, 'lastRefreshMs'>,
): boolean {
  return !isDeactivation(row) && lastRefreshMs !== null && lastRefreshMs > row.lastSeenAtMs;
}

/** `reason` of a candidate that a success withdrew. */
export const SUPERSEDED = 'superseded';
