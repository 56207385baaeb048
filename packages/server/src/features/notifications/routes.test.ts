import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import {
  type NotificationTarget,
  notificationLogResponseSchema,
  notificationsResponseSchema,
  notificationTargetResponseSchema,
  notificationTestResponseSchema,
} from '@manager/core/contract/notifications/targets';
import { ADMIN, startTestServer, type TestServer } from '../../http/testing.ts';
import { createProtector } from '../../platform/secrets/envelope.ts';
import { notificationRoutes } from './routes.ts';
import { condition, openNotifications, startReceiver, webhookRequest } from './testing.ts';

const PATH_SECRET = 'T0SECRET-path-of-the-hook';
const SIGNING = 'a-signing-secret-of-the-operator';

let feature: ReturnType<typeof openNotifications>;
let server: TestServer;
beforeEach(() => {
  feature = openNotifications();
  server = startTestServer({ handlers: { notifications: notificationRoutes(feature.service) } });
});
afterEach(async () => {
  await server.stop(0);
  feature.close();
});

async function call(method: string, path = '', body?: unknown) {
  const answer = await fetch(`${server.url}${NOTIFICATIONS_PATH}${path}`, {
    method,
    headers: ADMIN,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) };
}

const SECRETS = { url: `https://hooks.test/services/${PATH_SECRET}`, signingSecret: SIGNING };
const REQUEST = webhookRequest('', { secrets: SECRETS });

async function added(body: unknown = REQUEST): Promise<NotificationTarget> {
  const answer = await call('POST', '/targets', body);
  expect(answer.status).toBe(201);
  return notificationTargetResponseSchema.parse(answer.body).item;
}

test('without the admin key nothing is shown', async () => {
  expect((await fetch(`${server.url}${NOTIFICATIONS_PATH}`)).status).toBe(401);
});

test('nothing is set at first', async () => {
  const { body } = await call('GET');
  expect(notificationsResponseSchema.parse(body)).toEqual({
    settings: { baseUrl: '', quotaLowPercent: 20, diskFreeGiB: 2, collectorDownMinutes: 5 },
    items: [],
  });
});

test('settings are stored, and only usable ones', async () => {
  const settings = { baseUrl: 'https://m.test', quotaLowPercent: 30, diskFreeGiB: 0.5, collectorDownMinutes: 10 };
  expect((await call('PUT', '/settings', settings)).body).toEqual(settings);
  expect((await call('GET')).body.settings).toEqual(settings);
  for (const wrong of [
    { quotaLowPercent: 0 },
    { baseUrl: 'javascript:alert(1)' },
    { baseUrl: 'https://user:pass@m.test' },
    { baseUrl: 'http://[' },
    { diskFreeGiB: -1 },
  ]) {
    expect((await call('PUT', '/settings', { ...settings, ...wrong })).status).toBe(400);
  }
});

describe('secrets', () => {
  test('are in no answer, and not readable in the database', async () => {
    const { id, secrets } = await added();
    expect(secrets).toEqual({
      url: { set: true, hint: 'https://hooks.test/…' },
      signingSecret: { set: true, hint: '' },
    });
    for (const answer of [await call('GET'), await call('PUT', `/targets/${id}`, REQUEST), await call('GET', '/log')]) {
      expect(answer.text).not.toContain(PATH_SECRET);
      expect(answer.text).not.toContain(SIGNING);
    }
    feature.db.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const file = readFileSync(feature.databasePath);
    expect(file.includes('hooks.test')).toBe(false);
    expect(file.includes(PATH_SECRET)).toBe(false);
    expect(file.includes(SIGNING)).toBe(false);
    expect(file.includes(Buffer.from(SIGNING).toString('base64').slice(4, -4))).toBe(false);
  });

  test('stay when a change does not name them, and go when it empties them', async () => {
    const { id } = await added();
    const renamed = { ...REQUEST, name: 'Renamed', secrets: {} };
    expect((await call('PUT', `/targets/${id}`, renamed)).body.item).toMatchObject({
      name: 'Renamed',
      secrets: { url: { set: true }, signingSecret: { set: true } },
    });
    const emptied = { ...REQUEST, secrets: { signingSecret: '' } };
    expect((await call('PUT', `/targets/${id}`, emptied)).body.item.secrets.signingSecret.set).toBe(false);
    expect((await call('PUT', `/targets/${id}`, { ...REQUEST, secrets: { url: '' } })).body).toMatchObject({
      code: 'notification_secret_required',
    });
  });

  test('of another data key stay until new ones are entered', async () => {
    const { id } = await added();
    const foreign = createProtector(randomBytes(32), randomBytes).seal(JSON.stringify(SECRETS));
    const stored = () => feature.db.query<{ secrets: string }, []>('SELECT secrets FROM notification_targets').get();
    feature.db.run('UPDATE notification_targets SET secrets = ?', [foreign]);
    const renamed = { ...REQUEST, name: 'Renamed', enabled: false, secrets: {} };
    expect((await call('PUT', `/targets/${id}`, renamed)).body.item).toMatchObject({
      name: 'Renamed',
      secretsReadable: false,
    });
    expect(stored()?.secrets).toBe(foreign);
    expect((await call('PUT', `/targets/${id}`, REQUEST)).body.item.secretsReadable).toBe(true);
  });

  test.each(['ftp://hooks.test/x', 'not a url', 'https://user:pass@hooks.test/x'])(
    'an unusable URL is refused without being repeated: %s',
    async (url) => {
      const answer = await call('POST', '/targets', { ...REQUEST, secrets: { url } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'notification_url_invalid' } });
      expect(answer.text).not.toContain(url);
    },
  );

  test('that a service repeats are taken out of its answer, of the log and of warnings', async () => {
    const receiver = startReceiver(
      ({ path, headers }) =>
        new Response(`no hook ${path}, ${encodeURIComponent(path)}, ${headers.get('authorization')}`, { status: 404 }),
    );
    const request = {
      ...REQUEST,
      kind: 'ntfy',
      secrets: { url: `${receiver.url}/${PATH_SECRET}`, token: SIGNING },
    };
    const { id } = await added(request);
    // What ntfy repeats is the topic.
    const test = await call('POST', `/targets/${id}/test`);
    feature.observe({ account_login: [] });
    await feature.round();
    feature.pass(60_000);
    feature.observe({ account_login: [condition('a')] });
    await feature.round();
    receiver.stop();
    const log = await call('GET', '/log');
    expect(log.body.items.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed']);
    expect(feature.warnings).toHaveLength(1);
    for (const text of [test.text, log.text, feature.warnings.join()]) {
      expect(text).toContain('no hook');
      expect(text).not.toContain(PATH_SECRET);
      expect(text).not.toContain(SIGNING);
    }
  });
});

