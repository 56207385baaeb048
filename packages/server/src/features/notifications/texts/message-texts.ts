import type { NotificationChange, NotificationEvent } from '@manager/core/contract/notifications/kinds';
import type { ConditionReason } from '../condition.ts';

/** Sentences about one event after one kind of change. */
export interface ChangeTexts {
  /** About one condition: `{name}`, `{from}`, `{until}` and facts by their name. */
  readonly one: string;
  /** About several: `{count}`. Their names follow. */
  readonly many: string;
}

export interface MessageTexts {
  readonly events: Readonly<Record<NotificationEvent, Readonly<Record<NotificationChange, ChangeTexts>>>>;
  /** Title of a message about several kinds of changes: `{count}`. */
  readonly digest: string;
  /** After the names: `{count}` more. */
  readonly more: string;
  /** Before the link. */
  readonly link: string;
  readonly test: { readonly title: string; readonly text: string };
  /** Stands for an account whose name is not to be sent: `{provider}`. */
  readonly someAccount: string;
  /** Stands for a client key whose name is not to be sent. */
  readonly someClientKey: string;
  /** What a budget without a key or model is for. */
  readonly allRequests: string;
  readonly unknown: string;
  readonly hours: string;
  readonly days: string;
  readonly minutes: string;
  /** Follows where the fact is known. */
  readonly resets: string;
  readonly reasons: Readonly<Record<ConditionReason, string>>;
  readonly colon: string;
  readonly listSeparator: string;
  readonly sentenceSeparator: string;
}
