/** Words and limits of notifications, without a schema library: the panel uses them too. */

/**
 * `GET` and `PUT …/settings`, `GET …/log`, `POST …/targets`, `PUT` and `DELETE …/targets/{id}`, `POST …/targets/{id}/test`. `GET` of the path
 * itself lists everything that can be set.
 */
export const NOTIFICATIONS_PATH = '/usage-service/notifications';

/** What a target can be told of, in the order of messages and lists. */
export const NOTIFICATION_EVENTS = [
  'collector_down',
  'collector_starved',
  'collection_gap',
  'disk_low',
  'account_login',
  'quota_used_up',
  'quota_low',
  'budget_passed',
  'archive_failed',
  'inspection_failed',
  'gateway_update',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** A target that wants it lets the gateway ask its release server once a day, so it is only chosen by a person. */
export const ASKS_OUTSIDE: NotificationEvent = 'gateway_update';

/** `passed`: it began and ended since the last message. */
export const NOTIFICATION_CHANGES = ['raised', 'passed', 'recovered'] as const;
export type NotificationChange = (typeof NOTIFICATION_CHANGES)[number];

export const TARGET_KINDS = [
  'webhook',
  'ntfy',
  'slack',
  'discord',
  'telegram',
  'feishu',
  'dingtalk',
  'wecom',
  'email',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** Languages of messages. */
export const TARGET_LANGUAGES = ['en', 'zh-CN'] as const;
export type TargetLanguage = (typeof TARGET_LANGUAGES)[number];

export type SecretName = 'url' | 'signingSecret' | 'token' | 'password';

/** Values of a target that no answer returns. The first one is required, except for e-mail. */
export const TARGET_SECRETS = {
  webhook: ['url', 'signingSecret'],
  ntfy: ['url', 'token'],
  slack: ['url'],
  discord: ['url'],
  telegram: ['token'],
  feishu: ['url', 'signingSecret'],
  dingtalk: ['url', 'signingSecret'],
  wecom: ['url'],
  email: ['password'],
} as const satisfies Readonly<Record<TargetKind, readonly SecretName[]>>;

/** Without a value of this name a target cannot send anything. */
export function requiredSecret(kind: TargetKind): SecretName | null {
  return kind === 'email' ? null : TARGET_SECRETS[kind][0];
}

/** How a mail server is spoken to: TLS from the start, TLS by STARTTLS or not at all, no TLS. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const;
export type MailSecurity = (typeof MAIL_SECURITY)[number];

export const TELEGRAM_API = 'https://api.telegram.org';

export const DEFAULT_NOTIFICATION_SETTINGS = {
  baseUrl: '',
  quotaLowPercent: 20,
  diskFreeGiB: 2,
  collectorDownMinutes: 5,
} as const;

export const NOTIFICATION_LIMITS = {
  targets: 20,
  name: 60,
  url: 2048,
  secret: 1024,
  text: 255,
  recipients: 20,
  quotaLowPercent: 99,
  diskFreeGiB: 1_000_000,
  collectorDownMinutes: 1_440,
  /** Finished messages that are kept, of all targets. */
  log: 500,
} as const;
