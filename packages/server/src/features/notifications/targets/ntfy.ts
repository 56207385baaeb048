import { plainText } from '../render.ts';
import { shortenedToBytes } from '../shortened.ts';
import type { OptionsOf } from './delivery.ts';
import { httpTarget } from './http-request.ts';

/** In UTF-8; a longer message becomes an attachment. */
const MAX_BYTES = 1_300;
const HIGH = 4;
const DEFAULT = 3;

/** The URL names the topic in its last part; as JSON the message goes to the server itself. */
export const sendNtfy = httpTarget<OptionsOf<'ntfy'>>((_options, { message, content, language, secrets }) => {
  const topicUrl = new URL(secrets.url ?? '');
  const parts = topicUrl.pathname.split('/').filter((part) => part !== '');
  const topic = decodeURIComponent(parts.pop() ?? '');
  if (topic === '') throw new Error('the URL has no topic');
  const server = new URL(topicUrl.origin);
  server.pathname = `/${parts.join('/')}`;
  const token = secrets.token ?? '';
  const isBad = content.groups.some(({ change }) => change === 'raised');
  return {
    url: server.href,
    headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      topic,
      title: message.title,
      message: shortenedToBytes(plainText(message, language), MAX_BYTES),
      priority: isBad ? HIGH : DEFAULT,
      ...(message.url === '' ? {} : { click: message.url }),
    }),
  };
});
