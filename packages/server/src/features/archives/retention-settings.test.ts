import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { archiveRetentionSchema } from '@manager/core/contract/archives/retention';
import { RETENTION_PATH } from '@manager/core/contract/constants';
import { ADMIN, startTestServer, type TestServer } from '../../http/testing.ts';
import type { RetentionStartup } from '../../platform/config/config.ts';
import type { Setting } from '../../sqlite/settings.ts';
import { createMaintenanceRoutes } from './maintenance/routes.ts';
import { createRetentionSettings } from './retention-settings.ts';

const OFF: RetentionStartup = { enabled: false, locked: false, days: 30, daysLocked: false };

let saved: Record<string, Setting>;
let changes: number;
let server: TestServer;

function serve(startup: RetentionStartup): void {
  const settings = createRetentionSettings({
    startup,
    read: async () => saved,
    write: async ([change]) => {
      if (change !== undefined)
        saved = { [change.key]: { value: change.value ?? '', updatedAtMs: change.updatedAtMs } };
    },
    onChange: async () => {
      changes += 1;
    },
    now: () => 5_000,
  });
  const service = { read: () => Promise.reject(new Error('not asked')) };
  server = startTestServer({ handlers: { maintenance: createMaintenanceRoutes(service, settings) } });
}

async function ask(body?: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(server.url + RETENTION_PATH, {
    method: body === undefined ? 'GET' : 'PATCH',
    headers: ADMIN,
    keepalive: false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

beforeEach(() => {
  saved = {};
  changes = 0;
});
afterEach(() => server.stop());

describe('the retention', () => {
  test('is that of the configuration until it is saved, member by member', async () => {
    serve(OFF);
    const first = archiveRetentionSchema.parse((await ask()).body);
    expect(first).toEqual({
      enabled: false,
      days: 30,
      enabled_locked: false,
      days_locked: false,
      least_days: 1,
      most_days: 106_751,
    });
    // Two at once: both apply.
    await Promise.all([ask({ enabled: true }), ask({ days: 106_751 })]);
    expect((await ask()).body).toEqual({ ...first, enabled: true, days: 106_751, updated_at_ms: 5_000 });
    expect(changes).toBe(2);
  });

  test.each([
    [{ days: 0 }, { code: 'usage_archive_retention_invalid', least: 1, most: 106_751 }],
    [{ days: 106_752 }, { code: 'usage_archive_retention_invalid', error: expect.stringContaining('1 to 106751') }],
    [{ days: 1.5, enabled: true }, { code: 'usage_archive_retention_invalid' }],
    [{ days: '30' }, { error: expect.stringContaining('days') }],
    [{ enabled: 'yes' }, { error: expect.stringContaining('enabled') }],
    [{ age: 3 }, {}],
  ])('refuses %j and changes nothing', async (wrong, failure) => {
    serve(OFF);
    expect(await ask(wrong)).toMatchObject({ status: 400, body: failure });
    expect([saved, changes]).toEqual([{}, 0]);
  });

  test('that the environment sets wins and is locked, member by member', async () => {
    saved = { archive_retention: { value: '{"enabled":false,"days":7}', updatedAtMs: 1 } };
    serve({ ...OFF, enabled: true, locked: true });
    expect((await ask()).body).toMatchObject({ enabled: true, enabled_locked: true, days: 7, days_locked: false });
    const refused = await ask({ enabled: false, days: 9 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'usage_archive_retention_env_locked' } });
    expect(JSON.stringify(refused.body)).toContain('USAGE_ARCHIVE_RETENTION_ENABLED');
    expect((await ask({ days: 9 })).body).toMatchObject({ enabled: true, days: 9 });
    await server.stop();
    serve({ ...OFF, days: 90, daysLocked: true });
    expect((await ask({ days: 3 })).status).toBe(409);
    expect((await ask()).body).toMatchObject({ enabled: false, days: 90, days_locked: true });
  });

  test.each(['{"days":0}', '{"days":"x"}', '{"days":'])(
    'that cannot be read (%s) is an error, not a guess',
    async (value) => {
      saved = { archive_retention: { value, updatedAtMs: 1 } };
      serve({ ...OFF, enabled: true });
      expect((await ask()).status).toBe(500);
      expect((await ask({ days: 9 })).status).toBe(500);
      expect([changes, saved.archive_retention?.value]).toEqual([0, value]);
      // With every member nothing of it is needed.
      expect(await ask({ enabled: false, days: 9 })).toMatchObject({ status: 200, body: { enabled: false, days: 9 } });
      expect((await ask()).body).toMatchObject({ enabled: false, days: 9 });
    },
  );
});
