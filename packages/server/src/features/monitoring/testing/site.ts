import { AppError } from '@manager/core/contract/errors';
import { Hono } from 'hono';
import { createTestDatabase, type TestDatabase } from '../../../facts/testing/test-database.ts';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { jsonResponse } from '../../../http/json.ts';
import { type AnalyticsClient, createAnalyticsClient } from '../../../workers/analytics-client.ts';

/** Routes with the analytics worker, on a separate database and over a socket. */
export interface Site {
  readonly app: Hono<ManagerEnv>;
  readonly database: TestDatabase;
  readonly url: string;
  dispose(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** @param prepare fills the database before the first request */
export function openSite(
  routesOf: (analytics: AnalyticsClient) => FeatureRoutes,
  prepare: (database: TestDatabase) => void,
): Site {
  const database = createTestDatabase();
  prepare(database);
  const analytics = createAnalyticsClient({ databasePath: database.path });
  const app = new Hono<ManagerEnv>();
  app.route('/', routesOf(analytics));
  app.onError((error) => {
    if (error instanceof AppError) return jsonResponse(error.toBody(), error.status, error.headers);
    return jsonResponse(new AppError('internal_error', { message: String(error) }).toBody(), 500);
  });
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, maxRequestBodySize: 2 ** 50, fetch: app.fetch });
  return {
    app,
    database,
    url: `http://127.0.0.1:${server.port}`,
    dispose: async () => {
      await server.stop(true);
      await analytics.close();
      database.dispose();
    },
  };
}

export async function post(site: Site, path: string, body: unknown): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(site.url + path, { method: 'POST', body: text, keepalive: false });
  return { status: response.status, body: await response.json() };
}

export async function get(site: Site, path: string, parameters: Readonly<Record<string, unknown>>): Promise<Answer> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  const response = await fetch(`${site.url}${path}?${query}`, { keepalive: false });
  return { status: response.status, body: await response.json() };
}
