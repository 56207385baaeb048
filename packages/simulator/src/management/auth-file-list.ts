import type { AuthFileListShape } from '../faults/fault-types.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { ManagementContext } from './context.ts';

/** Types that the gateway no longer serves: an uploaded file is stored, but it is no account. */
const RETIRED_TYPES: readonly string[] = ['gemini', 'gemini-cli'];
const HUGE_BYTES = 64 * 1024 * 1024;

/** GET `/auth-files`, and the ways in which it can be wrong. */
export function listAuthFiles(exchange: Exchange, context: ManagementContext): void {
  const profile = context.profile();
  const retired = profile.endpoints.has('gemini-cli-auth-url') ? [] : RETIRED_TYPES;
  const uploaded = context.authFiles.uploaded();
  let rows = context.authFiles
    .rows(profile)
    .filter((row) => !(retired.includes(String(row.type)) && uploaded.has(String(row.name))));
  if (profile.filters && context.listFilters()) {
    const name = exchange.query.get('name');
    const index = exchange.query.get('auth_index');
    rows = rows.filter(
      (row) => (name === null || row.name === name || row.id === name) && (index === null || row.auth_index === index),
    );
  }
  const fault = context.faults.take('auth-file-list');
  if (fault === null) exchange.sendJson(200, { files: rows });
  else if (fault.shape === 'not-json') exchange.sendText(200, '<html>sim</html>', { 'Content-Type': 'text/html' });
  else exchange.sendJson(200, shaped(rows, fault.shape, fault.key ?? 'auth_files', fault.bytes ?? HUGE_BYTES));
}

function shaped(
  rows: readonly JsonObject[],
  shape: Exclude<AuthFileListShape, 'not-json'>,
  key: string,
  bytes: number,
): JsonValue {
  switch (shape) {
    case 'huge':
      return { files: [...rows, ...padding(bytes)] };
    case 'huge-first':
      return { files: [...padding(bytes), ...rows] };
    case 'wrapper':
      return { [key]: [...rows] };
    case 'bare-array':
      return [...rows];
    case 'single':
      return rows[0] ?? {};
    case 'no-rows':
      return {};
    case 'duplicate-names':
      return { files: rows.flatMap((row) => [row, { ...row, id: `${String(row.id)}#2` }]) };
    default:
      return { files: rows.map((row, index) => ROWS[shape](row, index)) };
  }
}

type RowShape = Exclude<
  AuthFileListShape,
  'not-json' | 'huge' | 'huge-first' | 'wrapper' | 'bare-array' | 'single' | 'no-rows' | 'duplicate-names'
>;

const ROWS: Readonly<Record<RowShape, (row: JsonObject, index: number) => JsonObject>> = {
  'missing-index': ({ auth_index: _, ...rest }) => rest,
  'missing-id': ({ id: _, ...rest }) => rest,
  'numeric-index': (row, index) => ({ ...row, auth_index: index + 1 }),
  'camel-case': ({ name, ...rest }) => ({
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [camel(key), value])),
    fileName: name ?? '',
  }),
  'disabled-as-text': (row) => ({ ...row, disabled: String(row.disabled) }),
  'disabled-as-number': (row) => ({ ...row, disabled: row.disabled === true ? 1 : 0 }),
  'disabled-as-status': ({ disabled, ...rest }) => ({
    ...rest,
    status: disabled === true ? 'inactive' : (rest.status ?? 'active'),
  }),
  'provider-spelling': (row) => {
    const provider = String(row.provider);
    const other = provider === 'xai' ? 'X_AI' : provider.slice(0, 1).toUpperCase() + provider.slice(1);
    return { ...row, provider: other, type: other };
  },
};

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
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
