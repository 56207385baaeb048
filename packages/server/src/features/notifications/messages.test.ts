import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Condition } from './condition.ts';
import { condition, openNotifications, startReceiver, webhookRequest } from './testing.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let feature: ReturnType<typeof openNotifications>;
let receiver: ReturnType<typeof startReceiver>;
beforeEach(() => {
  feature = openNotifications();
  receiver = startReceiver();
});
afterEach(() => {
  receiver.stop();
  feature.close();
});

const messages = () => receiver.received.map(({ body }) => JSON.parse(body));
const accounts = (from: number, to: number): Condition[] =>
  Array.from({ length: to - from }, (_, index) => condition(`account-${String(from + index).padStart(5, '0')}`));

async function addTarget(members: Parameters<typeof webhookRequest>[1] = {}): Promise<string> {
  const { item } = await feature.service.add(webhookRequest(receiver.url, members));
  feature.observe({ account_login: [], collector_down: [], collection_gap: [], quota_low: [], quota_used_up: [] });
  await feature.round();
  return item.id;
}

async function see(observation: Parameters<typeof feature.observe>[0], afterMs = MINUTE_MS): Promise<void> {
  feature.pass(afterMs);
  feature.observe(observation);
  await feature.round();
}

describe('one message per change', () => {
  test('however long it lasts, and one when it is over', async () => {
    await addTarget();
    const down = [condition('', { sinceMs: feature.now(), facts: { reason: 'gateway_unreachable' } })];
    for (let minute = 0; minute < 30; minute += 1) await see({ collector_down: down });
    await see({ collector_down: [] });
    await see({ collector_down: [] });
    expect(messages().map(({ title }) => title)).toEqual([
      'The collector is down since 2026-02-02 02:40 +00:00',
      'Recovered: the collector runs again since 2026-02-02 03:11 +00:00',
    ]);
    expect(messages()[0].text).toEndWith('. The gateway cannot be reached');
  });

  test('nothing about what held before the target', async () => {
    await feature.service.add(webhookRequest(receiver.url));
    await see({ account_login: accounts(0, 3) });
    await see({ account_login: accounts(0, 3) });
    await see({ account_login: [] });
    expect(messages()).toEqual([]);
  });

  test('nothing while a state is unknown', async () => {
    await addTarget();
    await see({ account_login: accounts(0, 1) });
    await see({});
    await see({ account_login: accounts(0, 1) }, HOUR_MS);
    expect(messages()).toHaveLength(1);
  });

  test('nothing about events that are switched off, and nothing old when they are switched on', async () => {
    const id = await addTarget({ events: ['disk_low'] });
    await see({ account_login: accounts(0, 2) });
    await feature.service.change(id, webhookRequest(receiver.url, { events: ['account_login'] }));
    await see({ account_login: accounts(0, 2) });
    expect(messages()).toEqual([]);
    await see({ account_login: accounts(0, 3) });
    expect(messages().map(({ title }) => title)).toEqual(['Account account-00002 needs a sign-in']);
  });

  test('a used-up quota is not also low', async () => {
    await addTarget();
    const window = condition('q', { name: 'a', provider: 'codex', facts: { leftPercent: 0, windowSeconds: 18_000 } });
    await see({ quota_low: [window], quota_used_up: [window] });
    expect(messages().map(({ text }) => text)).toEqual(['Quota used up: a 5 h']);
    await see({ quota_low: [], quota_used_up: [] }, HOUR_MS);
    expect(messages()[1].text).toBe('Recovered: quota left again: a 5 h');
  });
});

