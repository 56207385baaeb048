import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { objectBody, sendError, sendOk } from './answers.ts';
import { isVanished, VIRTUAL_ROW } from './auth-file-rules.ts';
import { type AuthFile, showFields, timeText } from './auth-file-store.ts';
import type { ManagementContext } from './context.ts';
import { entriesOf, findByAuthIndex, findById, PROVIDER_LISTS } from './provider-lists.ts';
import type { Route } from './router.ts';

export const authFileFieldRoutes: readonly Route[] = [
  { methods: 'PATCH', path: '/auth-files/status', kind: 'status', handler: setStatus },
  { methods: 'PATCH', path: '/auth-files/fields', feature: 'auth-files/fields', kind: 'fields', handler: setFields },
];

async function setStatus(exchange: Exchange, context: ManagementContext): Promise<void> {
  const body = await objectBody(exchange, 'invalid request body');
  if (body === null) return;
  const { name, disabled } = body;
  const { endpoints } = context.profile();
  const rawIndex = endpoints.has('status-by-index') ? body.auth_index : undefined;
  const authIndex = typeof rawIndex === 'string' && rawIndex !== '' ? rawIndex : undefined;
  if (typeof name !== 'string' || name === '') sendError(exchange, 400, 'name is required');
  else if (typeof disabled !== 'boolean') sendError(exchange, 400, 'disabled is required');
  else {
    const files = isVanished(context, name) ? [] : context.authFiles.affectedBy(name, authIndex);
    if (files.length > 0) setFileStatus(exchange, context, files, name, disabled);
    else if (endpoints.has('configured-key-status') && (authIndex !== undefined || findById(context, name) !== null))
      setKeyStatus(exchange, context, name, authIndex, disabled);
    else sendError(exchange, 404, 'auth file not found');
  }
}

function setFileStatus(
  exchange: Exchange,
  context: ManagementContext,
  files: readonly AuthFile[],
  name: string,
  disabled: boolean,
): void {
  if (isVirtualTarget(files, name)) {
    sendError(exchange, 409, VIRTUAL_ROW);
    return;
  }
  for (const file of files) {
    context.journal.changed(exchange, file, disabled ? 'disabled' : 'enabled', file.disabled);
    file.disabled = disabled;
    file.content.disabled = disabled;
  }
  // It shows in `disabled` at once, and in `status` only after the reload.
  context.clock.after(context.statusWordDelayMs, () => {
    for (const file of files) {
      // A later change wins.
      if (file.disabled !== disabled) continue;
      file.row.status = disabled ? 'disabled' : 'active';
      file.row.status_message = '';
      file.row.updated_at = timeText(context.clock.now());
      if (!disabled) file.row.unavailable = false;
    }
  });
  context.reloaded();
  exchange.sendJson(200, { status: 'ok', disabled });
}

/** A plugin's row is named by its own id; the name of its file selects the file. */
function isVirtualTarget(files: readonly AuthFile[], name: string): boolean {
  const [first] = files;
  return first !== undefined && files.length === 1 && first.isVirtual && first.name !== name;
}

/** A configured key is disabled by a `*` among its excluded models. */
function setKeyStatus(
  exchange: Exchange,
  context: ManagementContext,
  name: string,
  authIndex: string | undefined,
  disabled: boolean,
): void {
  const found = authIndex === undefined ? findById(context, name) : findByAuthIndex(context, authIndex);
  if (found === null) {
    const isKeyName = PROVIDER_LISTS.some((list) => name.startsWith(list.name));
    sendError(exchange, 404, isKeyName ? 'config api key entry not found' : 'auth file not found');
    return;
  }
  const entries = entriesOf(context, found.list);
  const entry = entries[found.index] ?? {};
  const excluded = Array.isArray(entry['excluded-models']) ? entry['excluded-models'] : [];
  const others = excluded.filter((model) => model !== '*');
  const { 'excluded-models': _, ...rest } = entry;
  const kept = disabled ? [...others, '*'] : others;
  const changed = kept.length === 0 ? rest : { ...rest, 'excluded-models': kept };
  context.config.set([found.list.name], entries.with(found.index, changed));
  context.reloaded();
  exchange.sendJson(200, { status: 'ok', disabled, via: 'config:excluded-models', excluded_pattern: '*' });
}

async function setFields(exchange: Exchange, context: ManagementContext): Promise<void> {
  const body = await objectBody(exchange, 'invalid request body');
  if (body === null) return;
  const { name, ...fields } = body;
  if (typeof name !== 'string' || name === '') {
    sendError(exchange, 400, 'name is required');
    return;
  }
  const files = isVanished(context, name) ? [] : context.authFiles.affectedBy(name);
  const problem = fieldProblem(fields);
  if (files.length === 0) sendError(exchange, 404, 'auth file not found');
  else if (isVirtualTarget(files, name)) sendError(exchange, 409, VIRTUAL_ROW);
  else if (problem !== null) sendError(exchange, 400, problem);
  else {
    for (const file of files) {
      context.journal.changed(exchange, file, 'fields', file.disabled);
      for (const [key, value] of Object.entries(fields)) setField(file, key.replaceAll('-', '_'), value);
      file.row.updated_at = timeText(context.clock.now());
    }
    context.reloaded();
    sendOk(exchange);
  }
}

function fieldProblem(fields: JsonObject): string | null {
  const entries = Object.entries(fields);
  if (entries.length === 0) return 'no fields to update';
  for (const [key, value] of entries) {
    if (key.trim() === '') return 'field name is required';
    if (key.split('.').some((part) => part.trim() === '')) return `invalid field ${key}`;
    if (key === 'weight' && value !== null && !Number.isInteger(value)) return 'weight must be an integer';
  }
  return null;
}

function setField(file: AuthFile, key: string, value: JsonValue): void {
  if (key === 'headers' && isObject(value)) {
    const known = isObject(file.content.headers) ? file.content.headers : {};
    const merged = { ...known, ...value };
    file.content.headers = Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== ''));
    return;
  }
  const isRemoved =
    value === null ||
    (key === 'priority' && value === 0) ||
    (key === 'request_retry' && typeof value === 'number' && value < 0) ||
    (key === 'note' && value === '');
  if (key === 'disabled') file.disabled = value === true;
  setPath(file.content, key.split('.'), isRemoved ? undefined : value);
  showFields(file.row, file.content);
}

function setPath(target: JsonObject, path: readonly string[], value: JsonValue | undefined): void {
  const [key = '', ...rest] = path;
  if (rest.length > 0) {
    const child = isObject(target[key]) ? target[key] : {};
    target[key] = child;
    setPath(child, rest, value);
  } else if (value === undefined) delete target[key];
  else target[key] = value;
}
