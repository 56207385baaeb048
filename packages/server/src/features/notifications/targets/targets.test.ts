import { afterEach, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createZone } from '@manager/core/time/zones';
import type { MessageContent } from '../content.ts';
import { renderMessage } from '../render.ts';
import { condition, startReceiver } from '../testing.ts';
import type { Outgoing, Secrets } from './delivery.ts';
import { SENDERS } from './senders.ts';

const NOW_MS = 1_770_000_000_123;
const SECONDS = '1770000000';
const SIGNING = 'a-signing-secret';

const CONTENT: MessageContent = {
  groups: [
    {
      event: 'account_login',
      change: 'raised',
      count: 1,
      items: [{ ...condition('s', { name: 'a_<b>@everyone', provider: 'codex', sinceMs: 7 }), untilMs: null }],
    },
  ],
};
const MESSAGE = renderMessage(CONTENT, {
  language: 'en',
  zone: createZone(''),
  baseUrl: 'https://m.test',
  showAccounts: true,
});
const LINK = 'Details: https://m.test/management.html#/accounts/actions';
const TITLE = 'Account a_<b>@everyone needs a sign-in';

let receiver: ReturnType<typeof startReceiver> | null = null;
afterEach(() => receiver?.stop());

function serve(answer: Parameters<typeof startReceiver>[0]) {
  receiver = startReceiver(answer);
  return receiver;
}

function outgoing(secrets: Secrets, members: Partial<Outgoing> = {}): Outgoing {
  return {
    id: 'message-1',
    message: MESSAGE,
    content: CONTENT,
    isTest: false,
    language: 'en',
    createdAtMs: NOW_MS - 5,
    secrets,
    nowMs: NOW_MS,
    signal: new AbortController().signal,
    ...members,
  };
}

test('a webhook gets JSON and a signature over timestamp and body', async () => {
  const { url, received } = serve(() => new Response('thanks', { status: 202 }));
  const secrets = { url: `${url}/hook?key=1`, signingSecret: SIGNING };
  expect(await SENDERS.webhook({}, outgoing(secrets))).toEqual({
    outcome: 'sent',
    status: 202,
    answer: 'thanks',
    retryAfterMs: null,
  });
  const [{ path, headers, body } = { path: '', headers: new Headers(), body: '' }] = received;
  expect(path).toBe('/hook?key=1');
  expect(headers.get('x-manager-timestamp')).toBe(SECONDS);
  expect(headers.get('x-manager-message-id')).toBe('message-1');
  const expected = createHmac('sha256', SIGNING).update(`${SECONDS}.${body}`).digest('hex');
  expect(headers.get('x-manager-signature')).toBe(`sha256=${expected}`);
  expect(JSON.parse(body)).toEqual({
    id: 'message-1',
    test: false,
    created_at_ms: NOW_MS - 5,
    language: 'en',
    title: TITLE,
    text: `${TITLE}\n${LINK}`,
    url: 'https://m.test/management.html#/accounts/actions',
    changes: [
      {
        event: 'account_login',
        change: 'raised',
        count: 1,
        text: TITLE,
        url: 'https://m.test/management.html#/accounts/actions',
        items: [{ subject: 's', name: 'a_<b>@everyone', provider: 'codex', since_ms: 7, until_ms: null, facts: {} }],
      },
    ],
  });
});

test('a webhook without a secret has no signature', async () => {
  const { url, received } = serve(() => new Response(''));
  await SENDERS.webhook({}, outgoing({ url }));
  expect(received[0]?.headers.has('x-manager-signature')).toBe(false);
});

test('ntfy gets the topic of its URL, and a token', async () => {
  const { url, received } = serve(() => Response.json({ id: 'x' }));
  const secrets = { url: `${url}/below/my-topic`, token: 'tk_secret' };
  expect(await SENDERS.ntfy({}, outgoing(secrets))).toMatchObject({ outcome: 'sent', status: 200 });
  expect(received[0]?.path).toBe('/below');
  expect(received[0]?.headers.get('authorization')).toBe('Bearer tk_secret');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    topic: 'my-topic',
    title: TITLE,
    message: `${TITLE}\n${LINK}`,
    priority: 4,
    click: 'https://m.test/management.html#/accounts/actions',
  });
});

