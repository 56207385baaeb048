import { isObject } from '../payload.ts';

/** Calls a method of a simulator in another process; see `startControlServer` for the methods. */
export async function callSimulator(controlUrl: string, method: string, ...args: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`${controlUrl}/call`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method, args }),
  });
  const answer: unknown = await response.json();
  if (!isObject(answer) || !response.ok) {
    const text = isObject(answer) ? String(answer.error) : `status ${response.status}`;
    throw new Error(`simulator ${method}: ${text}`);
  }
  return answer.result;
}
