import { AppError } from '@manager/core/contract/errors';
import type { Context } from 'hono';
import { readBody, refuseTooDeep } from './body.ts';
import { type TaggedPieces, taggedJson } from './entity-tag.ts';
import type { FeatureRoutes, ManagerEnv } from './environment.ts';
import { queryParameter } from './query.ts';

/** A validated request; a long one is passed as text, so that the main thread does not parse it. */
export type JsonInput<Query> = { readonly query: Query } | { readonly body: string };

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_URL_BYTES = 32 * 1024;
/** A longer body is parsed by the worker that answers: here it would block everything else. */
const MAX_PARSED_HERE = 256 * 1024;

export interface JsonQuestion<Query> {
  readonly path: string;
  /** @throws AppError 400 */
  readonly parse: (body: string) => Query;
  readonly ask: (
    input: JsonInput<Query>,
    options: { readonly signal: AbortSignal },
  ) => Promise<Uint8Array<ArrayBuffer> | TaggedPieces>;
}

/** A request with a JSON body: as POST, or as GET with the body in the parameter `request`. */
export function answerJson<Query>(routes: FeatureRoutes, { path, parse, ask }: JsonQuestion<Query>): void {
  routes.post(path, async (c) => answer(c, decodeBody(await readBody(c.req.raw, MAX_BODY_BYTES))));

  routes.get(path, (c) => {
    if (c.req.url.length > MAX_URL_BYTES) {
      throw new AppError('address_too_long');
    }
    const request = queryParameter(c, 'request');
    if (request === undefined) throw new AppError('method_not_allowed', { headers: { Allow: 'POST, OPTIONS' } });
    return answer(c, request);
  });

  async function answer(c: Context<ManagerEnv>, text: string): Promise<Response> {
    const input: JsonInput<Query> = text.length > MAX_PARSED_HERE ? { body: text } : { query: parse(text) };
    return taggedJson(await ask(input, { signal: c.req.raw.signal }), c.req.header('If-None-Match'));
  }
}

/** The parsed request, wherever it is parsed. */
export function queryOf<Query>(input: JsonInput<Query>, parse: (body: string) => Query): Query {
  return 'query' in input ? input.query : parse(input.body);
}

/** @throws AppError 400 */
export function parseJsonText(text: string): unknown {
  refuseTooDeep(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', { message: 'request body: not valid JSON' });
  }
}

function decodeBody(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_json', { message: 'request body: not valid UTF-8' });
  }
}
