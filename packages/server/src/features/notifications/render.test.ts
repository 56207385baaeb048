import { expect, test } from 'bun:test';
import {
  NOTIFICATION_CHANGES,
  NOTIFICATION_EVENTS,
  TARGET_LANGUAGES,
} from '@manager/core/contract/notifications/kinds';
import { createZone } from '@manager/core/time/zones';
import { CONDITION_REASONS } from './condition.ts';
import { chatText, plainText, renderMessage, renderTest } from './render.ts';
import { condition } from './testing.ts';
import { MESSAGE_TEXTS } from './texts/texts.ts';

const FACTS = {
  leftPercent: 12.7,
  windowSeconds: 604_800,
  resetAtMs: Date.UTC(2026, 0, 3),
  freeBytes: 1.5 * 2 ** 30,
  totalBytes: 2 ** 40,
  toMs: Date.UTC(2026, 0, 2),
  usedUsd: 1_234.5,
  limitUsd: 1_000,
  running: '7.1.39',
};
const ITEM = {
  ...condition('s', { name: 'alice', provider: 'codex', sinceMs: Date.UTC(2026, 0, 1), facts: FACTS }),
  untilMs: Date.UTC(2026, 0, 2),
};
const options = { zone: createZone('America/New_York'), baseUrl: 'https://m.test', showAccounts: true };

const every = TARGET_LANGUAGES.flatMap((language) =>
  NOTIFICATION_EVENTS.flatMap((event) =>
    NOTIFICATION_CHANGES.flatMap((change) => [1, 2, 12].map((count) => [language, event, change, count] as const)),
  ),
);

test('every message is complete in every language', () => {
  for (const [language, event, change, count] of every) {
    const items = Array.from({ length: Math.min(count, 10) }, () => ITEM);
    const message = renderMessage({ groups: [{ event, change, count, items }] }, { ...options, language });
    const text = `${message.title}\n${plainText(message, language)}`;
    expect(text).not.toMatch(/[{}]|undefined|NaN|unknown|未知/);
    expect(text).toContain('https://m.test/management.html#/');
  }
});

test('both languages mention the same values', () => {
  const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();
  for (const event of NOTIFICATION_EVENTS) {
    for (const change of NOTIFICATION_CHANGES) {
      const [english, chinese] = [MESSAGE_TEXTS.en.events[event][change], MESSAGE_TEXTS['zh-CN'].events[event][change]];
      expect(values(chinese.one)).toEqual(values(english.one));
    }
  }
  for (const reason of CONDITION_REASONS) expect(MESSAGE_TEXTS['zh-CN'].reasons[reason]).toMatch(/\p{Script=Han}/u);
});

test('times are local, with their offset; amounts are readable', () => {
  const render = (event: 'disk_low' | 'quota_low') =>
    renderMessage({ groups: [{ event, change: 'raised', count: 1, items: [ITEM] }] }, { ...options, language: 'en' });
  expect(render('quota_low').lines[0]?.text).toBe('Quota low: alice 7 d, 12% left. It resets 2026-01-02 19:00 -05:00');
  expect(render('disk_low').title).toStartWith('Disk space is low: 1.5 GiB left');
});

test('lines with the same page share its link', () => {
  const group = (event: 'collector_down' | 'collector_starved' | 'disk_low') =>
    ({ event, change: 'raised', count: 1, items: [ITEM] }) as const;
  const groups = [group('collector_down'), group('collector_starved'), group('disk_low')];
  const text = plainText(renderMessage({ groups }, { ...options, language: 'en' }), 'en');
  expect(text.match(/#\/doctor/g)).toHaveLength(1);
  expect(text.match(/#\/system/g)).toHaveLength(1);
});

test('a chat gets the title once', () => {
  const group = (count: number) => ({ event: 'account_login', change: 'raised', count, items: [ITEM] }) as const;
  const chat = (groups: Parameters<typeof renderMessage>[0]['groups']) =>
    chatText(renderMessage({ groups }, { ...options, baseUrl: '', language: 'en' }), 'en', {
      strong: (text) => `*${text}*`,
    });
  expect(chat([group(3)])).toBe('*3 accounts need a sign-in*: alice 7 d, and 2 more');
  expect(chat([group(1), { ...group(2), change: 'recovered' }])).toStartWith(
    '*3 changes: Account alice 7 d needs a sign-in*\nAccount alice 7 d needs a sign-in',
  );
  expect(chatText(renderTest({ language: 'en', baseUrl: '' }), 'en')).toBe(
    'Test message\nNotifications of the manager arrive here.',
  );
});
