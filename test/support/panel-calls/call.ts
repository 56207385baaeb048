import type { ManagerProcess } from '../manager-process.ts';

export interface Call {
  readonly path: string;
  /** Sent as POST; absent = GET. */
  readonly body?: unknown;
}

export function sendCall(manager: ManagerProcess, { path, body }: Call): Promise<Response> {
  if (body === undefined) return manager.fetch(path);
  return manager.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
