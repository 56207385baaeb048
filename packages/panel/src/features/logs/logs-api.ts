import { answerList, listAt } from '../../platform/api/answer-list.ts';
import type { Client } from '../../platform/api/client.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { isRecord } from '../../platform/browser/storage.ts';
import { type LogPage, readLogPage } from './live/log-buffer.ts';
import type { LogQuestion } from './live/next-buffer.ts';

const BASE = 'v0/management';
export const LOG_PATH = `${BASE}/logs`;
const WHOLE_LOG_MS = 120_000;
const ANY_TEXT = { Accept: 'text/plain, */*' };

export interface ErrorLogFile {
  readonly name: string;
  readonly bytes: number;
  /** ms, null = unknown. */
  readonly modifiedMs: number | null;
}

export async function readLog(client: Client, question: LogQuestion, signal: AbortSignal): Promise<LogPage> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(question)) query.set(name, String(value));
  const answer = await client.call<unknown>(`${LOG_PATH}?${query}`, { signal });
  return readLogPage(answer, answerList(client, LOG_PATH, answer, 'lines'));
}

/** The whole log, as it arrives; the gateway reads all of its files first. */
export const openLog = (client: Client): Promise<Response> => client.open(LOG_PATH, { timeoutMs: WHOLE_LOG_MS });

export const clearLog = (client: Client) => client.call<unknown>(LOG_PATH, { method: 'DELETE' });

/** The gateway then writes its log into a file, which is what can be read. */
export const logToFile = (client: Client) =>
  client.call<unknown>(`${BASE}/logging-to-file`, { method: 'PUT', body: { value: true } });

/** The gateway writes no file, so it has nothing to read. */
export const isLoggingOff = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /logging to file disabled/i.test(error.message);

export async function listErrorLogs(client: Client, signal: AbortSignal): Promise<readonly ErrorLogFile[]> {
  const path = `${BASE}/request-error-logs`;
  const files = await listAt(client, path, 'files', { signal });
  return files.flatMap((file) => {
    if (!isRecord(file) || typeof file.name !== 'string') return [];
    const { name, size, modified } = file;
    return [
      {
        name,
        bytes: typeof size === 'number' ? size : 0,
        modifiedMs: typeof modified === 'number' && modified > 0 ? modified * 1000 : null,
      },
    ];
  });
}

export async function readErrorLog(client: Client, name: string, signal: AbortSignal): Promise<string> {
  const path = `${BASE}/request-error-logs/${encodeURIComponent(name)}`;
  return (await client.open(path, { signal, headers: ANY_TEXT })).text();
}
