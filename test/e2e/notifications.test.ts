import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import type { NotificationsResponse } from '@manager/core/contract/notifications/targets';
import { until } from '@manager/core/testing/until';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo } from '../support/test-gateway.ts';

const SECRET_PATH = '/hooks/T0-SECRET-0123456789';

let rig: PanelRig;
let manager: ManagerProcess;
let service: ReturnType<typeof Bun.serve>;
const received: unknown[] = [];

beforeAll(async () => {
  rig = await startPanelRig();
  manager = await rig.managerOf(boundTo(await rig.gateway()));
  service = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      received.push(await request.json());
      return new Response('taken by the hook', { status: 202 });
    },
  });
}, 180_000);
afterEach(() => rig.closePages());
afterAll(async () => {
  service.stop(true);
  await rig.end();
});

const list = () => manager.json<NotificationsResponse>(NOTIFICATIONS_PATH);

test('a target is added, tested, told of a change, edited and deleted', async () => {
  const { page } = await rig.open(manager, '/notifications', { viewport: { width: 1440, height: 900 } });
  await page.getByText('Nothing is sent.').waitFor();
  expect(await page.getByRole('region', { name: 'Sent messages' }).count()).toBe(0);
  await picture(page, 'notifications-empty');

  await page.getByRole('button', { name: 'Add target' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a target' });
  await dialog.getByLabel('Name', { exact: true }).fill('Given up');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'hidden' });
  // The focus is back, and what was typed is gone.
  await page.getByRole('button', { name: 'Add target' }).and(page.locator(':focus')).press('Enter');
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('Operations');
  await dialog.getByLabel('URL', { exact: true }).fill(`http://127.0.0.1:${service.port}${SECRET_PATH}`);
  await dialog.getByLabel('Signing secret (optional)').fill('a-signing-secret');
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click();
  expect(await dialog.getByLabel('From', { exact: true }).inputValue()).toBe('22:00');
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'notifications-dialog');
  await dialog.getByRole('switch', { name: 'Quiet hours' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Send test to Operations' }).click();
  await page.getByText('Test message to Operations sent.').waitFor();
  await page.getByText('202: taken by the hook').first().waitFor();
  expect(received).toMatchObject([{ test: true, title: 'Test message' }]);
  expect(await page.content()).not.toContain(SECRET_PATH);

  // Once the disk is known to be good, no volume has as much free space as is wanted then.
  const limits = page.getByRole('region', { name: 'Limits and links' });
  await limits.getByLabel('Free disk space below').fill('1000000');
  await limits.getByRole('button', { name: 'Save' }).click();
  await limits.getByText('Saved').waitFor();
  await until(() => received.length === 2, 'a message');
  expect(received[1]).toMatchObject({ test: false, changes: [{ event: 'disk_low', change: 'raised' }] });
  const log = page.getByRole('region', { name: 'Sent messages' });
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await log.getByText('Disk low (new)').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'notifications');

  const targets = page.getByRole('region', { name: 'Targets' });
  await targets.getByText('Operations').click();
  const edit = page.getByRole('dialog', { name: 'Edit the target' });
  expect(await edit.getByLabel('URL', { exact: true }).inputValue()).toBe('');
  await edit.getByLabel('Name', { exact: true }).fill('Team');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'hidden' });
  expect((await list()).items).toMatchObject([{ name: 'Team', secrets: { url: { set: true } } }]);

  await targets.getByText('Team').click();
  await edit.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete the target' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing is sent.').waitFor();
  expect((await list()).items).toEqual([]);
  // What was sent can still be read, and the limits changed.
  await log.getByText('Disk low (new)').waitFor();
  await limits.getByLabel('Free disk space below').waitFor();
  await until(async () => (await page.getByRole('dialog').count()) === 0);
  await picture(page, 'notifications-no-target');
  expect(await accessibilityProblems(page)).toEqual([]);
}, 120_000);

test('a dialog with changes asks before it closes, and a phone shows everything', async () => {
  await manager.post(`${NOTIFICATIONS_PATH}/targets`, {
    kind: 'email',
    name: 'Mail of the team on call with a rather long name',
    enabled: true,
    language: 'zh-CN',
    events: ['collector_down'],
    sendRecovered: true,
    showAccounts: false,
    timeZone: 'Europe/Berlin',
    quietHours: { from: '22:00', to: '07:00' },
    options: { host: 'mail.test', port: 465, security: 'tls', username: '', from: 'a@b.test', to: ['c@d.test'] },
    secrets: {},
  });
  const { page } = await rig.open(manager, '/notifications', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await page.getByText('Mail of the team').first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await picture(page, 'notifications-phone');
  await page.getByText('Mail of the team').first().click();
  const edit = page.getByRole('dialog', { name: 'Edit the target' });
  expect(await edit.getByLabel('Recipients').inputValue()).toBe('c@d.test');
  await edit.getByLabel('Mail server').fill('other.test');
  // Where a field lies behind the actions, a press is for the actions.
  const hasActions = await edit.getByRole('button', { name: 'Show key' }).evaluate((button) => {
    button.scrollIntoView({ block: 'end' });
    const { left, top, width, height } = button.getBoundingClientRect();
    return (
      button.ownerDocument.elementFromPoint(left + width / 2, top + height / 2)?.closest('.dialog-actions') != null
    );
  });
  expect(hasActions).toBe(true);
  await picture(page, 'notifications-phone-dialog');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await edit.waitFor({ state: 'hidden' });
  expect((await list()).items).toMatchObject([{ options: { host: 'mail.test' } }]);
}, 120_000);
