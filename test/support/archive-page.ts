import { expect } from 'bun:test';
import type { UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from './axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from './browser.ts';
import { ManagerProcess } from './manager-process.ts';
import { openAsAdmin } from './signed-in.ts';
import { boundTo, startTestGateway } from './test-gateway.ts';

const USAGE = '/v0/management/usage';
export const ARCHIVES_PAGE = '/usage-maintenance';
const DAY_MS = 86_400_000;
/** Events of each age. */
export const EACH = 100;

type OpenOptions = Parameters<typeof openPage>[1] & { readonly route?: (page: Page) => Promise<unknown> };

/** Takes a picture and checks accessibility. */
export async function checkAppearance(page: Page, name: string): Promise<void> {
  await picture(page, name);
  expect(await accessibilityProblems(page)).toEqual([]);
}

export const drawer = (page: Page) => page.getByRole('complementary', { name: 'Archive run' });
export const press = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** A manager beside a gateway, and a browser on its page of archives. */
export async function startArchivePages() {
  const browser: Browser = await launchBrowser();
  const gateway = await startTestGateway();
  const manager = await ManagerProcess.start({ env: boundTo(gateway) });
  const opened: OpenedPage[] = [];

  /** Address of the page, opened before the sign-in. */
  async function open(address = '', { route, ...options }: OpenOptions = {}): Promise<OpenedPage> {
    const one = await openPage(browser, options);
    opened.push(one);
    await route?.(one.page);
    await openAsAdmin(one.page, manager.url, `${ARCHIVES_PAGE}${address}`);
    await one.page.getByRole('heading', { name: 'Archives & maintenance' }).waitFor();
    return one;
  }

  /** Lines of the export format: the same number gives the same event. */
  async function fill(ages: readonly number[], from = 0): Promise<void> {
    const now = Date.now();
    const lines = ages.flatMap((days, age) =>
      Array.from({ length: EACH }, (_, index) => {
        const at = now - days * DAY_MS + index * 1_000;
        const counts = { input_tokens: 5, output_tokens: 2, reasoning_tokens: 0, cached_tokens: 0, cache_tokens: 0 };
        return JSON.stringify({
          event_hash: (from + age * EACH + index + 1).toString(16).padStart(64, '0'),
          timestamp_ms: at,
          timestamp: new Date(at).toISOString(),
          created_at_ms: at,
          model: 'archived-model',
          ...counts,
          cache_read_tokens: 0,
          cache_creation_tokens: 0,
          total_tokens: 7,
          failed: false,
        });
      }),
    );
    await manager.json(`${USAGE}/import`, { method: 'POST', body: lines.join('\n') });
  }

  return {
    manager,
    open,
    fill,
    maintenance: () => manager.json<UsageMaintenanceResponse>(`${USAGE}/maintenance`),
    async closePages(): Promise<void> {
      for (const page of opened.splice(0)) await page.close();
    },
    async stop(): Promise<void> {
      await browser.close();
      await manager.remove();
      await gateway.stop();
    },
  };
}

export type ArchivePages = Awaited<ReturnType<typeof startArchivePages>>;
