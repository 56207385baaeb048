import { answerList, listAt } from '../../platform/api/answer-list.ts';
import type { Client } from '../../platform/api/client.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { isRecord } from '../../platform/browser/storage.ts';
import { type LogPage, readLogPage } from './live/log-buffer.ts';
import type { LogQuestion } from './live/next-buffer.ts';

const BASE = 'v0/management';
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
  const path = `${BASE}/logs`;
  const answer = await client.call<unknown>(`${path}?${query}`, { signal });
  return readLogPage(answer, answerList(client, path, answer, 'lines'));
}

export const clearLog = (client: Client) => client.call<unknown>(`${BASE}/logs`, { method: 'DELETE' });

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