describe('a passed budget', () => {
  const DAY_MS = 24 * HOUR_MS;
  const budget = (
    usedUsd: number,
    members: { limitUsd?: number; month?: string; scope?: 'all' | 'client_key' } = {},
  ) => {
    const { limitUsd = 100, month = '2026-02', scope = 'all' } = members;
    return condition(JSON.stringify([scope, 'alice', month]), {
      name: scope === 'all' ? '' : 'alice',
      facts: { scope, usedUsd, limitUsd, resetAtMs: Date.parse('2026-03-01T00:00:00Z') },
      ...(usedUsd >= limitUsd ? {} : { lapsed: true }),
    });
  };
  const see = async (...budgets: Condition[]) => {
    feature.pass(DAY_MS);
    feature.observe({ budget_passed: budgets });
    await feature.round();
  };
  const titles = () => messages().map(({ title }) => title);

  test('is told once a month, whatever prices do to it, and when the next month begins', async () => {
    await feature.service.add(webhookRequest(receiver.url, { events: ['budget_passed'] }));
    for (const used of [99, 1_100.5, 90, 120, 130]) await see(budget(used));
    expect(messages().map(({ text }) => text)).toEqual([
      'Budget passed: all requests, $1,100.50 of $100.00. It resets 2026-03-01 00:00 +00:00',
    ]);
    await see(budget(1, { month: '2026-03' }));
    await see(budget(101, { month: '2026-03' }));
    expect(titles().slice(1)).toEqual([
      'Recovered: budget no longer passed: all requests',
      'Budget passed: all requests, $101.00 of $100.00',
    ]);
  });

  test('is told again for a higher amount', async () => {
    await feature.service.add(webhookRequest(receiver.url, { events: ['budget_passed'] }));
    for (const [used, limitUsd] of [
      [1, 100],
      [110, 100],
      [120, 200],
      [190, 200],
      [201, 200],
    ] as const)
      await see(budget(used, { limitUsd }));
    expect(titles()).toEqual([
      'Budget passed: all requests, $110.00 of $100.00',
      'Recovered: budget no longer passed: all requests',
      'Budget passed: all requests, $201.00 of $200.00',
    ]);
  });

  test('does not name a client key where the target wants no names', async () => {
    await feature.service.add(webhookRequest(receiver.url, { events: ['budget_passed'], showAccounts: false }));
    await see(budget(1, { scope: 'client_key' }));
    await see(budget(100, { scope: 'client_key' }));
    expect(titles()).toEqual(['Budget passed: a client key, $100.00 of $100.00']);
    expect(receiver.received[0]?.body).not.toContain('alice');
  });
});

test('only what targets want is looked at', async () => {
  const off = webhookRequest(receiver.url, { events: ['gateway_update'], enabled: false });
  await feature.service.add(off);
  await feature.service.add(webhookRequest(receiver.url, { events: ['budget_passed', 'disk_low'] }));
  await feature.round();
  expect([...feature.wanted()].sort()).toEqual(['budget_passed', 'disk_low']);
});

describe('a flood', () => {
  test('of 10,000 failures at once is one message', async () => {
    await addTarget();
    await see({ account_login: accounts(0, 10_000) });
    for (let minute = 0; minute < 60; minute += 1) await see({ account_login: accounts(0, 10_000) });
    expect(messages()).toHaveLength(1);
    expect(messages()[0]).toMatchObject({ title: '10000 accounts need a sign-in', changes: [{ count: 10_000 }] });
    expect(messages()[0].text).toEndWith('account-00009, and 9990 more');
    expect(receiver.received[0]?.body.length).toBeLessThan(10_000);
  });

  test('of 10,000 failures within an hour is at most three messages, which count them all', async () => {
    await addTarget();
    for (let minute = 1; minute <= 59; minute += 1) await see({ account_login: accounts(0, minute * 169 + 29) });
    const counts = messages().map(({ changes }) => changes[0].count);
    expect(counts.length).toBeLessThanOrEqual(3);
    await see({ account_login: accounts(0, 10_000) }, HOUR_MS);
    expect(messages().reduce((sum, { changes }) => sum + changes[0].count, 0)).toBe(10_000);
  });

  test('of states that come and go is at most three messages an hour', async () => {
    await addTarget();
    for (let minute = 0; minute < 60; minute += 1) {
      await see({ collector_down: minute % 2 === 0 ? [condition('')] : [] });
    }
    expect(messages().length).toBeLessThanOrEqual(3);
  });
});

