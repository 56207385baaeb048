import { Readable } from 'node:stream';
import { getHeapSnapshot, getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { HostPort } from '../config/config.ts';
import { createCpuProfiler, ProfileBusy } from './cpu-profile.ts';
import { type DelayReport, startDelayProbe } from './event-loop.ts';

const PREFIX = '/debug/pprof/';
/** Host names of requests to a loopback listener; any other is a DNS name of a web page that points here. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 300;
const IDLE_SECONDS = 120;

export interface ProfilingOptions {
  readonly address: HostPort;
  readonly version: string;
  readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Whether the header proves the admin key; throws when keys cannot be checked. */
  readonly isAdmin: (authorization: string | null) => boolean | Promise<boolean>;
  /** Removes secrets from the command line. */
  readonly redact: (text: string) => string;
  /** Event-loop delay of each worker by name. */
  readonly workerDelays?: () => Promise<Readonly<Record<string, DelayReport>>>;
}

export interface ProfilingListener {
  readonly address: HostPort;
  stop(): Promise<void>;
}

type Page = (request: Request, url: URL) => Promise<Response> | Response;

/** Starts the listener; null when the address cannot be bound, which is logged and does not stop the manager. */
export function startProfiling(options: ProfilingOptions): ProfilingListener | null {
  const probe = startDelayProbe();
  const profiler = createCpuProfiler();
  const startedAt = performance.now();

  const pages: ReadonlyMap<string, Page> = new Map(
    Object.entries<Page>({
      '': () =>
        Response.json({
          version: options.version,
          uptimeSeconds: Math.round((performance.now() - startedAt) / 1000),
          pages: [...pages.keys()].filter((name) => name !== '').map((name) => PREFIX + name),
        }),
      async profile(request, url) {
        const seconds = parseSeconds(url.searchParams.get('seconds'));
        if (seconds === null) return problem(400, `seconds: a whole number from 1 to ${MAX_SECONDS} expected`);
        try {
          return download(
            await profiler.record(seconds * 1000, request.signal),
            'application/json',
            'manager.cpuprofile',
          );
        } catch (error) {
          if (error instanceof ProfileBusy) return problem(409, error.message);
          throw error;
        }
      },
      heap: () =>
        download(Readable.toWeb(getHeapSnapshot()) as ReadableStream, 'application/json', 'manager.heapsnapshot'),
      trace: () => problem(501, 'the runtime emits no usable trace events'),
      memory: () =>
        Response.json({
          process: process.memoryUsage(),
          heap: getHeapStatistics(),
          spaces: getHeapSpaceStatistics().filter((space) => space.space_size > 0),
        }),
      eventloop: async () =>
        Response.json({ unit: 'ms', main: probe.report(), workers: (await options.workerDelays?.()) ?? {} }),
      cmdline: () =>
        Response.json({
          executable: options.redact(process.execPath),
          arguments: process.argv.slice(1).map((argument) => options.redact(argument)),
        }),
    }),
  );

  async function serve(request: Request): Promise<Response> {
    if (!LOOPBACK_NAMES.has(hostName(request))) return problem(403, 'the Host header must name the loopback address');
    if (isFromPage(request)) return problem(403, 'web pages are refused; use a program such as curl');
    // Any user of this machine reaches the port, and a heap snapshot contains every key in clear text.
    if (!(await options.isAdmin(request.headers.get('authorization'))))
      return problem(401, 'the admin key is needed: Authorization: Bearer KEY', { 'WWW-Authenticate': 'Bearer' });
    const url = new URL(request.url);
    const page = url.pathname.startsWith(PREFIX) ? pages.get(url.pathname.slice(PREFIX.length)) : undefined;
    if (page === undefined) return problem(404, `see ${PREFIX}`);
    if (request.method !== 'GET') return problem(405, 'method not allowed', { Allow: 'GET' });
    return page(request, url);
  }

  try {
    const server = Bun.serve({
      hostname: options.address.host,
      port: options.address.port,
      development: false,
      // Without it the runtime shares the port outside development: two managers would listen, one would get the requests.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      fetch(request, bunServer) {
        // A profile takes minutes, a heap snapshot may be large.
        bunServer.timeout(request, 0);
        return serve(request);
      },
      error(error) {
        options.log.error({ err: error }, 'profiling request failed');
        return problem(500, 'request failed');
      },
    });
    const address = { host: options.address.host, port: server.port ?? options.address.port };
    options.log.info({ host: address.host, port: address.port }, 'profiling listener started');
    return {
      address,
      async stop() {
        probe.stop();
        await server.stop(true);
      },
    };
  } catch (error) {
    probe.stop();
    options.log.error({ err: error }, 'the profiling listener could not be started');
    return null;
  }
}

/** The name without port, in lower case; IPv6 keeps its brackets. */
function hostName(request: Request): string {
  const host = (request.headers.get('host') ?? '').trim().toLowerCase();
  return host.replace(/:\d*$/, '');
}

/** A script of any page; `none` is an address that a person typed. */
function isFromPage({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  return headers.has('origin') || (site !== null && site !== 'none');
}

function parseSeconds(text: string | null): number | null {
  if (text === null || text === '') return DEFAULT_SECONDS;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= MAX_SECONDS ? seconds : null;
}

function download(body: string | ReadableStream, type: string, name: string): Response {
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  });
}

function problem(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: message }, { status, headers });
}
