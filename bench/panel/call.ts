import type { ManagerProcess } from '../../test/support/manager-process.ts';

/** One request of the panel. */
export interface Call {
  readonly path: string;
  /** Sent as POST; absent = GET. */
  readonly body?: unknown;
}

/** Calls of one step go out together; the next step begins when all of them are answered. */
export type Steps = readonly (readonly Call[])[];

export interface Asked {
  /** From the first request to the last byte of the last answer. */
  readonly ms: number;
  readonly bytes: number;
  /** Paths that this build does not answer yet. */
  readonly missing: readonly string[];
}

const NOT_THERE = new Set([404, 405, 501]);

export async function askAll(manager: ManagerProcess, steps: Steps): Promise<Asked> {
  const missing: string[] = [];
  let bytes = 0;
  const startedMs = performance.now();
  for (const calls of steps) {
    await Promise.all(
      calls.map(async (call) => {
        const answer = await send(manager, call);
        const body = await answer.arrayBuffer();
        bytes += body.byteLength;
        if (NOT_THERE.has(answer.status)) missing.push(call.path);
        else if (!answer.ok) throw new Error(`${call.path}: ${answer.status} ${new TextDecoder().decode(body)}`);
      }),
    );
  }
  return { ms: performance.now() - startedMs, bytes, missing };
}

function send(manager: ManagerProcess, { path, body }: Call): Promise<Response> {
  if (body === undefined) return manager.fetch(path);
  return manager.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