describe('quiet hours', () => {
  const NIGHT = { timeZone: 'Europe/Berlin', quietHours: { from: '22:00', to: '07:00' } };

  test('what falls into them arrives afterwards as one message', async () => {
    feature.at(Date.parse('2026-03-28T20:00:00Z'));
    await addTarget(NIGHT);
    await see({ account_login: accounts(0, 2), collector_down: [condition('')] }, 2 * HOUR_MS);
    await see({ account_login: accounts(0, 2), collector_down: [] }, HOUR_MS);
    await see({ account_login: accounts(0, 5), collector_down: [] }, HOUR_MS);
    feature.at(Date.parse('2026-03-29T04:58:00Z'));
    await see({ account_login: accounts(0, 5), collector_down: [] });
    expect(messages()).toEqual([]);
    // Seven in the morning of the first day of summer time.
    await see({ account_login: accounts(0, 5), collector_down: [] });
    expect(messages()).toHaveLength(1);
    expect(messages()[0]).toMatchObject({
      changes: [
        { event: 'collector_down', change: 'passed', count: 1 },
        { event: 'account_login', change: 'raised', count: 5 },
      ],
    });
    expect(messages()[0].title).toStartWith('6 changes: The collector was down from ');
  });

  test('a message that waits for its next attempt waits for their end', async () => {
    let isUp = false;
    receiver.stop();
    receiver = startReceiver(() => new Response('', { status: isUp ? 200 : 503 }));
    feature.at(Date.parse('2026-03-01T20:00:00Z'));
    await addTarget(NIGHT);
    await see({ account_login: accounts(0, 1) }, 50 * MINUTE_MS);
    expect(messages()).toHaveLength(1);
    isUp = true;
    await see({ account_login: accounts(0, 1) }, HOUR_MS);
    expect(messages()).toHaveLength(1);
    await see({ account_login: accounts(0, 1) }, 9 * HOUR_MS);
    expect(messages()).toHaveLength(2);
  });
});

test('accounts are named by their provider alone where the target wants no names', async () => {
  await addTarget({ showAccounts: false });
  await see({ account_login: [condition('x', { name: 'alice@example.test', provider: 'codex' })] });
  await see({ account_login: [...accounts(0, 3)].map((one) => ({ ...one, provider: 'codex' })) }, HOUR_MS);
  expect(messages()[0].title).toBe('Account (codex) needs a sign-in');
  expect(receiver.received.map(({ body }) => body).join()).not.toContain('alice');
  expect(receiver.received.map(({ body }) => body).join()).not.toContain('account-0');
});

test('an account of an unknown provider has no name either where the target wants no names', async () => {
  await addTarget({ showAccounts: false });
  const alice = condition('["alice.json","1"]', { name: 'alice@example.test', provider: '' });
  await see({ account_login: [alice], quota_low: [alice] });
  expect(messages()).toMatchObject([
    {
      changes: [
        { event: 'account_login', text: 'Account unknown needs a sign-in', items: [{ name: '' }] },
        { event: 'quota_low', items: [{ name: '' }] },
      ],
    },
  ]);
  expect(receiver.received.map(({ body }) => body).join()).not.toContain('alice');
});

test('names of the gateway stay on one line, and short', async () => {
  await addTarget();
  await see({ account_login: [condition('x', { name: `a\r\nBcc: b\u2028${'c'.repeat(500)}` })] });
  expect(messages()[0].title).toStartWith('Account a Bcc: b cccc');
  expect(messages()[0].title.length).toBeLessThan(160);
});

test('messages have the language, the zone and the links that are set', async () => {
  await feature.service.changeSettings({ ...(await feature.service.settings()), baseUrl: 'https://manager.test/x/' });
  await addTarget({ language: 'zh-CN', timeZone: 'Asia/Shanghai' });
  await see({ collector_down: [condition('', { sinceMs: Date.parse('2026-02-01T16:00:00Z') })] });
  expect(messages()[0]).toMatchObject({
    title: '采集器自 2026-02-02 00:00 +08:00 起停止工作',
    url: 'https://manager.test/x/management.html#/doctor',
  });
});