test('ntfy gets at most 1,300 bytes, because a longer text would be an attachment', async () => {
  const { url, received } = serve(() => Response.json({ id: 'x' }));
  const message = { ...MESSAGE, lines: [{ text: '额度'.repeat(400), url: '' }] };
  await SENDERS.ntfy({}, outgoing({ url: `${url}/topic` }, { message }));
  const { message: text } = JSON.parse(received[0]?.body ?? '');
  expect(Buffer.byteLength(text)).toBeWithin(1_290, 1_301);
  expect(text).toEndWith('…');
});

test('Slack gets text in which names mean nothing', async () => {
  const { url, received } = serve(() => new Response('ok'));
  await SENDERS.slack({}, outgoing({ url: `${url}/services/T/B/x` }));
  expect(received[0]?.path).toBe('/services/T/B/x');
  const { text } = JSON.parse(received[0]?.body ?? '');
  expect(text).toStartWith('*Account a_&lt;b&gt;@everyone needs a sign-in*\n');
  expect(text).toContain(LINK);
});

test('Discord calls nobody', async () => {
  const { url, received } = serve(() => new Response(null, { status: 204 }));
  expect(await SENDERS.discord({}, outgoing({ url }))).toMatchObject({ outcome: 'sent', status: 204 });
  const body = JSON.parse(received[0]?.body ?? '');
  expect(body.allowed_mentions).toEqual({ parse: [] });
  expect(body.content).toStartWith('**Account a\\_<b\\>@everyone needs a sign-in**\n');
  expect(body.content).toContain(LINK);
});

test('Telegram gets the chat and the topic; the token is in the path', async () => {
  const { url, received } = serve(() => Response.json({ ok: true }));
  const options = { chatId: '-100123', threadId: '7', apiUrl: `${url}/` };
  expect(await SENDERS.telegram(options, outgoing({ token: '123:ABC' }))).toMatchObject({ outcome: 'sent' });
  expect(received[0]?.path).toBe('/bot123:ABC/sendMessage');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    chat_id: '-100123',
    message_thread_id: 7,
    text: `${TITLE}\n${LINK}`,
    link_preview_options: { is_disabled: true },
  });
});

test('Telegram states its pause in the body', async () => {
  const { url } = serve(() => Response.json({ ok: false, parameters: { retry_after: 33 } }, { status: 429 }));
  const options = { chatId: '1', threadId: '', apiUrl: url };
  expect(await SENDERS.telegram(options, outgoing({ token: 't' }))).toMatchObject({
    outcome: 'retry',
    status: 429,
    retryAfterMs: 33_000,
  });
});

test('Feishu gets its signature in the body', async () => {
  const { url, received } = serve(() => Response.json({ code: 0, msg: 'success' }));
  expect(await SENDERS.feishu({}, outgoing({ url, signingSecret: SIGNING }))).toMatchObject({ outcome: 'sent' });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    timestamp: SECONDS,
    sign: createHmac('sha256', `${SECONDS}\n${SIGNING}`).digest('base64'),
    msg_type: 'text',
    content: { text: `${TITLE}\n${LINK}` },
  });
});

test('DingTalk gets its signature in the query', async () => {
  const { url, received } = serve(() => Response.json({ errcode: 0, errmsg: 'ok' }));
  const secrets = { url: `${url}/robot/send?access_token=abc`, signingSecret: SIGNING };
  expect(await SENDERS.dingtalk({}, outgoing(secrets))).toMatchObject({ outcome: 'sent' });
  const query = new URL(received[0]?.path ?? '', url).searchParams;
  expect(query.get('access_token')).toBe('abc');
  expect(query.get('timestamp')).toBe(String(NOW_MS));
  expect(query.get('sign')).toBe(createHmac('sha256', SIGNING).update(`${NOW_MS}\n${SIGNING}`).digest('base64'));
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    msgtype: 'text',
    text: { content: `${TITLE}\n${LINK}` },
  });
});

test('WeCom gets at most 2,048 bytes', async () => {
  const { url, received } = serve(() => Response.json({ errcode: 0 }));
  const message = { ...MESSAGE, lines: [{ text: '额度'.repeat(2_000), url: '' }] };
  expect(await SENDERS.wecom({}, outgoing({ url }, { message }))).toMatchObject({ outcome: 'sent' });
  const { msgtype, text } = JSON.parse(received[0]?.body ?? '');
  expect(msgtype).toBe('text');
  expect(Buffer.byteLength(text.content)).toBeWithin(2_040, 2_049);
  expect(text.content).toEndWith('…');
});

