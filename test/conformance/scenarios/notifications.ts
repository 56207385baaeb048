import {
  notificationLogResponseSchema,
  notificationSettingsSchema,
  notificationsResponseSchema,
  notificationTargetResponseSchema,
} from '@manager/core/contract/notifications/targets';
import type { Scenario } from './scenario.ts';

const PATH = '/usage-service/notifications';

const target = (secrets: object) =>
  JSON.stringify({
    kind: 'slack',
    name: 'Team',
    // Nothing may leave the machine of a test.
    enabled: false,
    language: 'en',
    events: ['collector_down'],
    sendRecovered: true,
    showAccounts: true,
    timeZone: 'Europe/Berlin',
    quietHours: { from: '22:00', to: '07:00' },
    options: {},
    secrets,
  });

/** Notifications, in their order. */
export const NOTIFICATION_SCENARIOS: readonly Scenario[] = [
  {
    name: 'notifications are off at first',
    path: PATH,
    status: 200,
    has: ['"items":[]', '"quotaLowPercent":20'],
    shape: notificationsResponseSchema,
  },
  { name: 'they need the key', path: PATH, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  {
    name: 'their settings',
    method: 'PUT',
    path: `${PATH}/settings`,
    body: '{"baseUrl":"https://manager.test","quotaLowPercent":10,"diskFreeGiB":1.5,"collectorDownMinutes":3}',
    status: 200,
    has: ['"baseUrl":"https://manager.test"'],
    shape: notificationSettingsSchema,
  },
  {
    name: 'a target without its URL',
    method: 'POST',
    path: `${PATH}/targets`,
    body: target({}),
    status: 400,
    has: ['notification_secret_required'],
  },
  {
    name: 'a target with an unusable one',
    method: 'POST',
    path: `${PATH}/targets`,
    body: target({ url: 'gopher://hooks.test/x' }),
    status: 400,
    has: ['notification_url_invalid'],
  },
  {
    name: 'a target',
    method: 'POST',
    path: `${PATH}/targets`,
    body: target({ url: 'https://hooks.test/services/secret' }),
    status: 201,
    has: ['"hint":"https://hooks.test/…"', '"set":true'],
    shape: notificationTargetResponseSchema,
  },
  {
    name: 'it is listed without its secrets',
    path: PATH,
    status: 200,
    has: ['"name":"Team"'],
    shape: notificationsResponseSchema,
  },
  {
    name: 'an unknown target',
    method: 'DELETE',
    path: `${PATH}/targets/none`,
    status: 404,
    has: ['notification_target_not_found'],
  },
  {
    name: 'its test',
    method: 'POST',
    path: `${PATH}/targets/none/test`,
    status: 404,
    has: ['notification_target_not_found'],
  },
  { name: 'the log', path: `${PATH}/log`, status: 200, has: ['"items":[]'], shape: notificationLogResponseSchema },
  { name: 'nothing else below them', path: `${PATH}/other`, status: 404 },
];
