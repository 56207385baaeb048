import type { Exchange } from '../http/exchange.ts';

/** The line that the gateway writes to its log for a management request. */
export function accessLine(exchange: Exchange, nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ');
  const { status } = exchange.record;
  const [level, place] = status >= 400 ? ['warn ', '95'] : ['info ', '97'];
  const address = exchange.connection.address.padStart(15);
  const request = `${exchange.method.padEnd(7)} "${exchange.target}"`;
  return `[${time}] [--------] [${level}] [gin_logger.go:${place}] ${status} |            1ms | ${address} | ${request}`;
}
