import type { Exchange } from '../http/exchange.ts';
import type { JsonObject } from '../json.ts';
import { sendError, sendFile } from './answers.ts';
import { listAuthFiles } from './auth-file-list.ts';
import { authFileFieldRoutes } from './auth-file-patch-routes.ts';
import { formOf, isVanished, nameProblem, VIRTUAL_ROW } from './auth-file-rules.ts';
import { uploadAuthFiles } from './auth-file-upload.ts';
import { namesOf } from './call-subject.ts';
import type { ManagementContext } from './context.ts';
import { readObject } from './json-errors.ts';
import { modelsOf } from './models.ts';
import { textOf } from './provider-lists.ts';
import type { Route } from './router.ts';

/** Auth files: list, upload, download, delete, models; status and fields are in `auth-file-patch-routes.ts`. */
export const authFileRoutes: readonly Route[] = [
  { methods: 'GET', path: '/auth-files', kind: 'list', handler: listAuthFiles },
  { methods: 'POST', path: '/auth-files', kind: 'upload', handler: uploadAuthFiles },
  { methods: 'DELETE', path: '/auth-files', kind: 'delete', handler: remove },
  { methods: 'GET', path: '/auth-files/models', kind: 'models', handler: models },
  { methods: 'GET', path: '/auth-files/download', kind: 'download', handler: download },
  { methods: 'POST', path: '/vertex/import', kind: 'import', handler: importVertex },
  ...authFileFieldRoutes,
];

function models(exchange: Exchange, context: ManagementContext): void {
  const name = exchange.query.get('name') ?? '';
  if (name === '') {
    sendError(exchange, 400, 'name is required');
    return;
  }
  const file = context.authFiles.find(name);
  const definitions = file === null ? [] : modelsOf(String(file.row.type ?? ''));
  exchange.sendJson(200, {
    models: definitions.map(({ id, display_name, type, owned_by }) => ({ id, display_name, type, owned_by })),
  });
}

function download(exchange: Exchange, context: ManagementContext): void {
  const name = exchange.query.get('name') ?? '';
  const problem = nameProblem(name);
  const file = problem === null ? context.authFiles.all().find((candidate) => candidate.name === name) : undefined;
  if (problem !== null) sendError(exchange, 400, problem);
  else if (file === undefined || isVanished(context, name)) sendError(exchange, 404, 'file not found');
  else sendFile(exchange, name, Buffer.from(JSON.stringify(file.content)), 'application/json');
}

async function remove(exchange: Exchange, context: ManagementContext): Promise<void> {
  const all = exchange.query.get('all') ?? '';
  if (['true', '1', '*'].includes(all)) {
    for (const file of context.authFiles.all()) context.journal.changed(exchange, file, 'deleted', file.disabled);
    const deleted = context.authFiles.removeAll();
    context.reloaded();
    exchange.sendJson(200, { status: 'ok', deleted });
    return;
  }
  const names =
    exchange.query.getAll('name').length > 0 ? exchange.query.getAll('name') : namesOf(await exchange.json());
  if (names.length === 0) {
    sendError(exchange, 400, 'invalid name');
    return;
  }
  const deleted: string[] = [];
  const failed: { name: string; error: string; status: number }[] = [];
  for (const name of names) {
    const problem = deleteOne(exchange, context, name, names.length > 1);
    if (problem === null) deleted.push(name);
    else failed.push({ name, ...problem });
  }
  if (deleted.length > 0) context.reloaded();
  const [first] = failed;
  if (names.length === 1) {
    if (first === undefined) exchange.sendJson(200, { status: 'ok' });
    else sendError(exchange, first.status, first.error);
    return;
  }
  const summary: JsonObject = {
    status: first === undefined ? 'ok' : 'partial',
    deleted: deleted.length,
    files: deleted,
  };
  if (first !== undefined) summary.failed = failed.map(({ name, error }) => ({ name, error }));
  exchange.sendJson(first === undefined ? 200 : 207, summary);
}

function deleteOne(
  exchange: Exchange,
  context: ManagementContext,
  name: string,
  isOneOfSeveral: boolean,
): { error: string; status: number } | null {
  if (isOneOfSeveral) {
    const fault = context.faults.take('partial', ({ on, names }) => on === 'delete' && names.includes(name));
    if (fault !== null) return { error: fault.error ?? 'failed to remove file', status: 500 };
  }
  const file = context.authFiles.find(name);
  if (file === null || isVanished(context, name)) return { error: 'auth file not found', status: 404 };
  if (file.isVirtual && file.name !== name) return { error: VIRTUAL_ROW, status: 409 };
  for (const row of context.authFiles.named(file.name)) context.journal.changed(exchange, row, 'deleted', row.disabled);
  context.authFiles.remove(file.name);
  return null;
}

async function importVertex(exchange: Exchange, context: ManagementContext): Promise<void> {
  const form = await formOf(exchange);
  const part = form?.get('file');
  if (part === null || part === undefined || typeof part === 'string') {
    sendError(exchange, 400, 'file required');
    return;
  }
  const read = readObject(new Uint8Array(await part.arrayBuffer()));
  if ('problem' in read) {
    sendError(exchange, 400, 'invalid json', read.problem);
    return;
  }
  const account = read.object;
  const { project_id: projectId, client_email: email } = account;
  if (textOf(account.private_key) === '')
    sendError(exchange, 400, 'invalid service account', 'service account missing private_key');
  else if (typeof email !== 'string')
    sendError(exchange, 400, 'invalid service account', 'service account missing client_email');
  else if (typeof projectId !== 'string' || projectId === '') sendError(exchange, 400, 'project_id missing');
  else {
    const location = String(form?.get('location') ?? '') || 'us-central1';
    const name = `vertex-${projectId}.json`;
    const file = context.authFiles.write(name, {
      type: 'vertex',
      project_id: projectId,
      email,
      location,
      service_account: account,
    });
    context.journal.changed(exchange, file, 'written', file.disabled);
    context.reloaded();
    exchange.sendJson(200, {
      status: 'ok',
      'auth-file': file.row.path ?? '',
      project_id: projectId,
      email,
      location,
    });
  }
}
