import { describe, expect, test } from 'bun:test';
import { NOTIFICATION_EVENTS, TARGET_KINDS } from '@manager/core/contract/notifications/kinds';
import { type NotificationTarget, targetRequestSchema } from '@manager/core/contract/notifications/targets';
import { formOf, newForm, problemOf, requestOf, type TargetForm, withSecurity } from './target-form.ts';

const NEW = newForm('en', 'Europe/Berlin');
const FULL: TargetForm = {
  ...NEW,
  name: ' Team ',
  secrets: { url: ' https://hooks.test/x ', token: 'a-token' },
  telegram: { ...NEW.telegram, chatId: '-1' },
  email: { ...NEW.email, host: 'mail.test', from: 'a@b.test', to: 'c@d.test, e@f.test\ng@h.test' },
};

const target = (members: Partial<NotificationTarget>): NotificationTarget => ({
  ...requestOf(FULL),
  id: 'id',
  kind: 'webhook',
  options: {},
  secrets: { url: { set: true, hint: '' }, signingSecret: { set: true, hint: '' } },
  secretsReadable: true,
  createdAtMs: 1,
  updatedAtMs: 1,
  queued: 0,
  ...members,
});

test.each(TARGET_KINDS)('a complete form of %s is a valid request', (kind) => {
  expect(problemOf({ ...FULL, kind }, null)).toBeNull();
  expect(targetRequestSchema.safeParse(requestOf({ ...FULL, kind })).error).toBeUndefined();
});

test('a new target hears of everything but what makes the gateway ask somebody outside', () => {
  expect(NOTIFICATION_EVENTS.filter((event) => !NEW.events.includes(event))).toEqual(['gateway_update']);
});

test('recipients are separated as people write them', () => {
  expect(requestOf({ ...FULL, kind: 'email' }).options).toMatchObject({ to: ['c@d.test', 'e@f.test', 'g@h.test'] });
});

test('quiet hours are sent only while they are on', () => {
  expect(requestOf(FULL).quietHours).toBeNull();
  expect(requestOf({ ...FULL, hasQuietHours: true }).quietHours).toEqual({ from: '22:00', to: '07:00' });
});

describe('secrets', () => {
  test('of another kind are not sent', () => {
    expect(requestOf(FULL).secrets).toEqual({ url: 'https://hooks.test/x' });
  });

  test('that are not typed stay; a removed one is sent empty', () => {
    const form = formOf(target({}));
    expect(requestOf(form).secrets).toEqual({});
    expect(requestOf({ ...form, removed: ['signingSecret'] }).secrets).toEqual({ signingSecret: '' });
    expect(problemOf(form, target({}))).toBeNull();
  });

  test('that cannot be read any more have to be typed again', () => {
    const stored = target({ secretsReadable: false });
    expect(problemOf(formOf(stored), stored)).toBe('notifications.needsUrl');
  });
});

test.each<[Partial<TargetForm>, string]>([
  [{ name: ' ' }, 'notifications.needsName'],
  [{ secrets: {} }, 'notifications.needsUrl'],
  [{ kind: 'telegram', secrets: {} }, 'notifications.needsToken'],
  [{ kind: 'telegram', telegram: NEW.telegram }, 'notifications.needsChat'],
  [{ kind: 'email', email: { ...FULL.email, port: Number.NaN } }, 'notifications.needsServer'],
  [{ kind: 'email', email: { ...FULL.email, to: ' , ' } }, 'notifications.needsAddresses'],
])('%j: %s', (members, expected) => {
  expect(problemOf({ ...FULL, ...members }, null)).toBe(expected as never);
});

test('what is stored is what is edited', () => {
  const options = {
    host: 'mail.test',
    port: 2525,
    security: 'none',
    username: 'u',
    from: 'a@b.test',
    to: ['c@d.test'],
  };
  const stored = target({ kind: 'email', options: options as never, quietHours: { from: '20:00', to: '06:00' } });
  const request = requestOf(formOf(stored));
  expect(request).toMatchObject({ options, quietHours: { from: '20:00', to: '06:00' }, timeZone: 'Europe/Berlin' });
});

test('the usual port follows the kind of TLS, another one stays', () => {
  expect(withSecurity(FULL, 'starttls').port).toBe(587);
  expect(withSecurity({ ...FULL, email: { ...FULL.email, port: 2525 } }, 'none').port).toBe(2525);
});
