import { isObject } from '../json.ts';
import type { Simulator } from '../types.ts';

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

/** Methods whose arguments and results are JSON. */
type RemoteMethod = Exclude<
  { [Name in keyof Simulator]: Simulator[Name] extends (...args: never[]) => unknown ? Name : never }[keyof Simulator],
  'stop' | 'startTraffic' | 'profile'
>;

/** A simulator in another process: its methods, each returning a promise. */
export type SimulatorClient = {
  readonly [Name in RemoteMethod]: (
    ...args: Parameters<Simulator[Name]>
  ) => Promise<Awaited<ReturnType<Simulator[Name]>>>;
};

export function simulatorClient(controlUrl: string): SimulatorClient {
  const target: Partial<SimulatorClient> = {};
  return new Proxy(target, {
    get: (_, method) =>
      // With a member `then` it would be a promise: the client could not be awaited or returned.
      typeof method === 'string' && method !== 'then'
        ? (...args: readonly unknown[]) => callSimulator(controlUrl, method, ...args)
        : undefined,
  }) as SimulatorClient;
}
