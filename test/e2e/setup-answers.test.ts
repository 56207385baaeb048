import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

// What the setup says about a connection that cannot be saved, in both languages.

let browser: Browser;
let gateway: Simulator;
let withoutManagement: Simulator;
let secure: Simulator;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway();
  withoutManagement = await startTestGateway({ profile: 'off' });
  secure = await startTestGateway({ tls: true });
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  for (const one of [gateway, withoutManagement, secure]) await one.stop();
});

const LANGUAGES = [
  {
    locale: 'en-GB',
    next: 'Continue',
    finish: 'Save and start',
    url: 'Gateway URL',
    gatewayStep: 'Gateway',
    keyStep: 'Management key',
    texts: {
      off: 'The gateway has no management API at this URL (404). Usual causes:',
      template: 'it still has the example client keys of its template',
      speaksTls: 'The gateway speaks TLS on this port. Change the URL to https://.',
      speaksPlain: 'The gateway does not speak TLS on this port. Change the URL to http://.',
      certificate: 'The certificate of the gateway is not trusted.',
      adminKey: 'This is the admin key of the manager. Enter the management key of the gateway',
      rejected: 'The gateway rejects this management key.',
      wait: 'save it again in 10 min.',
      sameKey: 'The gateway rejected this key at this URL before, so it was not sent again',
      tries: 'Rejected keys until the gateway bans the manager for 30 min: 4.',
    },
  },
  {
    locale: 'zh-CN',
    next: '继续',
    finish: '保存并开始',
    url: '网关地址',
    gatewayStep: '网关',
    keyStep: '管理密钥',
    texts: {
      off: '此地址没有网关的管理 API（404）。常见原因：',
      template: '网关仍使用模板中的示例客户端密钥',
      speaksTls: '网关在此端口上使用 TLS。请将地址改为 https://。',
      speaksPlain: '网关在此端口上不使用 TLS。请将地址改为 http://。',
      certificate: '网关的证书不受信任。',
      adminKey: '这是管理器的管理员密钥。请输入网关的管理密钥',
      rejected: '网关拒绝此管理密钥。',
      wait: '请在 10 分钟后再保存。',
      sameKey: '网关此前拒绝过此地址的这个密钥，因此未再次发送',
      tries: '再有 4 次密钥错误，网关将封禁管理器 30 分钟。',
    },
  },
];

test.each(LANGUAGES)(
  'names the cause in the step that it belongs to ($locale)',
  async ({ locale, next, finish, url, gatewayStep, keyStep, texts }) => {
    const fresh = await ManagerProcess.start();
    try {
      const one = await openPage(browser, { locale, expected: /400|401|412|429|502/ });
      opened.push(one);
      const { page, problems } = one;
      await page.goto(`${fresh.url}/`);
      const password = page.locator('input[type="password"]').first();
      const forward = () => page.getByRole('button', { name: next }).click();
      const step = (name: string) =>
        page
          .locator('.setup-steps')
          .getByRole('button', { name: new RegExp(`${name}$`) })
          .click();
      /** From the step that is open to the end. */
      const send = async () => {
        const last = page.getByRole('button', { name: finish });
        while (!(await last.isVisible())) await forward();
        await last.click();
      };
      const shows = (text: string) => page.getByRole('alert').getByText(text).first().waitFor();
      const sendUrl = async (address: string) => {
        await step(gatewayStep);
        await page.getByLabel(url).fill(address);
        await forward();
        await password.fill(TEST_UPSTREAM_KEY);
        await send();
      };

      await password.fill(TEST_ADMIN_KEY);
      await forward();
      await page.getByLabel(url).fill(withoutManagement.url);
      await forward();
      await password.fill(TEST_UPSTREAM_KEY);
      await send();
      await shows(texts.off);
      await shows(texts.template);
      await picture(page, `setup-404-${locale}`);
      expect(await accessibilityProblems(page)).toEqual([]);

      await sendUrl(secure.url.replace('https:', 'http:'));
      await shows(texts.speaksTls);
      await sendUrl(gateway.url.replace('http:', 'https:'));
      await shows(texts.speaksPlain);
      await sendUrl(secure.url);
      await shows(texts.certificate);

      await step(gatewayStep);
      await page.getByLabel(url).fill(`${gateway.url}/management.html#/login`);
      await forward();
      const sendKey = async (key: string) => {
        await password.fill(key);
        await send();
      };
      await sendKey(TEST_ADMIN_KEY);
      await shows(texts.adminKey);
      await sendKey(`wrong-${locale}`);
      await shows(texts.rejected);
      await shows(texts.tries);
      await sendKey(`wrong-${locale}`);
      await shows(texts.sameKey);
      await shows(texts.wait);
      await shows(texts.tries);
      await picture(page, `setup-same-key-${locale}`);
      expect(await page.locator('.setup-step[aria-current="step"]').textContent()).toContain(keyStep);

      await sendKey(TEST_UPSTREAM_KEY);
      await page.locator('.app').waitFor();
      expect(await fresh.json('/usage-service/config')).toMatchObject({
        config: { cpaConnection: { cpaBaseUrl: gateway.url } },
      });
      expect(problems).toEqual([]);
    } finally {
      await fresh.remove();
    }
  },
  180_000,
);
