import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createZone } from '@manager/core/time/zones';
import { renderMessage } from '../render.ts';
import { condition } from '../testing.ts';
import { sendEmail } from './email.ts';

const NOW_MS = 1_770_000_000_000;

let server: Server | null = null;
afterEach(() => server?.close());

/** A small mail server: what clients sent, and replies by the beginning of a line. */
async function startMailServer(replies: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  let inData = false;
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.test ESMTP\r\n');
    let rest = '';
    socket.on('data', (bytes) => {
      rest += bytes.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        lines.push(line);
        if (inData) {
          if (line !== '.') continue;
          inData = false;
          socket.write('250 2.0.0 queued as 42\r\n');
          continue;
        }
        const verb = line.slice(0, 4).toUpperCase();
        inData = verb === 'DATA' && replies.DATA === undefined;
        socket.write(`${replies[verb] ?? DEFAULT_REPLIES[verb] ?? '250 ok'}\r\n`);
        if (verb === 'QUIT') socket.end();
      }
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, lines };
}

const DEFAULT_REPLIES: Readonly<Record<string, string>> = {
  EHLO: '250-mail.test\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 accepted',
  DATA: '354 go on',
  QUIT: '221 bye',
  STAR: '502 5.5.1 not implemented',
};

const options = (port: number) => ({
  host: '127.0.0.1',
  port,
  security: 'none' as const,
  username: 'robot',
  from: 'manager@example.test',
  to: ['a@example.test', 'b@example.test'],
});

interface Attempt {
  readonly signal?: AbortSignal;
  readonly attemptMs?: number;
}

function send(port: number, { signal = new AbortController().signal, attemptMs }: Attempt = {}) {
  const content = {
    groups: [
      {
        event: 'account_login' as const,
        change: 'raised' as const,
        count: 1,
        items: [{ ...condition('s', { name: '账号' }), untilMs: null }],
      },
    ],
  };
  const language = 'zh-CN' as const;
  const message = renderMessage(content, { language, zone: createZone(''), baseUrl: '', showAccounts: true });
  const outgoing = {
    id: 'message-1',
    message,
    content,
    isTest: false,
    language,
    createdAtMs: NOW_MS,
    secrets: { password: 'mail-password' },
    nowMs: NOW_MS,
    signal,
  } as const;
  return sendEmail(options(port), outgoing, attemptMs);
}

test('a mail goes to every recipient, signed in, with an id of its own', async () => {
  const { port, lines } = await startMailServer();
  expect(await send(port)).toEqual({
    outcome: 'sent',
    status: 250,
    answer: '250 2.0.0 queued as 42',
    retryAfterMs: null,
  });
  const credentials = Buffer.from('\0robot\0mail-password').toString('base64');
  expect(lines).toContain(`AUTH PLAIN ${credentials}`);
  expect(lines).toContain('MAIL FROM:<manager@example.test>');
  expect(lines).toContain('RCPT TO:<a@example.test>');
  expect(lines).toContain('RCPT TO:<b@example.test>');
  expect(lines).toContain('Message-ID: <message-1@example.test>');
  expect(lines).toContain('Auto-Submitted: auto-generated');
  const subject = lines.find((line) => line.startsWith('Subject: =?UTF-8?')) ?? '';
  expect(subject).not.toBe('');
  const body = lines.slice(lines.indexOf('') + 1, lines.indexOf('.')).join('');
  expect(Buffer.from(body, 'base64').toString('utf8').trim()).toBe('账号 账号 需要重新登录');
});

test.each([
  ['AUTH', '535 5.7.8 wrong password', 'refused', 535],
  ['AUTH', '454 4.7.0 try later', 'retry', 454],
  ['MAIL', '451 4.3.0 busy', 'retry', 451],
  ['RCPT', '550 5.1.1 no such user', 'refused', 550],
  ['DATA', '552 5.3.4 too big', 'refused', 552],
] as const)('a server that answers %s with %s: %s', async (verb, reply, outcome, status) => {
  const { port } = await startMailServer({ [verb]: reply });
  const delivery = await send(port);
  expect(delivery).toMatchObject({ outcome, status });
  expect(delivery.answer).toContain(reply);
  expect(delivery.answer).not.toContain('mail-password');
});

test.each([
  ['AUTH PLAIN', '\0robot\0mail-password'],
  ['AUTH LOGIN', 'mail-password'],
])(
  'a server that repeats the line with the password, as %s sends it: its answer is shown without it',
  async (method, sent) => {
    const credentials = Buffer.from(sent).toString('base64');
    const { port } = await startMailServer({ AUTH: `535 5.7.8 wrong: ${method} ${credentials}` });
    const { answer } = await send(port);
    expect(answer).toContain(`535 5.7.8 wrong: ${method} •••`);
    expect(answer).not.toContain(credentials);
  },
);

test('no server is tried again', async () => {
  const { port } = await startMailServer();
  server?.close();
  server = null;
  expect(await send(port)).toMatchObject({ outcome: 'retry', status: null });
});

test('a server without STARTTLS gets no mail where it is required', async () => {
  const { port, lines } = await startMailServer();
  const content = { groups: [] };
  const message = { title: 'x', lines: [], url: '' };
  const delivery = await sendEmail(
    { ...options(port), security: 'starttls' },
    {
      id: 'm',
      message,
      content,
      isTest: true,
      language: 'en',
      createdAtMs: NOW_MS,
      secrets: { password: 'mail-password' },
      nowMs: NOW_MS,
      signal: new AbortController().signal,
    },
  );
  expect(delivery.outcome).not.toBe('sent');
  expect(lines.some((line) => line.startsWith('AUTH') || line.startsWith('MAIL'))).toBe(false);
});

describe('a server that never ends its answer to EHLO', () => {
  let endless: Server;
  let port = 0;
  let open = 0;
  beforeEach(async () => {
    endless = createServer((socket) => {
      open += 1;
      const lines = setInterval(() => socket.write('250-mail.test\r\n'), 5);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open -= 1;
        clearInterval(lines);
      });
      socket.write('220 mail.test ESMTP\r\n');
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    port = (endless.address() as AddressInfo).port;
  });
  afterEach(async () => {
    while (open > 0) await Bun.sleep(5);
    endless.close();
  });

  test('is left after a while', async () => {
    expect(await send(port, { attemptMs: 100 })).toEqual({
      outcome: 'retry',
      status: null,
      answer: 'not finished within 0.1 seconds',
      retryAfterMs: null,
    });
  });

  test('is left when the manager stops', async () => {
    const stopping = new AbortController();
    const sending = send(port, { signal: stopping.signal });
    while (open === 0) await Bun.sleep(5);
    stopping.abort();
    expect(await sending).toMatchObject({ outcome: 'retry', status: null });
  });
});
