import type { Exchange } from '../http/exchange.ts';
import type { JsonObject } from '../json.ts';
import { sendError, sendFile } from './answers.ts';
import type { ManagementContext } from './context.ts';
import type { LogPage } from './log-store.ts';
import type { Parameters, Route } from './router.ts';

const DISABLED = 'logging to file disabled';

export const logRoutes: readonly Route[] = [
  { methods: 'GET', path: '/logs', handler: readLogs },
  { methods: 'DELETE', path: '/logs', handler: clearLogs },
  { methods: 'GET', path: '/request-error-logs', handler: listErrorLogs },
  { methods: 'GET', path: '/request-error-logs/:name', handler: downloadErrorLog },
  { methods: 'GET', path: '/request-log-by-id', handler: downloadById },
  { methods: 'GET', path: '/request-log-by-id/:id', handler: downloadById },
];

function isEnabled(context: ManagementContext): boolean {
  return context.config.get(['logging-to-file']) === true;
}

function readLogs(exchange: Exchange, context: ManagementContext): void {
  if (!isEnabled(context)) {
    sendError(exchange, 400, DISABLED);
    return;
  }
  const limitText = exchange.query.get('limit') ?? '';
  if (limitText !== '' && !/^-?\d+$/.test(limitText)) {
    sendError(exchange, 400, 'invalid limit: must be a positive integer');
    return;
  }
  const limit = limitText === '' ? null : Number(limitText);
  if (limit !== null && limit <= 0) {
    sendError(exchange, 400, 'invalid limit: must be greater than zero');
    return;
  }
  const knowsCursor = context.profile().endpoints.has('log-cursor');
  const cursor = knowsCursor ? (exchange.query.get('cursor') ?? '') : '';
  const after = Number(exchange.query.get('after') ?? 0) || 0;
  const page = cursor === '' ? context.logs.after(after, limit) : context.logs.following(cursor, limit);
  exchange.sendJson(200, shown(page, knowsCursor));
}

function shown(page: LogPage, knowsCursor: boolean): JsonObject {
  const answer: JsonObject = {
    lines: page.lines,
    'line-count': page.lineCount,
    'latest-timestamp': page.latestTimestamp,
  };
  if (knowsCursor) answer['next-cursor'] = page.nextCursor;
  if (page.cursorReset) answer['cursor-reset'] = true;
  return answer;
}

function clearLogs(exchange: Exchange, context: ManagementContext): void {
  if (!isEnabled(context)) sendError(exchange, 400, DISABLED);
  else {
    const removed = context.logs.clear();
    exchange.sendJson(200, { success: true, message: 'Logs cleared successfully', removed });
  }
}

function listErrorLogs(exchange: Exchange, context: ManagementContext): void {
  const isHidden = context.config.get(['request-log']) === true;
  const files = isHidden ? [] : context.logs.requestLogs().filter(({ name }) => name.startsWith('error-'));
  exchange.sendJson(200, {
    files: files.map(({ name, text, modifiedSeconds }) => ({
      name,
      size: Buffer.byteLength(text),
      modified: modifiedSeconds,
    })),
  });
}

function downloadErrorLog(exchange: Exchange, context: ManagementContext, { name = '' }: Parameters): void {
  const file = context.logs.requestLogs().find((candidate) => candidate.name === name);
  if (/[/\\]|\.\./.test(name)) sendError(exchange, 400, 'invalid log file name');
  else if (file === undefined || !/^error-.*\.log$/.test(name)) sendError(exchange, 404, 'log file not found');
  else sendFile(exchange, name, Buffer.from(file.text), 'text/x-log; charset=utf-8');
}

function downloadById(exchange: Exchange, context: ManagementContext, parameters: Parameters): void {
  const id = parameters.id ?? exchange.query.get('id') ?? '';
  const file = context.logs.requestLogs().find((candidate) => candidate.name.endsWith(`-${id}.log`));
  if (id === '') sendError(exchange, 400, 'missing request ID');
  else if (!/^[A-Za-z0-9_-]+$/.test(id)) sendError(exchange, 400, 'invalid request ID');
  else if (file === undefined) sendError(exchange, 404, 'log file not found for the given request ID');
  else sendFile(exchange, file.name, Buffer.from(file.text), 'text/x-log; charset=utf-8');
}
