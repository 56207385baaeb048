import { AppError } from '@manager/core/contract/errors';
import { ANALYTICS_PATH } from '@manager/core/contract/monitoring';
import { type Context, Hono } from 'hono';
import type { AnalyticsClient } from '../../facts/analytics-client.ts';
import { readBody } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonBytes } from '../../http/json.ts';
import { type AnalyticsInput, parseAnalyticsRequest } from './request.ts';

export interface MonitoringDeps {
  readonly analytics: Pick<AnalyticsClient, 'analytics'>;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_URL_BYTES = 32 * 1024;
/** A longer body is parsed by the analytics worker: it would hold up everything else here. */
const MAX_PARSED_HERE = 256 * 1024;

/** Request monitoring and usage analytics. */
export function monitoringRoutes(deps: MonitoringDeps): FeatureRoutes {
  const routes: FeatureRoutes = new Hono<ManagerEnv>();

  routes.post(ANALYTICS_PATH, async (c) => answer(c, decodeBody(await readBody(c.req.raw, MAX_BODY_BYTES))));

  routes.get(ANALYTICS_PATH, (c) => {
    if (c.req.url.length > MAX_URL_BYTES) {
      throw new AppError('request_failed', {
        status: 414,
        message: 'the address is too long; send the request as POST',
      });
    }
    const request = c.req.query('request');
    if (request === undefined) throw new AppError('method_not_allowed', { headers: { Allow: 'POST, OPTIONS' } });
    return answer(c, request);
  });

  async function answer(c: Context<ManagerEnv>, text: string): Promise<Response> {
    const input: AnalyticsInput =
      text.length > MAX_PARSED_HERE ? { body: text } : { query: parseAnalyticsRequest(text) };
    const body = await deps.analytics.analytics(input, { signal: c.req.raw.signal });
    return jsonBytes(body);
  }

  return routes;
}

function decodeBody(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('request_failed', { status: 400, message: 'request body: not valid UTF-8' });
  }
}
