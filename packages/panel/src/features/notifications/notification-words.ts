import type {
  MailSecurity,
  NotificationChange,
  NotificationEvent,
  SecretName,
  TargetKind,
} from '@manager/core/contract/notifications/kinds';
import type { NotificationLogEntry } from '@manager/core/contract/notifications/targets';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';

export const KIND_LABELS: Readonly<Record<TargetKind, TextKey>> = {
  webhook: 'notifications.kindWebhook',
  ntfy: 'notifications.kindNtfy',
  slack: 'notifications.kindSlack',
  discord: 'notifications.kindDiscord',
  telegram: 'notifications.kindTelegram',
  feishu: 'notifications.kindFeishu',
  dingtalk: 'notifications.kindDingtalk',
  wecom: 'notifications.kindWecom',
  email: 'notifications.kindEmail',
};

export const EVENT_LABELS: Readonly<Record<NotificationEvent, TextKey>> = {
  collector_down: 'notifications.collectorDown',
  collector_starved: 'notifications.collectorStarved',
  collection_gap: 'notifications.collectionGap',
  disk_low: 'notifications.diskLow',
  account_login: 'notifications.accountLogin',
  quota_used_up: 'notifications.quotaUsedUp',
  quota_low: 'notifications.quotaLow',
  budget_passed: 'notifications.budgetPassed',
  archive_failed: 'notifications.archiveFailed',
  inspection_failed: 'notifications.inspectionFailed',
  gateway_update: 'notifications.gatewayUpdate',
};

const CHANGE_LABELS: Readonly<Record<NotificationChange, TextKey>> = {
  raised: 'notifications.changeRaised',
  passed: 'notifications.changePassed',
  recovered: 'notifications.changeRecovered',
};

export const SECURITY_LABELS: Readonly<Record<MailSecurity, TextKey>> = {
  tls: 'notifications.securityTls',
  starttls: 'notifications.securityStarttls',
  none: 'notifications.securityNone',
};

/** What a secret is called in the form. */
export const SECRET_LABELS: Readonly<Record<SecretName, TextKey>> = {
  url: 'notifications.url',
  signingSecret: 'notifications.signingSecret',
  token: 'notifications.token',
  password: 'notifications.password',
};

/** Which URL of a service is meant. */
export const URL_HINTS: Readonly<Partial<Record<TargetKind, TextKey>>> = {
  webhook: 'notifications.urlWebhookHint',
  ntfy: 'notifications.urlNtfyHint',
  slack: 'notifications.urlSlackHint',
  discord: 'notifications.urlDiscordHint',
  feishu: 'notifications.urlFeishuHint',
  dingtalk: 'notifications.urlDingtalkHint',
  wecom: 'notifications.urlWecomHint',
};

/** What a message was about, without names: `Account needs a sign-in (new, 3)`. */
export function changesText({ changes, test }: NotificationLogEntry, t: Translate): string {
  if (test) return t('notifications.testMessage');
  return changes
    .map(({ event, change, count }) => {
      const values = { event: t(EVENT_LABELS[event]), change: t(CHANGE_LABELS[change]), count };
      return t(count === 1 ? 'notifications.oneChange' : 'notifications.someChanges', values);
    })
    .join(' · ');
}
