import { createHmac } from 'node:crypto';
import { chatText } from '../render.ts';
import { shortened } from '../shortened.ts';
import type { OptionsOf } from './delivery.ts';
import { byErrorCode, httpTarget } from './http-request.ts';

const MAX_TEXT = 4_000;
/** Too many messages. */
const BUSY: ReadonlySet<number> = new Set([11232]);

export const sendFeishu = httpTarget<OptionsOf<'feishu'>>(
  (_options, { message, language, secrets, nowMs }) => ({
    url: new URL(secrets.url ?? '').href,
    body: JSON.stringify({
      ...signed(secrets.signingSecret ?? '', nowMs),
      msg_type: 'text',
      content: { text: shortened(chatText(message, language), MAX_TEXT) },
    }),
  }),
  byErrorCode(['code', 'StatusCode'], BUSY),
);

/** The text to sign is the key of the HMAC there, and the message is empty. */
function signed(secret: string, nowMs: number): object {
  if (secret === '') return {};
  const timestamp = String(Math.floor(nowMs / 1_000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64') };
}
