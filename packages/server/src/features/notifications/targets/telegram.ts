import { isJsonObject, parseJson } from '@manager/core/json/json';
import { chatText } from '../render.ts';
import { shortened } from '../shortened.ts';
import type { Delivery, OptionsOf } from './delivery.ts';
import { byStatus, type HttpAnswer, httpTarget } from './http-request.ts';

const MAX_TEXT = 4_000;

export const sendTelegram = httpTarget<OptionsOf<'telegram'>>(
  ({ apiUrl, chatId, threadId }, { message, language, secrets }) => ({
    // The token is a part of the path.
    url: new URL(
      `${apiUrl.replace(/\/+$/, '')}/bot${encodeURIComponent(secrets.token ?? '').replaceAll('%3A', ':')}/sendMessage`,
    ).href,
    body: JSON.stringify({
      chat_id: chatId,
      ...(threadId === '' ? {} : { message_thread_id: Number(threadId) }),
      text: shortened(chatText(message, language), MAX_TEXT),
      link_preview_options: { is_disabled: true },
    }),
  }),
  judge,
);

/** The pause is in the body. */
function judge(answer: HttpAnswer): Delivery {
  const judged = byStatus(answer);
  const body = parseJson(answer.text);
  if (judged.outcome === 'sent') {
    const isTaken = isJsonObject(body) && body.ok === true;
    return isTaken ? judged : { ...judged, outcome: answer.isWhole ? 'refused' : 'retry' };
  }
  const seconds = retryAfterOf(body);
  return seconds === null ? judged : { ...judged, retryAfterMs: seconds * 1_000 };
}

function retryAfterOf(body: unknown): number | null {
  const parameters = isJsonObject(body) ? body.parameters : null;
  const value = isJsonObject(parameters) ? parameters.retry_after : null;
  return typeof value === 'number' && value > 0 ? value : null;
}
