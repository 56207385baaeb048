import {
  ANALYTICS_PATH,
  type AnalyticsRequest,
  type AnalyticsResponse,
  analyticsResponseSchema,
} from '@manager/core/contract/monitoring/analytics';
import { until } from '@manager/core/testing/until';
import { eventWith, makeEvents } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, type OpenedPage, openPage } from './browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from './manager-process.ts';
import { openAsAdmin } from './signed-in.ts';
import { readStatus } from './status.ts';
import { boundTo, startTestGateway } from './test-gateway.ts';

/** E-mail address of one account, which must not appear anywhere while masking is on. */
export const MARKER = 'marker.identity@example.org';

type OpenOptions = Parameters<typeof openPage>[1] & {
  /** Before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>;
};

export interface MonitoredManager {
  readonly manager: ManagerProcess;
  /** Events that it stores. */
  readonly events: number;
  /** The monitoring page, signed in, with a query. */
  open(query?: string, options?: OpenOptions): Promise<OpenedPage>;
  /** A page that is not signed in. */
  openPlain(): Promise<OpenedPage>;
  ask(request: AnalyticsRequest): Promise<AnalyticsResponse>;
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

/** A manager with requests of several accounts, a tenth of them failed, and a browser. */
export async function startMonitored(seed: number, count: number, accounts = 12): Promise<MonitoredManager> {
  const browser: Browser = await launchBrowser();
  const gateway = await startTestGateway();
  const manager = await ManagerProcess.start({ env: boundTo(gateway) });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed, numberFrom: 0, failureRate: 0.1, accounts });
  for (let index = 1; index < count; index++) {
    await gateway.publish(events.next().value);
    if (index % 100 === 0) await Bun.sleep(20);
  }
  const marked = { timestamp: new Date().toISOString(), request_id: 'marked', source: MARKER, auth_index: 'marker-1' };
  await gateway.publish(JSON.stringify(eventWith(marked)));
  await until(async () => (await readStatus(manager)).events === count);
  const opened: OpenedPage[] = [];
  const openOne = async (options: Parameters<typeof openPage>[1]) => {
    const one = await openPage(browser, options);
    opened.push(one);
    return one;
  };
  return {
    manager,
    events: count,
    openPlain: () => openOne({}),
    open: async (query = '', { before, ...options } = {}) => {
      const one = await openOne(options);
      await before?.(one.page);
      await openAsAdmin(one.page, manager.url, `/monitoring${query}`);
      await settled(one.page);
      return one;
    },
    ask: async (request) => {
      const response = await fetch(`${manager.url}${ANALYTICS_PATH}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_ADMIN_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ from_ms: 1, to_ms: Date.now() + 3_600_000, ...request }),
      });
      return analyticsResponseSchema.parse(await response.json());
    },
    closePages: async () => {
      for (const one of opened.splice(0)) await one.close();
    },
    stop: async () => {
      await browser.close();
      await manager.remove();
      await gateway.stop();
    },
  };
}

/** Waits for the sums. */
export const settled = (page: Page) => page.locator('[data-stat="requests"] button').waitFor();

/** Requests to the analytics endpoint, by what they ask for. */
export function watchQuestions(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes('/dashboard/')) asked.push('dashboard');
    if (!pathname.includes('/monitoring/')) return;
    const body = request.method() === 'POST' ? (request.postDataJSON() as AnalyticsRequest) : {};
    asked.push(Object.keys(body.include ?? {}).join(' ') || pathname);
  });
  return asked;
}
