import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

// What the setup says at each step about a key or an address that is not right, in both languages.

let browser: Browser;
let gateway: Simulator;
let withoutManagement: Simulator;
let withTemplateKeys: Simulator;
let banning: Simulator;
let secure: Simulator;
const opened: OpenedPage[] = [];
const CLIENT_KEY = 'client-key-of-the-tests';

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway({ apiKeys: [CLIENT_KEY] });
  withoutManagement = await startTestGateway({ profile: 'off' });
  withTemplateKeys = await startTestGateway({ apiKeys: ['your-api-key-1'] });
  banning = await startTestGateway();
  secure = await startTestGateway({ tls: true });
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  for (const one of [gateway, withoutManagement, withTemplateKeys, banning, secure]) await one.stop();
});

const LANGUAGES = [
  {
    locale: 'en-GB',
    url: 'Gateway URL',
    gatewayStep: 'Gateway',
    keyStep: 'Management key',
    texts: {
      off: 'The gateway answers, but it has no management API at this URL (404).',
      template: 'The gateway still has the example client keys of its template',
      other: 'What answers at this URL is not a gateway.',
      unreachable: 'The gateway cannot be reached at this URL.',
      spaces: 'Enter an address that begins with',
      wrongAdmin: 'The admin key is wrong.',
      client: 'This is a client key of the gateway. Enter its management key',
      banned: 'The gateway banned the address of the manager after too many wrong keys, until',
      poll: 'Enter a whole number from 1 to 60,000.',
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
    url: '网关地址',
    gatewayStep: '网关',
    keyStep: '管理密钥',
    texts: {
      off: '网关有响应，但此地址没有管理 API（404）。',
      template: '网关仍使用模板中的示例客户端密钥',
      other: '此地址上的服务不是网关。',
      unreachable: '无法通过此地址连接网关。',
      spaces: '请输入以',
      wrongAdmin: '管理员密钥错误。',
      client: '这是网关的客户端密钥。请输入其管理密钥',
      banned: '网关因密钥多次错误封禁了管理器的地址，直到',
      poll: '请输入 1 到 60,000 之间的整数。',
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
  'names the cause in the step that it belongs to, and ticks no wrong answer ($locale)',
  async ({ locale, url, gatewayStep, keyStep, texts }) => {
    const fresh = await ManagerProcess.start();
    const stranger = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('<h1>It works</h1>') });
    const strangeUrl = `http://127.0.0.1:${stranger.port}`;
    try {
      const one = await openPage(browser, { locale, expected: /400|401|412|429|502/ });
      opened.push(one);
      const { page, problems } = one;
      let sent = 0;
      page.on('request', (request) => {
        if (request.url().includes('/setup')) sent += 1;
      });
      await page.goto(`${fresh.url}/`);
      const password = page.locator('input[type="password"]').first();
      const current = page.locator('.setup-step[aria-current="step"]');
      const ticks = page.locator('.setup-steps .shape');
      const shows = async (text: string) => {
        await page.locator('form.setup').getByText(text).first().waitFor();
        await page.locator('form.setup[aria-busy="false"]').waitFor();
      };
      /** Types into the open step, and continues with Enter. */
      const enter = async (field: typeof password, value: string) => {
        await field.fill(value);
        await field.press('Enter');
      };
      const address = page.getByLabel(url);
      const stays = async (step: string, ticked: number) => {
        expect(await current.textContent()).toContain(step);
        expect(await ticks.count()).toBe(ticked);
      };

      /** What is typed next replaces the refused value. */
      const isSelected = async (field: typeof password) => {
        const id = await field.getAttribute('id');
        await page.waitForFunction(
          `(() => { const { id, value, selectionStart, selectionEnd } = document.activeElement;
            return id === ${JSON.stringify(id)} && selectionStart === 0 && selectionEnd === value.length; })()`,
        );
      };

      await enter(password, 'mgr_wrong');
      await shows(texts.wrongAdmin);
      expect(await ticks.count()).toBe(0);
      await enter(password, TEST_ADMIN_KEY);

      await address.waitFor();
      const before = sent;
      await enter(address, 'http://gate way:8317');
      await shows(texts.spaces);
      await isSelected(address);
      expect(sent).toBe(before);
      await stays(gatewayStep, 1);
      await enter(address, strangeUrl);
      await shows(texts.other);
      await isSelected(address);
      await stays(gatewayStep, 1);
      await picture(page, `setup-not-gateway-${locale}`);
      expect(await accessibilityProblems(page)).toEqual([]);
      await stranger.stop(true);
      await enter(address, strangeUrl);
      await shows(texts.unreachable);
      await enter(address, withTemplateKeys.url);
      await shows(texts.template);
      await enter(address, secure.url.replace('https:', 'http:'));
      await shows(texts.speaksTls);
      await enter(address, gateway.url.replace('http:', 'https:'));
      await shows(texts.speaksPlain);
      await enter(address, secure.url);
      await shows(texts.certificate);
      await stays(gatewayStep, 1);

      /** To the step of the management key of another gateway. */
      const at = async (gatewayUrl: string) => {
        if (!(await address.isVisible())) {
          await page
            .locator('.setup-steps')
            .getByRole('button', { name: new RegExp(`${gatewayStep}$`) })
            .click();
        }
        await enter(address, gatewayUrl);
        await password.waitFor();
      };
      await at(withoutManagement.url);
      await enter(password, TEST_UPSTREAM_KEY);
      await shows(texts.off);
      await stays(keyStep, 2);
      await picture(page, `setup-404-${locale}`);

      for (let count = 0; count < 5; count += 1) {
        await fetch(`${banning.url}/v0/management/config`, { headers: { Authorization: 'Bearer other' } });
      }
      await at(banning.url);
      await enter(password, TEST_UPSTREAM_KEY);
      await shows(texts.banned);
      await stays(keyStep, 2);
      await picture(page, `setup-banned-${locale}`);

      await at(`${gateway.url}/management.html#/login`);
      await enter(password, TEST_ADMIN_KEY);
      await shows(texts.adminKey);
      await enter(password, CLIENT_KEY);
      await shows(texts.client);
      await shows(texts.tries);
      await enter(password, `wrong-${locale}`);
      await shows(texts.rejected);
      await enter(password, `wrong-${locale}`);
      await shows(texts.sameKey);
      await shows(texts.wait);
      await stays(keyStep, 2);
      expect(gateway.bans()).toMatchObject([{ failures: 2 }]);
      await picture(page, `setup-same-key-${locale}`);
      expect(await accessibilityProblems(page)).toEqual([]);

      await enter(password, TEST_UPSTREAM_KEY);
      const poll = page.getByRole('spinbutton');
      // The step of the switches has no field: Enter on what has the focus.
      await page.getByRole('switch').first().waitFor();
      await page.keyboard.press('Enter');
      await poll.waitFor();
      for (const wrong of ['0', '60001']) {
        await enter(poll, wrong);
        await shows(texts.poll);
        expect(await poll.inputValue()).toBe(wrong);
      }
      await enter(poll, '750');
      await page.locator('.setup-choice').first().waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.app').waitFor();
      expect(await fresh.json('/usage-service/config')).toMatchObject({
        config: { cpaConnection: { cpaBaseUrl: gateway.url }, collector: { pollIntervalMs: 750 } },
      });
      expect(problems).toEqual([]);
    } finally {
      await stranger.stop(true);
      await fresh.remove();
    }
  },
  180_000,
);
