import { chatText } from '../render.ts';
import { shortenedToBytes } from '../shortened.ts';
import type { OptionsOf } from './delivery.ts';
import { byErrorCode, httpTarget } from './http-request.ts';

/** In UTF-8. */
const MAX_BYTES = 2_048;
/** The system is busy; too many messages. */
const BUSY: ReadonlySet<number> = new Set([-1, 45009]);

export const sendWecom = httpTarget<OptionsOf<'wecom'>>(
  (_options, { message, language, secrets }) => ({
    url: new URL(secrets.url ?? '').href,
    body: JSON.stringify({
      msgtype: 'text',
      text: { content: shortenedToBytes(chatText(message, language), MAX_BYTES) },
    }),
  }),
  byErrorCode(['errcode'], BUSY),
);
