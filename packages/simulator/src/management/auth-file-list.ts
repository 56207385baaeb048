import type { Exchange } from '../http/exchange.ts';
import type { JsonObject, JsonValue } from '../types.ts';
import type { ManagementContext } from './context.ts';

const HUGE_BYTES = 64 * 1024 * 1024;

/** GET `/auth-files`, and the shapes in which it can be wrong. */
export function listAuthFiles(exchange: Exchange, context: ManagementContext): void {
  const profile = context.profile();
  let rows = context.authFiles.rows(profile);
  if (profile.filters) {
    const name = exchange.query.get('name');
    const index = exchange.query.get('auth_index');
    rows = rows.filter((row) => (name === null || row.name === name) && (index === null || row.auth_index === index));
  }
  const fault = context.faults.take('auth-file-list');
  if (fault === null) {
    exchange.sendJson(200, { files: rows });
    return;
  }
  switch (fault.shape) {
    case 'huge':
      exchange.sendJson(200, { files: [...rows, ...padding(fault.bytes ?? HUGE_BYTES)] });
      break;
    case 'wrapper':
      exchange.sendJson(200, { [fault.key ?? 'auth_files']: rows });
      break;
    case 'bare-array':
      exchange.sendJson(200, rows as JsonValue);
      break;
    case 'duplicate-names':
      exchange.sendJson(200, { files: rows.flatMap((row) => [row, { ...row, id: `${String(row.id)}#2` }]) });
      break;
    case 'missing-index':
      exchange.sendJson(200, { files: rows.map(withoutIndex) });
      break;
  }
}

function withoutIndex(row: JsonObject): JsonObject {
  const { auth_index: _, ...rest } = row;
  return rest;
}

/** Rows of 1 MiB each. */
function padding(bytes: number): JsonObject[] {
  const count = Math.ceil(bytes / (1024 * 1024));
  const status_message = 'x'.repeat(1024 * 1024);
  return Array.from({ length: count }, (_, index) => {
    const name = `padding-${index}.json`;
    return {
      id: name,
      name,
      auth_index: index.toString(16).padStart(16, 'f'),
      type: 'codex',
      provider: 'codex',
      status_message,
    };
  });
}
