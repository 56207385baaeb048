import type { Browser } from 'playwright-core';
import { launchBrowser, type OpenedPage, openPage } from './browser.ts';
import { ManagerProcess } from './manager-process.ts';
import { openAsAdmin, openAtGateway } from './signed-in.ts';
import { type Simulator, startTestGateway } from './test-gateway.ts';

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
      await openAsAdmin(one.page, of.url, path);
      return one;
    },
    async openAtGateway(of, path, options) {
      const one = await rig.page(options);
      await openAtGateway(one.page, of.url, path);
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
