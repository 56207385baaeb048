import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { MAX_ATTEMPTS, pauseAfter } from './attempts.ts';
import { condition, openNotifications, startReceiver, webhookRequest } from './testing.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

let feature: ReturnType<typeof openNotifications>;
let receiver: ReturnType<typeof startReceiver>;
let answer: () => Response;
beforeEach(async () => {
  answer = () => new Response('busy', { status: 503 });
  feature = openNotifications();
  receiver = startReceiver(() => answer());
  await feature.service.add(webhookRequest(receiver.url));
  feature.observe({ account_login: [] });
  await feature.round();
  feature.pass(MINUTE_MS);
  feature.observe({ account_login: [condition('a')] });
});
afterEach(() => {
  receiver.stop();
  feature.close();
});

const log = async () => (await feature.service.log()).items;
const ids = () => receiver.received.map(({ headers }) => headers.get('x-manager-message-id'));

describe('a message that is not taken', () => {
  test('is tried again with growing pauses, as the same message, and then given up', async () => {
    for (let minute = 0; minute < 12 * 60; minute += 1) {
      await feature.round();
      feature.pass(MINUTE_MS);
    }
    expect(receiver.received).toHaveLength(MAX_ATTEMPTS);
    expect(new Set(ids()).size).toBe(1);
    expect(await log()).toMatchObject([{ status: 'failed', attempts: MAX_ATTEMPTS, answer: 'busy' }]);
    expect(feature.warnings).toHaveLength(1);
  }, 60_000);

  test('is sent once when the service is back', async () => {
    await feature.round();
    feature.pass(10 * SECOND_MS);
    await feature.round();
    expect(receiver.received).toHaveLength(1);
    answer = () => new Response('ok');
    feature.pass(20 * SECOND_MS);
    await feature.round();
    feature.pass(HOUR_MS);
    await feature.round();
    expect(receiver.received).toHaveLength(2);
    expect(await log()).toMatchObject([{ status: 'sent', attempts: 2, answer: 'ok' }]);
  });

  test('waits as long as the service asks for', async () => {
    answer = () => new Response('', { status: 429, headers: { 'Retry-After': '1200' } });
    await feature.round();
    feature.pass(1_199 * SECOND_MS);
    await feature.round();
    expect(receiver.received).toHaveLength(1);
    feature.pass(SECOND_MS);
    await feature.round();
    expect(receiver.received).toHaveLength(2);
  });

  test('that the service refuses is not tried again', async () => {
    answer = () => new Response('no such hook', { status: 404 });
    await feature.round();
    feature.pass(HOUR_MS);
    await feature.round();
    expect(receiver.received).toHaveLength(1);
    expect(await log()).toMatchObject([{ status: 'failed', answer: 'no such hook' }]);
  });

  test('is tried at once when the target is changed', async () => {
    await feature.round();
    answer = () => new Response('ok');
    const [target] = (await feature.service.list()).items;
    await feature.service.change(target?.id ?? '', webhookRequest(receiver.url));
    await feature.round();
    expect(await log()).toMatchObject([{ status: 'sent', attempts: 2 }]);
  });

  test('holds back others of its target, which become one message', async () => {
    for (let hour = 0; hour < 12; hour += 1) {
      feature.observe({ account_login: Array.from({ length: hour + 1 }, (_, index) => condition(`a-${index}`)) });
      await feature.round();
      feature.pass(HOUR_MS);
    }
    const [target] = (await feature.service.list()).items;
    expect(target?.queued).toBeLessThanOrEqual(5);
  });
});

describe('the pause after a round', () => {
  const RAISED = (name: string) => ({ account_login: [condition(name)] });

  test('lasts until the oldest message of a target is tried again, however many wait behind it', async () => {
    expect(await feature.round()).toBe(30 * SECOND_MS);
    feature.pass(30 * SECOND_MS);
    expect(await feature.round()).toBe(MINUTE_MS);
    feature.pass(10 * MINUTE_MS);
    feature.observe(RAISED('b'));
    expect(await feature.round()).toBe(MINUTE_MS);
    expect((await feature.service.list()).items).toMatchObject([{ queued: 2 }]);
    expect(receiver.received).toHaveLength(3);
  });

  test('is short while the next message of a target that took one waits', async () => {
    await feature.round();
    feature.pass(10 * MINUTE_MS);
    feature.observe(RAISED('b'));
    answer = () => new Response('ok');
    expect(await feature.round()).toBe(5 * SECOND_MS);
    expect(await feature.round()).toBe(MINUTE_MS);
    expect(receiver.received).toHaveLength(3);
  });

  test('is a minute in quiet hours, whatever waits', async () => {
    await feature.round();
    const [target] = (await feature.service.list()).items;
    const hour = new Date(feature.now()).toISOString().slice(11, 13);
    const quietHours = { from: `${hour}:00`, to: `${hour}:59` };
    await feature.service.change(target?.id ?? '', webhookRequest(receiver.url, { quietHours }));
    expect(await feature.round()).toBe(MINUTE_MS);
    expect((await feature.service.list()).items).toMatchObject([{ queued: 1 }]);
  });
});

test('an attempt counts before it is made: a process that dies with a message does not repeat it for ever', async () => {
  await feature.writer.run('noteConditions', { account_login: [condition('a')] });
  expect(await feature.writer.run('composeMessages', { ids: ['m'] })).toBe(1);
  let attempts = 0;
  for (let hour = 0; hour < 100; hour += 1) {
    attempts += (await feature.writer.run('beginAttempts', null)).length;
    feature.pass(15 * MINUTE_MS);
  }
  expect(attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
  expect(await log()).toMatchObject([{ status: 'failed' }]);
});

test('a clock that is set back holds no message up', async () => {
  await feature.round();
  expect(receiver.received).toHaveLength(1);
  answer = () => new Response('ok');
  feature.pass(-10 * 24 * HOUR_MS);
  await feature.round();
  expect(await log()).toMatchObject([{ status: 'sent' }]);
});

test('the log keeps the newest 500 of 30 days', async () => {
  const [item] = (await feature.service.list()).items;
  const target = await feature.reader.run('notificationTarget', item?.id ?? '');
  if (target === null) throw new Error('no target');
  for (let index = 0; index < 520; index += 1) {
    await feature.writer.run('recordTest', { id: `test-${index}`, target, title: 't', sent: true, answer: '' });
  }
  expect(await log()).toHaveLength(500);
  expect((await log())[0]?.id).toBe('test-519');
  feature.pass(31 * 24 * HOUR_MS);
  await feature.writer.run('recordTest', { id: 'last', target, title: 't', sent: true, answer: '' });
  expect((await log()).map(({ id }) => id)).toEqual(['last']);
});

test('pauses grow, and a service may only lengthen them, up to six hours', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((attempts) => pauseAfter(attempts, null) / SECOND_MS)).toEqual([
    30, 60, 300, 900, 1_800, 3_600, 7_200,
  ]);
  expect(pauseAfter(3, 1_000)).toBe(300_000);
  expect(pauseAfter(1, 600_000)).toBe(600_000);
  expect(pauseAfter(1, 1e12)).toBe(6 * HOUR_MS);
});
