import { afterEach, expect, test } from 'bun:test';
import { ADMIN_KEY, SAVED_KEY, startProxy, startRecordingGateway } from './testing.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const admin = { Authorization: `Bearer ${ADMIN_KEY}` };

test('server-sent events arrive one by one, and a disconnect of the caller reaches the gateway', async () => {
  let send: ((text: string) => void) | undefined;
  const cancelled = Promise.withResolvers<void>();
  const gateway = startRecordingGateway(
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            send = (text) => controller.enqueue(new TextEncoder().encode(text));
            send('data: 1\n\n');
          },
          cancel: () => cancelled.resolve(),
        }),
        { headers: { 'Content-Type': 'text/event-stream' } },
      ),
  );
  const manager = startProxy({ upstreamUrl: gateway.url });
  cleanups.push(gateway.stop, manager.stop);
  const abort = new AbortController();
  const answer = await fetch(`${manager.url}/v0/management/logs`, { headers: admin, signal: abort.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const next = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toBe('data: 1\n\n');
  send?.('data: 2\n\n');
  expect(await next()).toBe('data: 2\n\n');
  abort.abort();
  await cancelled.promise;
});

test('an answer that breaks off at the gateway breaks off for the caller', async () => {
  const gateway = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\nhalf');
        socket.flush();
        setTimeout(() => socket.terminate(), 20);
      },
    },
  });
  const manager = startProxy({ upstreamUrl: `http://127.0.0.1:${gateway.port}` });
  cleanups.push(manager.stop, async () => gateway.stop(true));
  const read = fetch(`${manager.url}/v0/management/logs`, { headers: admin }).then((answer) => answer.arrayBuffer());
  expect(await read.catch((error: unknown) => error)).toBeInstanceOf(Error);
});

test('WebSockets are bridged with subprotocol, text, binary and close code', async () => {
  const seen: string[] = [];
  const gateway = Bun.serve<undefined>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, server) {
      seen.push(request.headers.get('authorization') ?? '');
      return server.upgrade(request, { data: undefined, headers: { 'Sec-WebSocket-Protocol': 'second' } })
        ? undefined
        : new Response(null, { status: 400 });
    },
    websocket: {
      open: (socket) => void socket.send('hello'),
      message(socket, message) {
        if (message === 'close') socket.close(4321, 'told so');
        else socket.send(message);
      },
    },
  });
  const manager = startProxy({ upstreamUrl: `http://127.0.0.1:${gateway.port}` });
  cleanups.push(manager.stop, () => gateway.stop(true));
  const socket = new WebSocket(`${manager.url.replace('http', 'ws')}/v0/management/some-plugin/socket`, {
    headers: admin,
    protocols: ['first', 'second'],
  } as never);
  socket.binaryType = 'arraybuffer';
  const messages: unknown[] = [];
  const closed = new Promise<CloseEvent>((resolve) => {
    socket.onclose = resolve;
  });
  const received = Promise.withResolvers<void>();
  socket.onmessage = ({ data }) => {
    messages.push(data instanceof ArrayBuffer ? [...new Uint8Array(data)] : data);
    if (messages.length === 3) received.resolve();
  };
  await new Promise((resolve) => {
    socket.onopen = resolve;
  });
  expect(socket.protocol).toBe('second');
  socket.send('text');
  socket.send(new Uint8Array([1, 2, 255]));
  await received.promise;
  expect(messages).toEqual(['hello', 'text', [1, 2, 255]]);
  socket.send('close');
  const { code, reason } = await closed;
  expect([code, reason]).toEqual([4321, 'told so']);
  expect(seen).toEqual([`Bearer ${SAVED_KEY}`]);
});

test('a refused WebSocket handshake returns the status of the gateway', async () => {
  const gateway = startRecordingGateway(() => new Response('no', { status: 403 }));
  const manager = startProxy({ upstreamUrl: gateway.url });
  cleanups.push(gateway.stop, manager.stop);
  const answer = await fetch(`${manager.url}/v0/resource/plugins/p/socket`, {
    headers: {
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Version': '13',
    },
  });
  expect(answer.status).toBe(403);
});
