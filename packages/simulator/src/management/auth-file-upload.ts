import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { sendError } from './answers.ts';
import { formOf, nameProblem } from './auth-file-rules.ts';
import type { ManagementContext } from './context.ts';

interface Problem {
  readonly error: string;
  readonly status: number;
}

/** POST `/auth-files`: multipart with any part names, or raw JSON with `?name=`. */
export async function uploadAuthFiles(exchange: Exchange, context: ManagementContext): Promise<void> {
  if (!exchange.header('content-type').toLowerCase().startsWith('multipart/form-data')) {
    const name = exchange.query.get('name') ?? '';
    const problem = nameProblem(name);
    const text = (await exchange.bytes()).toString();
    answerOne(
      exchange,
      context,
      problem === null ? write(exchange, context, name, text) : { error: problem, status: 400 },
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
    if (problem === null) files.push(part.name);
    else failed.push({ name: part.name, error: problem.error });
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
  if (isOneOfSeveral) {
    const fault = context.faults.take('partial', ({ on, names }) => on === 'upload' && names.includes(part.name));
    if (fault !== null) return { error: fault.error ?? 'failed to write file', status: 500 };
  }
  if (!part.name.toLowerCase().endsWith('.json')) return { error: 'file must be .json', status: 400 };
  const problem = nameProblem(part.name);
  if (problem !== null) return { error: problem, status: 400 };
  return write(exchange, context, part.name, await textWithMark(part));
}

/** `File.text()` would drop a byte order mark, which the gateway refuses. */
async function textWithMark(part: File): Promise<string> {
  return Buffer.from(await part.arrayBuffer()).toString();
}

function write(exchange: Exchange, context: ManagementContext, name: string, text: string): Problem | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  if (!isObject(content)) return { error: 'invalid auth file: not a JSON object', status: 500 };
  const wasDisabled = context.authFiles.find(name)?.disabled ?? false;
  context.journal.changed(exchange, context.authFiles.write(name, content), 'written', wasDisabled);
  return null;
}
