import { createHmac } from 'node:crypto';
import { chatText } from '../render.ts';
import { shortened } from '../shortened.ts';
import type { OptionsOf } from './delivery.ts';
import { byErrorCode, httpTarget } from './http-request.ts';

const MAX_TEXT = 4_000;
/** The system is busy; too many messages. */
const BUSY: ReadonlySet<number> = new Set([-1, 130101, 410100]);

export const sendDingtalk = httpTarget<OptionsOf<'dingtalk'>>(
  (_options, { message, language, secrets, nowMs }) => ({
    url: signedUrl(new URL(secrets.url ?? ''), secrets.signingSecret ?? '', nowMs),
    body: JSON.stringify({
      msgtype: 'text',
      text: { content: shortened(chatText(message, language), MAX_TEXT) },
    }),
  }),
  byErrorCode(['errcode'], BUSY),
);

/** HMAC-SHA256 with the secret over time and secret, in the query. */
function signedUrl(url: URL, secret: string, nowMs: number): string {
  if (secret === '') return url.href;
  url.searchParams.set('timestamp', String(nowMs));
  url.searchParams.set('sign', createHmac('sha256', secret).update(`${nowMs}\n${secret}`, 'utf8').digest('base64'));
  return url.href;
}
