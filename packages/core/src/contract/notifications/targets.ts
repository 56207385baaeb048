import * as z from 'zod';
import { isShowable } from '../alias-text.ts';
import {
  NOTIFICATION_LIMITS as LIMITS,
  MAIL_SECURITY,
  NOTIFICATION_CHANGES,
  NOTIFICATION_EVENTS,
  TARGET_KINDS,
  TARGET_LANGUAGES,
} from './kinds.ts';

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    // A line break would end a header of a mail.
    .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters');
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM expected');
const address = line(LIMITS.text).regex(/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, 'an e-mail address expected');
/** null and '' remove the stored value; an absent member keeps it. */
const secret = line(LIMITS.secret).nullish();
/** Sent in a header. */
const token = line(LIMITS.secret)
  .regex(/^[\x21-\x7e]*$/, 'only ASCII letters, digits and signs can be sent')
  .nullish();
const url = line(LIMITS.url).nullish();
/** Shown in answers and links, so no user name and password may be in it. */
const isPlainAddress = (text: string) => /^https?:\/\/[^\s?#@]+$/.test(text) && URL.canParse(text);

export const notificationSettingsSchema = z.strictObject({
  /** Address under which the panel is opened; '' = messages have no links. */
  baseUrl: line(LIMITS.url).refine((text) => text === '' || isPlainAddress(text), 'http(s)://host[:port] expected'),
  /** A quota window with less of it left counts as low. */
  quotaLowPercent: z.int().min(1).max(LIMITS.quotaLowPercent),
  /** A volume with less free space counts as low; 0 = never. */
  diskFreeGiB: z.number().min(0).max(LIMITS.diskFreeGiB),
  /** The collector has to be down for this long. */
  collectorDownMinutes: z.int().min(1).max(LIMITS.collectorDownMinutes),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

export const quietHoursSchema = z.strictObject({ from: timeOfDay, to: timeOfDay });
export type QuietHours = z.infer<typeof quietHoursSchema>;

const common = {
  name: line(LIMITS.name).min(1).refine(isShowable, 'must be visible text in its usual direction'),
  enabled: z.boolean(),
  language: z.enum(TARGET_LANGUAGES),
  events: z.array(z.enum(NOTIFICATION_EVENTS)),
  /** Also on recovery. */
  sendRecovered: z.boolean(),
  /** False: accounts are named by their provider alone. */
  showAccounts: z.boolean(),
  /** IANA name for quiet hours and for times in messages; '' = UTC. */
  timeZone: line(LIMITS.text),
  /** Local times; what happens within them is sent afterwards, in one message. null = none. */
  quietHours: quietHoursSchema.nullable(),
};

const noOptions = z.strictObject({});
const telegramOptions = z.strictObject({
  chatId: line(LIMITS.text).min(1),
  /** Topic of a group; '' = none. */
  threadId: line(LIMITS.text).regex(/^\d*$/, 'digits expected'),
  /** Of a Bot API server of one's own. */
  apiUrl: line(LIMITS.url).refine(isPlainAddress, 'http(s)://host[:port] expected'),
});
const emailOptions = z.strictObject({
  host: line(LIMITS.text).min(1),
  port: z.int().min(1).max(65_535),
  security: z.enum(MAIL_SECURITY),
  /** '' = no sign-in. */
  username: line(LIMITS.text),
  from: address,
  to: z.array(address).min(1).max(LIMITS.recipients),
});

/** A target as sent: with secrets that are new. */
export const targetRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('webhook'),
    options: noOptions,
    secrets: z.strictObject({ url, signingSecret: secret }),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('ntfy'),
    options: noOptions,
    secrets: z.strictObject({ url, token }),
  }),
  z.strictObject({ ...common, kind: z.literal('slack'), options: noOptions, secrets: z.strictObject({ url }) }),
  z.strictObject({ ...common, kind: z.literal('discord'), options: noOptions, secrets: z.strictObject({ url }) }),
  z.strictObject({
    ...common,
    kind: z.literal('telegram'),
    options: telegramOptions,
    secrets: z.strictObject({ token: secret }),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('feishu'),
    options: noOptions,
    secrets: z.strictObject({ url, signingSecret: secret }),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('dingtalk'),
    options: noOptions,
    secrets: z.strictObject({ url, signingSecret: secret }),
  }),
  z.strictObject({ ...common, kind: z.literal('wecom'), options: noOptions, secrets: z.strictObject({ url }) }),
  z.strictObject({
    ...common,
    kind: z.literal('email'),
    options: emailOptions,
    secrets: z.strictObject({ password: secret }),
  }),
]);
export type TargetRequest = z.infer<typeof targetRequestSchema>;
export type TelegramOptions = z.infer<typeof telegramOptions>;
export type EmailOptions = z.infer<typeof emailOptions>;

/** A secret in an answer: never its value. */
const shownSecretSchema = z.strictObject({
  set: z.boolean(),
  /** Of a URL, its scheme and host; else ''. */
  hint: z.string(),
});

export const notificationTargetSchema = z.strictObject({
  ...common,
  id: z.string(),
  kind: z.enum(TARGET_KINDS),
  options: z.union([emailOptions, telegramOptions, noOptions]),
  /** By name; those of `TARGET_SECRETS`. */
  secrets: z.record(z.string(), shownSecretSchema),
  /** False: they were encrypted with another data key and have to be entered again. */
  secretsReadable: z.boolean(),
  createdAtMs: z.int(),
  updatedAtMs: z.int(),
  /** Messages that wait for delivery. */
  queued: z.int(),
});
export type NotificationTarget = z.infer<typeof notificationTargetSchema>;

/** Answer of GET. */
export const notificationsResponseSchema = z.strictObject({
  settings: notificationSettingsSchema,
  items: z.array(notificationTargetSchema),
});
export type NotificationsResponse = z.infer<typeof notificationsResponseSchema>;

/** Answer of POST and PUT of a target. */
export const notificationTargetResponseSchema = z.strictObject({ item: notificationTargetSchema });
export type NotificationTargetResponse = z.infer<typeof notificationTargetResponseSchema>;

/** Answer of POST `…/test`: what the service itself answered. */
export const notificationTestResponseSchema = z.strictObject({
  sent: z.boolean(),
  /** HTTP status, or reply code of a mail server; null = there was no answer. */
  status: z.int().nullable(),
  /** At most 300 characters, without secrets. */
  answer: z.string(),
});
export type NotificationTestResponse = z.infer<typeof notificationTestResponseSchema>;

export const notificationLogEntrySchema = z.strictObject({
  id: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  kind: z.enum(TARGET_KINDS),
  test: z.boolean(),
  status: z.enum(['queued', 'sent', 'failed']),
  /** First line of the message, in the language of the target. */
  title: z.string(),
  /** What it is about, without names; empty for a test. */
  changes: z.array(
    z.strictObject({ event: z.enum(NOTIFICATION_EVENTS), change: z.enum(NOTIFICATION_CHANGES), count: z.int() }),
  ),
  attempts: z.int(),
  /** Of a queued message. */
  nextAttemptAtMs: z.int().nullable(),
  createdAtMs: z.int(),
  finishedAtMs: z.int().nullable(),
  /** What the service answered last. */
  answer: z.string(),
});
export type NotificationLogEntry = z.infer<typeof notificationLogEntrySchema>;

/** Answer of GET `…/log`: the newest first. */
export const notificationLogResponseSchema = z.strictObject({ items: z.array(notificationLogEntrySchema) });
export type NotificationLogResponse = z.infer<typeof notificationLogResponseSchema>;
