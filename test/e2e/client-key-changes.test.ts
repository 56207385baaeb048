import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { hashOf, KEYS, keyRow, SPARE, startClientKeys } from '../support/client-keys.ts';

let rig: Awaited<ReturnType<typeof startClientKeys>>;

beforeAll(async () => {
  rig = await startClientKeys();
}, 180_000);
beforeEach(() => rig.nameAnew());
afterEach(() => rig.closePages());
afterAll(() => rig.stop());

const drawer = (page: Page) => page.getByRole('complementary', { name: 'Client key' });

describe('client keys', () => {
  test('names a key, refuses a name that is taken, and takes one from a removed key when told to', async () => {
    const { page, problems } = await rig.open(`?key=${hashOf(KEYS.quiet)}`);
    const form = drawer(page);
    await form.getByText(/succeeded$/).waitFor();
    const field = form.getByRole('textbox', { name: 'Name' });
    await field.fill(' BUSY team ');
    await form.getByRole('button', { name: 'Save name' }).click();
    await form.getByText('Another client key already has this name.').waitFor();
    expect(await rig.aliasOf(KEYS.quiet)).toBeUndefined();

    await field.fill('Left team');
    await form.getByRole('button', { name: 'Save name' }).click();
    await form.getByText('Confirm the use of this name').waitFor();
    await picture(page, 'client-keys-drawer-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await form.getByRole('checkbox').check();
    await form.getByRole('button', { name: 'Save name' }).click();
    await keyRow(page, KEYS.quiet).getByText('Left team').waitFor();
    expect([await rig.aliasOf(KEYS.quiet), await rig.aliasOf(KEYS.gone)]).toEqual(['Left team', undefined]);

    // Somebody else names the key meanwhile, which is refused with a choice.
    await field.fill('Mine');
    await rig.manager.fetch('/v0/management/api-key-aliases', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ items: [{ apiKeyHash: hashOf(KEYS.quiet), alias: 'Theirs' }] }),
    });
    await form.getByRole('button', { name: 'Save name' }).click();
    await form.getByText('is now Theirs. Nothing was written').waitFor();
    expect(await rig.aliasOf(KEYS.quiet)).toBe('Theirs');
    await form.getByRole('button', { name: 'Save name' }).click();
    await keyRow(page, KEYS.quiet).getByText('Mine').waitFor();

    await form.getByRole('button', { name: 'Remove name' }).click();
    await keyRow(page, KEYS.quiet).getByText('no name').waitFor();
    expect(await rig.aliasOf(KEYS.quiet)).toBeUndefined();
    const link = form.getByRole('link', { name: 'Requests of this key' });
    expect(await link.getAttribute('href')).toContain(`api_key_hash=${hashOf(KEYS.quiet)}`);
    expect(problems).toEqual([]);
  }, 180_000);

  test('makes a key, copies it, rotates it with its name, deletes the old one and brings it back, without an answer to some changes', async () => {
    const { page, problems } = await rig.open('', {
      permissions: ['clipboard-read', 'clipboard-write'],
      expected: /502/,
    });
    await keyRow(page, KEYS.busy).waitFor();
    const makeChangesWithoutAnswer = () =>
      page.route('**/v0/management/api-keys*', async (route) => {
        if (route.request().method() === 'GET') return route.continue();
        await route.fetch();
        await route.fulfill({ status: 502, json: { error: 'the gateway did not respond' } });
      });
    await makeChangesWithoutAnswer();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New client key' });
    // Enter once more must add nothing.
    await until(async () => (await page.locator(':focus').textContent()) === 'Cancel');
    await dialog.getByRole('textbox', { name: 'Prefix' }).fill('team-');
    await dialog.getByRole('textbox', { name: 'Name (optional)' }).fill('New team');
    await picture(page, 'client-keys-new-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add key' }).click();
    await dialog.getByText('Key added.').waitFor();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await page.unroute('**/v0/management/api-keys*');
    const made = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(made).toMatch(/^team-[A-Za-z0-9]{40}$/);
    expect(await rig.listed()).toEqual([KEYS.busy, KEYS.quiet, SPARE, made]);
    expect(await rig.aliasOf(made)).toBe('New team');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'hidden' });

    await keyRow(page, made).getByText('New team').click();
    await drawer(page).getByRole('button', { name: 'Rotate' }).click();
    const rotating = page.getByRole('dialog', { name: 'Rotate client key' });
    await rotating.getByText('Give the new key the name “New team”').waitFor();
    await rotating.getByRole('button', { name: 'Add key' }).click();
    await rotating.getByText('Key added.').waitFor();
    await rotating.getByText('The old key New team (old)').waitFor();
    await rotating.getByText('Its requests are shown with the new key').waitFor();
    await rotating.getByRole('button', { name: 'Close' }).last().click();
    await rotating.waitFor({ state: 'hidden' });
    const successor = (await rig.listed()).at(-1) ?? '';
    expect(successor).not.toBe(made);
    expect([await rig.aliasOf(successor), await rig.aliasOf(made)]).toEqual(['New team', 'New team (old)']);

    // What the old key did belongs to the new one too, which the page goes on with.
    await drawer(page)
      .getByText(/^Before its last rotation: 0 requests, .* with an earlier key\./)
      .waitFor();
    const both = await drawer(page).getByRole('link', { name: 'Requests of all its keys' }).getAttribute('href');
    expect(both).toContain(hashOf(successor));
    expect(both).toContain(hashOf(made));

    // Somebody else deletes a key meanwhile, which moves the positions.
    await rig.manager.fetch('/v0/management/api-keys?index=2', { method: 'DELETE' });
    await keyRow(page, made).getByText('New team (old)').click();
    // Its use is read again for the decision.
    const read = page.waitForRequest(/\/monitoring\/analytics/);
    await drawer(page).getByRole('button', { name: 'Delete key' }).click();
    await read;
    const deleting = page.getByRole('dialog', { name: 'Delete this client key' });
    await deleting.getByText('No requests in this range').waitFor();
    await picture(page, 'client-keys-delete-1440');
    await deleting.getByRole('checkbox').check();
    // On a phone no drawer covers what is said.
    await page.setViewportSize({ width: 390, height: 844 });
    await makeChangesWithoutAnswer();
    await deleting.getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('New team (old) is deleted.').waitFor();
    await drawer(page).waitFor({ state: 'hidden' });
    expect(await rig.listed()).toEqual([KEYS.busy, KEYS.quiet, successor]);
    expect(await rig.aliasOf(made)).toBeUndefined();

    // The key comes back with its name, once, whatever is answered.
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('New team (old) is in the list again.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await rig.listed()).toEqual([KEYS.busy, KEYS.quiet, successor, made]);
    expect(await rig.aliasOf(made)).toBe('New team (old)');
    expect(problems).toEqual([]);
  }, 180_000);
});
