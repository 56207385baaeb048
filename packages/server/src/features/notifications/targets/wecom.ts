import { chatText } from '../render.ts';
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
      text: { content: within(chatText(message, language), MAX_BYTES) },
    }),
  }),
  byErrorCode(['errcode'], BUSY),
);

/** Cut to a number of bytes in UTF-8, never within a character. */
function within(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = '…';
  let size = Buffer.byteLength(cut);
  let kept = '';
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return kept + cut;
}
