import type { Page } from 'playwright-core';
import { TEST_ADMIN_KEY } from './manager-process.ts';
import { TEST_UPSTREAM_KEY } from './test-gateway.ts';

/** Opens a manager's panel at a path, signed in for this tab. */
export function openAsAdmin(page: Page, url: string, path: string): Promise<void> {
  return openSignedIn(page, url, path, { key: TEST_ADMIN_KEY, mode: 'manager' });
}

/** The same for the panel that a gateway serves alone. */
export function openAtGateway(page: Page, url: string, path: string): Promise<void> {
  return openSignedIn(page, url, path, { key: TEST_UPSTREAM_KEY, mode: 'gateway' });
}

/**
 * The address is loaded without the path, because the renderer keeps the compiled script by the whole address; the path is set before the panel
 * reads it.
 */
async function openSignedIn(page: Page, url: string, path: string, who: { key: string; mode: string }): Promise<void> {
  const session = JSON.stringify({ ...who, base: `${url}/` });
  const debug = await page.context().newCDPSession(page);
  await debug.send('Page.enable');
  const { identifier } = await debug.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `sessionStorage.setItem('mgrpanel:v1:session', ${JSON.stringify(session)});
      addEventListener('DOMContentLoaded', () => history.replaceState(null, '', ${JSON.stringify(`#${path}`)}));`,
  });
  await page.goto(`${url}/management.html`);
  await debug.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  await debug.detach();
  await page.locator('.page-head').first().waitFor();
}
