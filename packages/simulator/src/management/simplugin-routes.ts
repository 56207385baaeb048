import { createHash } from 'node:crypto';
import { sleep } from '../clock.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ManagementContext } from './context.ts';
import type { Route } from './router.ts';

const PIECE_BYTES = 256 * 1024;

/**
 * Management routes of the plugin `simplugin`, for proxy tests: `download?bytes=` and `upload` move any amount in constant
 * memory, `events?count=&everyMs=` emits slowly, and `echo` shows what arrived.
 */
export const pluginOwnedRoutes: readonly Route[] = [
  { methods: 'GET', path: '/simplugin/download', feature: 'plugins', handler: download },
  { methods: 'POST|PUT|PATCH', path: '/simplugin/upload', feature: 'plugins', handler: upload },
  { methods: 'GET|POST', path: '/simplugin/events', feature: 'plugins', handler: slowEvents },
  { methods: '*', path: '/simplugin/echo', feature: 'plugins', handler: echo },
  { methods: 'GET', path: '/simplugin/redirect', feature: 'plugins', handler: redirect },
];

/** `length=0` leaves out `Content-Length`. */
async function download(exchange: Exchange): Promise<void> {
  const total = Math.max(0, Number(exchange.query.get('bytes') ?? 0) || 0);
  const announced = exchange.query.get('length') !== '0';
  exchange.start(200, {
    'Content-Type': 'application/octet-stream',
    ...(announced ? { 'Content-Length': String(total) } : {}),
  });
  if (exchange.method !== 'HEAD') {
    const piece = pattern(PIECE_BYTES);
    for (let left = total; left > 0 && !exchange.isGone; left -= PIECE_BYTES)
      await exchange.write(left < PIECE_BYTES ? piece.subarray(0, left) : piece);
  }
  exchange.end();
}

/** Byte n of a download is n mod 251, so that a lost or doubled piece is detected. */
function pattern(bytes: number): Buffer {
  // 251 does not divide the piece size: every piece starts at 0.
  return Buffer.from(Uint8Array.from({ length: bytes }, (_, index) => index % 251));
}

async function upload(exchange: Exchange): Promise<void> {
  const digest = createHash('sha256');
  let bytes = 0;
  await exchange.readBody((piece) => {
    bytes += piece.length;
    digest.update(piece);
  });
  exchange.sendJson(200, { bytes, sha256: digest.digest('hex') });
}

/** Server-sent events at an interval in ms by the simulator's clock; endless without `count`. */
async function slowEvents(exchange: Exchange, context: ManagementContext): Promise<void> {
  const count = Number(exchange.query.get('count') ?? Number.POSITIVE_INFINITY);
  const everyMs = Number(exchange.query.get('everyMs') ?? 100);
  await sendEvents(exchange, context, count, everyMs, (index) => `data: {"index":${index}}\n\n`);
}

export async function sendEvents(
  exchange: Exchange,
  context: Pick<ManagementContext, 'clock'>,
  count: number,
  everyMs: number,
  text: (index: number) => string,
): Promise<void> {
  exchange.start(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  for (let index = 0; index < count && !exchange.isGone; index += 1) {
    if (index > 0 && everyMs > 0) await sleep(context.clock, everyMs, exchange.gone);
    await exchange.write(Buffer.from(text(index)));
  }
  exchange.end();
}

async function echo(exchange: Exchange): Promise<void> {
  const body = (await exchange.bytes()).toString();
  const { method, target, headers } = exchange;
  exchange.sendJson(200, { method, target, headers, body });
}

function redirect(exchange: Exchange): void {
  exchange.sendEmpty(302, { Location: exchange.query.get('to') ?? '/v0/management/simplugin/echo' });
}
