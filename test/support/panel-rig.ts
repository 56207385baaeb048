import type { Browser, Page } from 'playwright-core';
import { launchBrowser, type OpenedPage, openPage } from './browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from './manager-process.ts';
import { type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from './test-gateway.ts';

/** A browser with the gateways and managers that its tests start, each stopped separately. */
export interface PanelRig {
  readonly browser: Browser;
  gateway(options?: Parameters<typeof startTestGateway>[0]): Promise<Simulator>;
  managerOf(env: Record<string, string>): Promise<ManagerProcess>;
  /** A page that is closed with its test. */
  page(options?: Parameters<typeof openPage>[1]): Promise<OpenedPage>;
  /** The same, signed in. */
  open(of: ManagerProcess, path: string, options?: Parameters<typeof openPage>[1]): Promise<OpenedPage>;
  /** The panel as a gateway without manager serves it, signed in; for gateways started with `panelFile`. */
  openAtGateway(of: Simulator, path: string, options?: Parameters<typeof openPage>[1]): Promise<OpenedPage>;
  closePages(): Promise<void>;
  end(): Promise<void>;
}

export async function startPanelRig(): Promise<PanelRig> {
  const browser = await launchBrowser();
  const opened: OpenedPage[] = [];
  const managers: ManagerProcess[] = [];
  const gateways: Simulator[] = [];
  const rig: PanelRig = {
    browser,
    async gateway(options = {}) {
      const one = await startTestGateway(options);
      gateways.push(one);
      return one;
    },
    async managerOf(env) {
      const one = await ManagerProcess.start({ env });
      managers.push(one);
      return one;
    },
    async page(options = {}) {
      const one = await openPage(browser, options);
      opened.push(one);
      return one;
    },
    async open(of, path, options) {
      const one = await rig.page(options);
      await signIn(one.page, of, path);
      return one;
    },
    async openAtGateway(of, path, options) {
      const one = await rig.page(options);
      await one.page.goto(`${of.url}/management.html#${path}`);
      await one.page.locator('input[type="password"]').fill(TEST_UPSTREAM_KEY);
      await one.page.keyboard.press('Enter');
      await one.page.locator('.page-head').first().waitFor();
      return one;
    },
    async closePages() {
      for (const page of opened.splice(0)) await page.close();
    },
    async end() {
      await browser.close();
      await Promise.all(managers.map((one) => one.remove()));
      await Promise.all(gateways.map((one) => one.stop()));
    },
  };
  return rig;
}

export async function signIn(page: Page, of: ManagerProcess, path: string): Promise<void> {
  await page.goto(`${of.url}/management.html#${path}`);
  await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
  await page.keyboard.press('Enter');
  await page.locator('.page-head').first().waitFor();
  // A manager whose gateway refuses the key opens the settings first.
  await page.goto(`${of.url}/management.html#${path}`);
}
