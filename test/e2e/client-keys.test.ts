import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { KEYS, keyRow, SPARE, startClientKeys } from '../support/client-keys.ts';

let rig: Awaited<ReturnType<typeof startClientKeys>>;

beforeAll(async () => {
  rig = await startClientKeys();
}, 180_000);
beforeEach(() => rig.nameAnew());
afterEach(() => rig.closePages());
afterAll(() => rig.stop());

describe('the page of client keys', () => {
  test('shows whose keys there are and what each used, and no key as it is', async () => {
    const { page, problems } = await rig.open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await keyRow(page, KEYS.busy).getByText('Busy team').waitFor();
    await keyRow(page, SPARE).getByText('no name').waitFor();
    expect(await keyRow(page, KEYS.gone).count()).toBe(0);
    await picture(page, 'client-keys-1440');

    await page.getByText(/^Removed \d/).click();
    await keyRow(page, KEYS.gone).getByText('Left team').waitFor();
    // A key that is no longer known is shown by its hash.
    await until(
      async () =>
        (await keyRow(page, KEYS.gone)
          .getByText(/^#[0-9a-f]{8}$/)
          .count()) === 2,
    );
    await until(() => page.url().includes('show=orphan'));
    await page.reload();
    await keyRow(page, KEYS.gone).waitFor();

    await page.getByText('Not used for 30 days').click();
    await keyRow(page, SPARE).waitFor();
    await until(async () => (await page.locator('[data-row]').count()) === 1);
    await until(() => page.url().includes('show=unused'));

    await page.getByText(/^All \d/).click();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('busy team');
    await until(() => /search=busy(\+|%20)team/.test(page.url()));
    await until(async () => (await page.locator('[data-row]').count()) === 1);
    // Part of a key finds it and stays out of the address.
    await search.fill(KEYS.quiet.slice(0, 20));
    await keyRow(page, KEYS.quiet).waitFor();
    await until(() => !page.url().includes('search='));
    await search.fill('nobody has this name');
    await page.getByText('No keys match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await keyRow(page, KEYS.busy).waitFor();

    const html = await page.content();
    for (const key of [...Object.values(KEYS), SPARE]) {
      expect(html).not.toContain(key);
      expect(asked.filter((url) => url.includes(key))).toEqual([]);
    }
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(String(stored)).not.toContain('marker-client-key');
    expect(problems).toEqual([]);
  }, 180_000);

  test('works without the list of the gateway, and reports that', async () => {
    const { page } = await rig.open('', { expected: /502|500/ });
    let failing = true;
    await page.route('**/v0/management/api-keys', (route) =>
      failing ? route.fulfill({ status: 502, json: { error: 'unreachable' } }) : route.continue(),
    );
    await page.reload();
    await page.getByText('The key list of the gateway could not be loaded.').waitFor();
    await keyRow(page, KEYS.busy).getByText('Busy team').waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).isDisabled()).toBe(true);
    failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await keyRow(page, KEYS.busy).getByText('Active').waitFor();

    await page.unroute('**/v0/management/api-keys');
    await page.route('**/v0/management/api-keys', (route) => route.fulfill({ json: { a: 1 } }));
    await page.reload();
    // Another answer than a list does not mean that the gateway is open.
    await page.getByText('Unexpected response.').waitFor();

    const none = { status: 200, json: { 'api-keys': [] } };
    await page.unroute('**/v0/management/api-keys');
    await page.route('**/v0/management/api-keys', (route) => route.fulfill(none));
    await page.reload();
    await page.getByText('The gateway has no client keys').waitFor();
  }, 180_000);

  test('shows the accounts of an open key, and says when they cannot be loaded', async () => {
    const { page } = await rig.open('?show=all', { expected: /500/ });
    const drawer = page.getByRole('complementary', { name: 'Client key' });
    let failing = true;
    await page.route('**/v0/management/monitoring/analytics', (route) =>
      failing && route.request().postData()?.includes('row_ids')
        ? route.fulfill({ status: 500, json: { error: 'broken' } })
        : route.continue(),
    );
    await keyRow(page, KEYS.busy).click();
    await drawer.getByText('The usage of the key is currently unknown.').waitFor();
    failing = false;
    await page.reload();
    await drawer.getByRole('table', { name: 'Accounts' }).waitFor();
    expect(await drawer.getByText('The usage of the key is currently unknown.').count()).toBe(0);
  }, 180_000);

  test('fits on a phone, in the dark theme and in Chinese, without sideways scrolling', async () => {
    const { page, problems } = await rig.open('?show=all', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'zh-CN',
    });
    await keyRow(page, KEYS.busy).waitFor();
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(await overflow()).toBe(0);
    await picture(page, 'client-keys-390-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    await keyRow(page, KEYS.busy).click();
    await page.getByRole('complementary', { name: '客户端密钥' }).getByText('此密钥的请求').waitFor();
    await picture(page, 'client-keys-drawer-390-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await overflow()).toBe(0);
    expect(problems).toEqual([]);
  }, 180_000);
});
