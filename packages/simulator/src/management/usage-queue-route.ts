import type { Exchange } from '../http/exchange.ts';
import { sendError } from './answers.ts';
import type { ManagementContext } from './context.ts';
import type { Route } from './router.ts';

export const usageQueueRoute: Route = { methods: 'GET', path: '/usage-queue', handler: popQueue };

function popQueue(exchange: Exchange, context: ManagementContext): void {
  const text = exchange.query.get('count')?.trim() ?? '';
  const count = text === '' ? 1 : /^\+?\d+$/.test(text) ? Number(text) : 0;
  if (count < 1) {
    sendError(exchange, 400, 'count must be a positive integer');
    return;
  }
  const events = context.queue.pop(count);
  exchange.record.consumedEvents = events.length;
  const parts: Uint8Array[] = [];
  for (const event of events) {
    parts.push(parts.length === 0 ? OPEN : COMMA, event.isKnownJson ? event.bytes : jsonElement(event.bytes));
  }
  if (parts.length === 0) parts.push(OPEN);
  parts.push(CLOSE);
  exchange.respond(200, { 'Content-Type': 'application/json; charset=utf-8' }, Buffer.concat(parts));
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** The stored bytes where they are JSON, else as a JSON string. */
function jsonElement(bytes: Buffer): Uint8Array {
  const text = bytes.toString();
  try {
    JSON.parse(text);
    return bytes;
  } catch {
    return Buffer.from(JSON.stringify(text));
  }
}
