import { chatText } from '../render.ts';
import { shortened } from '../shortened.ts';
import type { OptionsOf } from './delivery.ts';
import { httpTarget } from './http-request.ts';

const MAX_TEXT = 2_000;

export const sendDiscord = httpTarget<OptionsOf<'discord'>>((_options, { message, language, secrets }) => ({
  url: new URL(secrets.url ?? '').href,
  body: JSON.stringify({
    content: shortened(chatText(message, language, { escaped, strong: (title) => `**${title}**` }), MAX_TEXT),
    // A name such as @everyone calls nobody.
    allowed_mentions: { parse: [] },
  }),
}));

/** Names of accounts are full of underscores. */
function escaped(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.includes('://') ? line : line.replace(/[\\*_~`|>]/g, '\\$&')))
    .join('\n');
}
