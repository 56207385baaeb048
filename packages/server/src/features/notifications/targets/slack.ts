import { chatText } from '../render.ts';
import { shortened } from '../shortened.ts';
import type { OptionsOf } from './delivery.ts';
import { httpTarget } from './http-request.ts';

const MAX_TEXT = 3_900;

export const sendSlack = httpTarget<OptionsOf<'slack'>>((_options, { message, language, secrets }) => ({
  url: new URL(secrets.url ?? '').href,
  body: JSON.stringify({
    text: shortened(chatText(message, language, { escaped, strong: (title) => `*${title}*` }), MAX_TEXT),
    unfurl_links: false,
  }),
}));

/** The three characters with a meaning of their own there; a name must not become a mention. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
