import { createHmac } from 'node:crypto';
import { plainText } from '../render.ts';
import type { OptionsOf, Outgoing } from './delivery.ts';
import { httpTarget } from './http-request.ts';

/** JSON for programs: the same facts as the texts, and the texts. */
export const sendWebhook = httpTarget<OptionsOf<'webhook'>>((_options, outgoing) => {
  const { secrets, nowMs, id } = outgoing;
  const body = JSON.stringify(bodyOf(outgoing));
  const timestamp = String(Math.floor(nowMs / 1_000));
  const key = secrets.signingSecret ?? '';
  const signature = key === '' ? {} : { 'X-Manager-Signature': `sha256=${signatureOf(key, timestamp, body)}` };
  return {
    url: new URL(secrets.url ?? '').href,
    headers: { 'X-Manager-Message-Id': id, 'X-Manager-Timestamp': timestamp, ...signature },
    body,
  };
});

/** HMAC-SHA256 over timestamp, a full stop and the body, in hex. */
export function signatureOf(key: string, timestamp: string, body: string): string {
  return createHmac('sha256', key).update(`${timestamp}.${body}`, 'utf8').digest('hex');
}

function bodyOf({ id, message, content, isTest, language, createdAtMs }: Outgoing): object {
  return {
    id,
    test: isTest,
    created_at_ms: createdAtMs,
    language,
    title: message.title,
    text: plainText(message, language),
    url: message.url,
    changes: content.groups.map(({ event, change, count, items }, index) => ({
      event,
      change,
      count,
      text: message.lines[index]?.text ?? '',
      url: message.lines[index]?.url ?? '',
      items: items.map(({ subject, name, provider, sinceMs, untilMs, facts }) => ({
        subject,
        name,
        ...(provider === '' ? {} : { provider }),
        since_ms: sinceMs,
        until_ms: untilMs,
        facts,
      })),
    })),
  };
}
