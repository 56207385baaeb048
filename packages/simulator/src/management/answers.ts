import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import type { ManagementContext } from './context.ts';

export function sendOk(exchange: Exchange): void {
  exchange.sendJson(200, { status: 'ok' });
}

export function sendError(exchange: Exchange, status: number, error: string, message?: string): void {
  exchange.sendJson(status, message === undefined ? { error } : { error, message });
}

/** The body as an object; null after a 400 with `text` was sent. */
export async function objectBody(exchange: Exchange, text = 'invalid body'): Promise<JsonObject | null> {
  const body = await exchange.json();
  if (isObject(body)) return body;
  sendError(exchange, 400, text);
  return null;
}

/** Writes a configuration value, or answers like a failed save. */
export function save(
  exchange: Exchange,
  context: ManagementContext,
  path: readonly string[],
  value: JsonValue,
): boolean {
  const fault = context.faults.take('save-failure');
  // The value in memory changes even when the file cannot be written.
  context.config.set(path, value);
  if (fault === null) return true;
  sendError(exchange, 500, `failed to save config: ${fault.text ?? 'no space left on device'}`);
  return false;
}

export function sendFile(exchange: Exchange, name: string, bytes: Uint8Array, type: string): void {
  exchange.respond(200, { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` }, bytes);
}
