import {
  NOTIFICATION_CHANGES,
  NOTIFICATION_EVENTS,
  type NotificationChange,
  type NotificationEvent,
} from '@manager/core/contract/notifications/kinds';
import { sha256Hex } from '../../platform/sha256.ts';
import { ACCOUNT_EVENTS, type Condition, type SubjectState } from './condition.ts';
import { shortened } from './shortened.ts';

/** Conditions of one kind that changed in the same way. */
export interface ChangeGroup {
  readonly event: NotificationEvent;
  readonly change: NotificationChange;
  readonly count: number;
  /** The first of them. */
  readonly items: readonly ChangedCondition[];
}

export interface ChangedCondition extends Condition {
  /** null = it holds. */
  readonly untilMs: number | null;
}

/** A message in no language: it gets its words when it is sent. */
export interface MessageContent {
  readonly groups: readonly ChangeGroup[];
}

/** A message names so many of a kind, and counts the rest. */
export const NAMED_ITEMS = 10;

const MINUTE_MS = 60_000;
/** Pauses before the second and the third message about an event; a fourth one has to wait until the first is this old. */
const SECOND_AFTER_MS = 5 * MINUTE_MS;
const THIRD_AFTER_MS = 30 * MINUTE_MS;
export const PACE_MS = 60 * MINUTE_MS;

/**
 * Whether a message about an event may be sent now: the first at once, then after growing pauses, never more than three an hour. What
 * happens in a pause is in the next message.
 *
 * @param sentAtMs of messages about the event in the last `PACE_MS`, in any order
 */
export function isDue(sentAtMs: readonly number[], nowMs: number): boolean {
  // A clock that was set back must not end all messages.
  const recent = sentAtMs.filter((atMs) => atMs <= nowMs && nowMs - atMs < PACE_MS);
  if (recent.length === 0) return true;
  if (recent.length > 2) return false;
  return nowMs - Math.max(...recent) >= (recent.length === 1 ? SECOND_AFTER_MS : THIRD_AFTER_MS);
}

/** One message about all these states, each with something to tell. */
export function contentOf(states: readonly SubjectState[]): MessageContent {
  const usedUp = new Set(states.filter(({ event }) => event === 'quota_used_up').map(quotaKey));
  // A used-up quota is low as well: one line is enough.
  const shown = states.filter((state) => state.event !== 'quota_low' || !usedUp.has(quotaKey(state)));
  return {
    groups: NOTIFICATION_EVENTS.flatMap((event) =>
      NOTIFICATION_CHANGES.flatMap((change) => {
        const group = shown.filter((state) => state.event === event && state.pending === change);
        if (group.length === 0) return [];
        const items = group.slice(0, NAMED_ITEMS).map(itemOf);
        return [{ event, change, count: group.length, items }];
      }),
    ),
  };
}

/** Names come from files of the gateway: one line, and not too long. */
const MAX_NAME = 120;

function itemOf({ condition, untilMs }: SubjectState): ChangedCondition {
  const line = condition.name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return { ...condition, name: shortened(line, MAX_NAME), untilMs };
}

function quotaKey({ pending, condition }: SubjectState): string {
  return `${pending} ${condition.subject}`;
}

/** Hexadecimal digits that tell accounts apart. */
const ALIAS_DIGITS = 16;

/** Whether it is about an account or a client key, which often has the name of a person. */
const isAboutSomeone = (event: NotificationEvent, { facts }: Condition): boolean =>
  ACCOUNT_EVENTS.has(event) || facts.scope === 'client_key';

/** The content without names of accounts and client keys: what tells them apart stays, as a number. */
export function withoutAccountNames({ groups }: MessageContent): MessageContent {
  const shown = (event: NotificationEvent, item: ChangedCondition): ChangedCondition =>
    isAboutSomeone(event, item) ? { ...item, name: '', subject: sha256Hex(item.subject).slice(0, ALIAS_DIGITS) } : item;
  return {
    groups: groups.map((group) => ({ ...group, items: group.items.map((item) => shown(group.event, item)) })),
  };
}
