import type { Senders } from './delivery.ts';
import { sendDingtalk } from './dingtalk.ts';
import { sendDiscord } from './discord.ts';
import { sendEmail } from './email.ts';
import { sendFeishu } from './feishu.ts';
import { sendNtfy } from './ntfy.ts';
import { sendSlack } from './slack.ts';
import { sendTelegram } from './telegram.ts';
import { sendWebhook } from './webhook.ts';
import { sendWecom } from './wecom.ts';

/** How each kind of target gets its messages. */
export const SENDERS: Senders = {
  webhook: sendWebhook,
  ntfy: sendNtfy,
  slack: sendSlack,
  discord: sendDiscord,
  telegram: sendTelegram,
  feishu: sendFeishu,
  dingtalk: sendDingtalk,
  wecom: sendWecom,
  email: sendEmail,
};
