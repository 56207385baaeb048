import type { Budget } from '@manager/core/contract/budgets';
import type { NotificationChange, NotificationEvent } from '@manager/core/contract/notifications/kinds';

/** Something that holds now, such as a full disk. Plain JSON: it is stored as it is. */
export interface Condition {
  /** Tells conditions of one event apart, and stays while it holds; '' where there is only one. */
  readonly subject: string;
  /** Name on screen; '' = none. */
  readonly name: string;
  /** Of an account; '' = unknown or not an account. */
  readonly provider: string;
  readonly sinceMs: number;
  readonly facts: ConditionFacts;
  /**
   * It does not hold now, but is not over either, such as a passed budget after a change of prices: nothing is told, and what was told stays
   * so while the limit is the same. Never stored.
   */
  readonly lapsed?: true;
  /** It does not hold, and something proves since `sinceMs` that all is well: what ends without this proof ends in silence. Never stored. */
  readonly over?: true;
}

/** Values that texts mention; absent = unknown. */
export interface ConditionFacts {
  readonly leftPercent?: number;
  readonly windowSeconds?: number;
  readonly resetAtMs?: number;
  readonly freeBytes?: number;
  readonly totalBytes?: number;
  /** End of a gap. */
  readonly toMs?: number;
  readonly reason?: ConditionReason;
  /** What a budget is for. */
  readonly scope?: Budget['scope'];
  readonly usedUsd?: number;
  /** Amount of a budget. */
  readonly limitUsd?: number;
  /** Version of the gateway that runs. */
  readonly running?: string;
}

/** Why: each has a sentence in every language. */
export const CONDITION_REASONS = [
  'gateway_unreachable',
  'events_not_stored',
  'key_rejected',
  'address_banned',
  'remote_disabled',
  'key_not_set',
  'token_revoked',
  'invalid_credentials',
] as const;
export type ConditionReason = (typeof CONDITION_REASONS)[number];

/** What holds now. An absent event is unknown at the moment: nothing is concluded from it. */
export type Observation = Readonly<Partial<Record<NotificationEvent, readonly Condition[]>>>;

/** Events about accounts, also where their provider is unknown. */
export const ACCOUNT_EVENTS: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>([
  'account_login',
  'quota_used_up',
  'quota_low',
]);

/** Events that end on their own and have no good state to return to. */
export const OCCURRENCES: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>([
  'collection_gap',
  'gateway_update',
]);

/** Events whose conditions also disappear with their evidence, or with the account: only a proof means that all is well. */
export const ENDS_NEED_PROOF: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>(['account_login']);

/** `no`: not yet; `silent`: it existed before the target, which hears neither of it nor of its end. */
export type Told = 'no' | 'yes' | 'silent';

/** A condition and what one target knows of it. */
export interface SubjectState {
  readonly event: NotificationEvent;
  readonly condition: Condition;
  readonly told: Told;
  readonly pending: NotificationChange | null;
  /** When it was seen to be over; null = it holds. */
  readonly untilMs: number | null;
}
