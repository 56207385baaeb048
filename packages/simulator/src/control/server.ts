import { type MakeEventsOptions, makeEvents } from '../events/make-events.ts';
import { isObject } from '../json.ts';
import type { Simulator, Traffic } from '../types.ts';

/**
 * Adds the control interface over HTTP JSON: `POST /call` with `{"method": name, "args": [...]}` answers `{"result": ...}`, or
 * 400 `{"error": text}`. Methods and arguments are those of the in-process interface, with three differences:
 * `publishBytes(base64, options)` publishes binary data, `startTraffic({rate, total?, events})` takes the options of `makeEvents`
 * and answers an id, and `traffic(id)` and `stopTraffic(id)` read and stop it.
 */
export function startControlServer(simulator: Simulator, port: number): Simulator {
  const traffic = new Map<number, { readonly handle: Traffic; isDone: boolean }>();
  let nextTrafficId = 1;

  const extra: Readonly<Record<string, (...args: never[]) => unknown>> = {
    publishBytes: (base64: string, options?: Parameters<Simulator['publish']>[1]) =>
      simulator.publish(new Uint8Array(Buffer.from(base64, 'base64')), options),
    startTraffic(options: { rate: number; total?: number; events?: MakeEventsOptions }) {
      const id = nextTrafficId;
      nextTrafficId += 1;
      const { events = {}, ...pace } = options;
      const handle = simulator.startTraffic({ ...pace, events: makeEvents({ now: simulator.now, ...events }) });
      const entry = { handle, isDone: false };
      void handle.done.then(() => {
        entry.isDone = true;
      });
      traffic.set(id, entry);
      return id;
    },
    traffic(id: number) {
      const entry = traffic.get(id);
      return entry === undefined ? null : { sent: entry.handle.sent(), done: entry.isDone };
    },
    stopTraffic(id: number) {
      const entry = traffic.get(id);
      entry?.handle.stop();
      return entry?.handle.sent() ?? 0;
    },
    profile: () => simulator.profile().name,
    info: () => ({
      url: simulator.url,
      host: simulator.host,
      port: simulator.port,
      certificate: simulator.certificate,
    }),
  };
  const methods = new Map<string, (...args: never[]) => unknown>();
  for (const [name, member] of [...Object.entries(simulator), ...Object.entries(extra)])
    if (typeof member === 'function' && name !== 'stop') methods.set(name, member);

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    maxRequestBodySize: 256 * 1024 * 1024,
    idleTimeout: 255,
    async fetch(request) {
      if (new URL(request.url).pathname !== '/call' || request.method !== 'POST')
        return Response.json({ error: 'POST /call', methods: [...methods.keys()] }, { status: 404 });
      try {
        const call: unknown = await request.json();
        const method = isObject(call) ? methods.get(String(call.method)) : undefined;
        if (!isObject(call) || method === undefined) return Response.json({ error: 'unknown method' }, { status: 400 });
        const args = Array.isArray(call.args) ? call.args : [];
        const result: unknown = await Reflect.apply(method, null, args);
        return Response.json({ result: result ?? null });
      } catch (error) {
        return Response.json({ error: error instanceof Error ? error.message : String(error) }, { status: 400 });
      }
    },
  });
  return {
    ...simulator,
    controlUrl: `http://127.0.0.1:${server.port}`,
    async stop() {
      await server.stop(true);
      await simulator.stop();
    },
  };
}
