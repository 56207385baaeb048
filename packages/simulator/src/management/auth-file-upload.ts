import type { Exchange } from '../http/exchange.ts';
import type { JsonObject } from '../json.ts';
import { sendError } from './answers.ts';
import { formOf, nameProblem } from './auth-file-rules.ts';
import type { ManagementContext } from './context.ts';
import { readObject } from './json-errors.ts';

interface Problem {
  readonly error: string;
  readonly status: number;
}

/** POST `/auth-files`: multipart with any part names, or raw JSON with `?name=`. */
export async function uploadAuthFiles(exchange: Exchange, context: ManagementContext): Promise<void> {
  if (!exchange.header('content-type').toLowerCase().startsWith('multipart/form-data')) {
    const name = exchange.query.get('name') ?? '';
    const problem = nameProblem(name);
    const bytes = await exchange.bytes();
    answerOne(
      exchange,
      context,
      problem === null ? write(exchange, context, name, bytes) : { error: problem, status: 400 },
    );
    return;
  }
  const form = await formOf(exchange);
  const parts = form === null ? [] : [...form.values()].flatMap((part) => (typeof part === 'string' ? [] : [part]));
  const [first] = parts;
  if (first === undefined) sendError(exchange, 400, 'no files uploaded');
  else if (parts.length === 1) answerOne(exchange, context, await writePart(exchange, context, first, false));
  else await uploadSeveral(exchange, context, parts);
}

function answerOne(exchange: Exchange, context: ManagementContext, problem: Problem | null): void {
  if (problem !== null) {
    sendError(exchange, problem.status, problem.error);
    return;
  }
  context.reloaded();
  exchange.sendJson(200, { status: 'ok' });
}

async function uploadSeveral(exchange: Exchange, context: ManagementContext, parts: readonly File[]): Promise<void> {
  const files: string[] = [];
  const failed: JsonObject[] = [];
  for (const part of parts) {
    const problem = await writePart(exchange, context, part, true);
    const name = baseName(part);
    if (problem === null) files.push(name);
    else failed.push({ name, error: problem.error });
  }
  if (files.length > 0) context.reloaded();
  if (failed.length === 0) exchange.sendJson(200, { status: 'ok', uploaded: files.length, files });
  else exchange.sendJson(207, { status: 'partial', uploaded: files.length, files, failed });
}

async function writePart(
  exchange: Exchange,
  context: ManagementContext,
  part: File,
  isOneOfSeveral: boolean,
): Promise<Problem | null> {
  const name = baseName(part);
  if (isOneOfSeveral) {
    const fault = context.faults.take('partial', ({ on, names }) => on === 'upload' && names.includes(name));
    if (fault !== null) return { error: fault.error ?? 'failed to write file', status: 500 };
  }
  if (!name.toLowerCase().endsWith('.json')) return { error: 'file must be .json', status: 400 };
  const problem = nameProblem(name);
  if (problem !== null) return { error: problem, status: 400 };
  return write(exchange, context, name, new Uint8Array(await part.arrayBuffer()));
}

/** The gateway drops the directory of a part's file name. */
function baseName(part: File): string {
  return part.name.split('/').at(-1) ?? '';
}

function write(exchange: Exchange, context: ManagementContext, name: string, bytes: Uint8Array): Problem | null {
  const read = readObject(bytes);
  if ('problem' in read) return { error: `invalid auth file: ${read.problem}`, status: 500 };
  const wasDisabled = context.authFiles.find(name)?.disabled ?? false;
  context.journal.changed(exchange, context.authFiles.write(name, read.object), 'written', wasDisabled);
  return null;
}