describe('a test message', () => {
  test('returns what the service answered, and is in the log', async () => {
    const receiver = startReceiver(() => new Response('taken', { status: 202 }));
    const { id } = await added({ ...REQUEST, enabled: false, secrets: { url: receiver.url } });
    const { body } = await call('POST', `/targets/${id}/test`);
    receiver.stop();
    expect(notificationTestResponseSchema.parse(body)).toEqual({ sent: true, status: 202, answer: 'taken' });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      test: true,
      title: 'Test message',
      changes: [],
    });
    const log = notificationLogResponseSchema.parse((await call('GET', '/log')).body);
    expect(log.items).toMatchObject([{ test: true, status: 'sent', targetName: 'Operations', answer: 'taken' }]);
  });

  test('that fails is a result, not an error', async () => {
    const { id } = await added({ ...REQUEST, secrets: { url: 'http://127.0.0.1:9/x' } });
    const { status, body } = await call('POST', `/targets/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ sent: false, status: null });
  });
});

test.each([
  [{ kind: 'sms' }, 'kind: one of webhook, ntfy, slack,'],
  [{ name: ' ' }, 'name'],
  [{ name: 'two\nlines' }, 'name'],
  [{ name: 'Ops\u202etxt.exe' }, 'name'],
  [{ name: 'Ops \ud800' }, 'name'],
  [{ name: '\u200d' }, 'name'],
  [{ events: ['weather'] }, 'events.0'],
  [{ quietHours: { from: '24:00', to: '07:00' } }, 'quietHours.from'],
  [{ options: { chatId: '1' } }, 'options'],
  [{ timeZone: 'Mars/Base' }, 'time zone'],
])('%j is refused', async (members, named) => {
  const { status, body } = await call('POST', '/targets', { ...REQUEST, ...members });
  expect(status).toBe(400);
  expect(body.error).toContain(named);
});

test('a mail address cannot carry another header', async () => {
  const options = { host: 'mail.test', port: 25, security: 'none', username: '', from: 'a@b.test', to: ['c@d.test'] };
  const request = { ...REQUEST, kind: 'email', secrets: {}, options };
  await added(request);
  for (const to of ['c@d.test\r\nBcc: x@y.test', 'c@d.test, x@y.test', 'Name <c@d.test>']) {
    expect((await call('POST', '/targets', { ...request, options: { ...options, to: [to] } })).status).toBe(400);
  }
});

test.each(['http://user:pass@bots.test', 'http://[', 'http://bots.test:99999'])(
  'a Bot API server at %s is refused: its address is shown',
  async (apiUrl) => {
    const options = { chatId: '1', threadId: '', apiUrl };
    const request = { ...webhookRequest(''), kind: 'telegram', options, secrets: { token: '1:x' } };
    expect((await call('POST', '/targets', request)).status).toBe(400);
    const usable = { ...request, options: { ...options, apiUrl: 'http://bots.test' } };
    expect((await call('POST', '/targets', usable)).status).toBe(201);
  },
);

test('a token that no header can carry is refused', async () => {
  for (const token of ['tk_\u201dcopied', 'tk two'])
    expect(
      (
        await call('POST', '/targets', {
          ...webhookRequest(''),
          kind: 'ntfy',
          secrets: { url: 'https://ntfy.test/x', token },
        })
      ).body,
    ).toEqual({
      error: 'secrets.token: only ASCII letters, digits and signs can be sent',
      code: 'request_failed',
    });
});

test('a target is removed with what waits for it; unknown ones are 404', async () => {
  const receiver = startReceiver(() => new Response('', { status: 503 }));
  const { id } = await added({ ...REQUEST, secrets: { url: receiver.url } });
  feature.observe({ account_login: [] });
  await feature.round();
  feature.observe({ account_login: [condition('a')] });
  await feature.round();
  receiver.stop();
  expect((await call('GET')).body.items).toMatchObject([{ queued: 1 }]);
  expect((await call('DELETE', `/targets/${id}`)).status).toBe(200);
  expect((await call('GET', '/log')).body.items).toMatchObject([{ status: 'failed', targetName: 'Operations' }]);
  for (const [method, path] of [
    ['DELETE', ''],
    ['PUT', ''],
    ['POST', '/test'],
  ] as const) {
    const answer = await call(method, `/targets/${id}${path}`, method === 'PUT' ? REQUEST : undefined);
    expect(answer).toMatchObject({ status: 404, body: { code: 'notification_target_not_found' } });
  }
});

test('there are at most 20 targets', async () => {
  for (let index = 0; index < 20; index += 1) await added();
  expect(await call('POST', '/targets', REQUEST)).toMatchObject({
    status: 409,
    body: { code: 'notification_target_limit' },
  });
});