test.each([
  ['feishu', { code: 19021, msg: 'sign match fail' }, 'refused'],
  ['feishu', { code: 11232 }, 'retry'],
  ['feishu', { StatusCode: 0 }, 'sent'],
  ['dingtalk', { errcode: 310000 }, 'refused'],
  ['dingtalk', { errcode: 130101 }, 'retry'],
  ['wecom', { errcode: 93000 }, 'refused'],
  ['wecom', { errcode: 45009 }, 'retry'],
  ['wecom', { hello: 1 }, 'refused'],
] as const)('%s that answers 200 with %j: %s', async (kind, body, outcome) => {
  const { url } = serve(() => Response.json(body));
  expect(await SENDERS[kind]({}, outgoing({ url }))).toMatchObject({ outcome, status: 200 });
});

test.each([
  [500, 'retry'],
  [503, 'retry'],
  [429, 'retry'],
  [408, 'retry'],
  [400, 'refused'],
  [401, 'refused'],
  [404, 'refused'],
] as const)('a service that answers %d: %s', async (status, outcome) => {
  const { url } = serve(() => new Response('why', { status }));
  expect(await SENDERS.slack({}, outgoing({ url }))).toMatchObject({ outcome, status, answer: 'why' });
});

test.each([
  ['7', 7_000],
  [new Date(NOW_MS + 61_000).toUTCString(), 60_877],
  ['soon', null],
])('Retry-After: %s', async (value, retryAfterMs) => {
  const { url } = serve(() => new Response('', { status: 429, headers: { 'Retry-After': value } }));
  expect(await SENDERS.discord({}, outgoing({ url }))).toMatchObject({ outcome: 'retry', retryAfterMs });
});

test('a redirect is not followed: the next host would get the secrets', async () => {
  const { url, received } = serve(({ path }) =>
    path === '/first' ? new Response('', { status: 307, headers: { Location: '/second' } }) : new Response('ok'),
  );
  expect(await SENDERS.webhook({}, outgoing({ url: `${url}/first` }))).toMatchObject({
    outcome: 'refused',
    status: 307,
  });
  expect(received.map(({ path }) => path)).toEqual(['/first']);
});

test('an endless answer is read only in part', async () => {
  const piece = new Uint8Array(64 * 1024).fill(97);
  const { url } = serve(() => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) })));
  const { outcome, answer } = await SENDERS.webhook({}, outgoing({ url }));
  expect(outcome).toBe('sent');
  expect(answer.length).toBe(16 * 1024);
});

describe('an answer that breaks off', () => {
  let listener: Server | null = null;
  afterEach(() => listener?.close());

  async function breaking(): Promise<string> {
    const started = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"co');
        setTimeout(() => socket.destroy(), 20);
      });
    });
    listener = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  }

  test('with a status that says the message was taken is not sent again', async () => {
    const url = await breaking();
    expect(await SENDERS.webhook({}, outgoing({ url }))).toMatchObject({
      outcome: 'sent',
      status: 200,
      answer: '{"co',
    });
  });

  test('is sent again where only the body says whether it was taken', async () => {
    const url = await breaking();
    expect(await SENDERS.feishu({}, outgoing({ url }))).toMatchObject({ outcome: 'retry', status: 200 });
    const options = { chatId: '1', threadId: '', apiUrl: url };
    expect(await SENDERS.telegram(options, outgoing({ token: 't' }))).toMatchObject({ outcome: 'retry', status: 200 });
  });
});

test('a service that cannot be reached is tried again, and its address is not told', async () => {
  const delivery = await SENDERS.slack({}, outgoing({ url: 'http://127.0.0.1:9/services/SECRET-PART' }));
  expect(delivery).toMatchObject({ outcome: 'retry', status: null });
  expect(delivery.answer).not.toContain('SECRET-PART');
});

test('a stopping manager ends an attempt', async () => {
  const never = Promise.withResolvers<Response>();
  const { url } = serve(() => never.promise);
  const stopping = new AbortController();
  const sending = SENDERS.slack({}, outgoing({ url }, { signal: stopping.signal }));
  stopping.abort();
  expect(await sending).toMatchObject({ outcome: 'retry', status: null });
  never.resolve(new Response(''));
});
