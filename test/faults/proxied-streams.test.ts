import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { ManagerProcess } from '../support/manager-process.ts';

// The full size is 2 GB in each direction: MANAGER_FULL_FAULTS=1.
const SIZE = process.env.MANAGER_FULL_FAULTS === '1' ? 2_000_000_000 : 500_000_000;
/** Far less than is sent; the manager itself takes up to 165 MiB during its start. */
const MAX_RESIDENT = 220 * 1024 * 1024;
const CHUNK = new Uint8Array(256 * 1024).fill(120);

let gateway: Bun.Server<unknown>;
let manager: ManagerProcess;
let uploaded = 0;
let cancelled = false;
/** Events the caller has received. */
let received = 0;

/** A gateway with an empty queue and a plugin that streams. */
function startStreamingGateway(): Bun.Server<unknown> {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    maxRequestBodySize: 2 ** 50,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/usage-queue')) return Response.json([]);
      if (pathname.endsWith('/config')) return Response.json({ 'usage-statistics-enabled': true });
      if (pathname.endsWith('/auth-files')) return Response.json({ files: [] });
      if (pathname.endsWith('/upload')) {
        uploaded = 0;
        for await (const chunk of request.body ?? []) uploaded += chunk.byteLength;
        return Response.json({ uploaded });
      }
      if (pathname.endsWith('/download'))
        return new Response(endless(SIZE), { headers: { 'Content-Length': String(SIZE) } });
      if (pathname.endsWith('/events'))
        return new Response(oneByOne(), { headers: { 'Content-Type': 'text/event-stream' } });
      return new Response(null, { status: 404 });
    },
  });
}

function endless(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = Math.min(left, CHUNK.byteLength);
      controller.enqueue(CHUNK.subarray(0, size));
      left -= size;
      if (left === 0) controller.close();
    },
    cancel() {
      cancelled = true;
    },
  });
}

/** Sends each event once the caller has received the previous one. */
function oneByOne(): ReadableStream<Uint8Array> {
  let count = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (count > received && !cancelled) await Bun.sleep(5);
      controller.enqueue(new TextEncoder().encode(`data: ${count++}\n\n`));
    },
    cancel() {
      cancelled = true;
    },
  });
}

beforeAll(async () => {
  gateway = startStreamingGateway();
  manager = await ManagerProcess.start({
    env: {
      UPSTREAM_URL: `http://127.0.0.1:${gateway.port}`,
      UPSTREAM_MANAGEMENT_KEY: 'k',
      USAGE_COLLECTOR_MODE: 'http',
    },
  });
});

afterAll(async () => {
  await manager.remove();
  await gateway.stop(true);
});

describe('the proxy with long bodies', () => {
  test('a download passes in constant memory', async () => {
    const answer = await manager.fetch('/v0/management/stream/download');
    let received = 0;
    for await (const chunk of answer.body ?? []) received += chunk.byteLength;
    expect(received).toBe(SIZE);
    expect(manager.peakResidentBytes()).toBeLessThan(MAX_RESIDENT);
  });

  test('an upload passes in constant memory', async () => {
    const answer = await manager.fetch('/v0/management/stream/upload', {
      method: 'POST',
      body: endless(SIZE),
      timeout: false,
    });
    expect(await answer.json()).toEqual({ uploaded: SIZE });
    expect(manager.peakResidentBytes()).toBeLessThan(MAX_RESIDENT);
  });

  test('server-sent events arrive one by one, and a disconnect of the client reaches the gateway', async () => {
    [cancelled, received] = [false, 0];
    const abort = new AbortController();
    const answer = await manager.fetch('/v0/management/stream/events', { signal: abort.signal });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    for (; received < 4; received++) {
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(`data: ${received}\n\n`);
    }
    abort.abort();
    await until(() => cancelled, 'the upstream to be told');
  });
});
