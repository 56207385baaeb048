import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { readExport, readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

/** How long each attack runs; a release runs them for a minute each. */
export const ATTACK_MS = Number(process.env.MANAGER_ATTACK_SECONDS ?? '1') * 1000;
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024;
const EVENTS_PER_SECOND = 20;

export interface Attacked {
  readonly manager: ManagerProcess;
  readonly gateway: Simulator;
  /** True until the attack has run long enough. */
  readonly goesOn: () => boolean;
}

export interface AttackOptions {
  readonly mode?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Limit of open files, sockets included. */
  readonly descriptors?: number;
}

/**
 * Runs an attack against a manager that collects from a gateway which bans as the real one does. Whatever the attack is, the
 * gateway bans nobody of this host, every event is stored, `/health` and the operator get answers, and memory stays bounded.
 */
export async function withstand(
  attack: (attacked: Attacked) => Promise<void>,
  options: AttackOptions = {},
): Promise<void> {
  const gateway = await startTestGateway({ retentionSeconds: 300, recordLimit: 1_000 });
  const manager = await ManagerProcess.start({
    env: { ...boundTo(gateway, options.mode), ...options.env },
    ...(options.descriptors === undefined ? {} : { descriptors: options.descriptors }),
  });
  try {
    await until(async () => (await readStatus(manager)).collector.collector === 'running', 'the collector to run');
    const events = Math.ceil((ATTACK_MS / 1000) * EVENTS_PER_SECOND);
    const traffic = gateway.startTraffic({
      rate: EVENTS_PER_SECOND,
      total: events,
      events: makeEvents({ seed: 16, numberFrom: 0 }),
    });
    const endsAt = performance.now() + ATTACK_MS;
    const operator = useAsOperator(manager, () => performance.now() < endsAt);
    await attack({ manager, gateway, goesOn: () => performance.now() < endsAt });
    expect(await operator).toEqual([]);
    await traffic.done;
    await until(async () => (await readStatus(manager)).events === events, `${events} events`);
    expect(new Set((await readExport(manager)).map((event) => event.request_id)).size).toBe(events);
    expect(gateway.bans().filter(({ bannedUntilMs }) => bannedUntilMs !== null)).toEqual([]);
    const { collector } = await readStatus(manager);
    expect(collector).toMatchObject({ collector: 'running', lastError: '' });
    expect(collector.keyRefused).toBeUndefined();
    expect(collector.gaps.count).toBe(0);
    expect(peakResidentBytes(manager.pid)).toBeLessThan(MAX_RESIDENT_BYTES);
    expect(await manager.stop()).toBe(0);
    expect(checkStored(manager.dataDir)).toBe(events);
  } finally {
    await manager.remove();
    await gateway.stop();
  }
}

/** What an operator notices meanwhile: answers other than 200, and such that took longer than five seconds. */
async function useAsOperator(manager: ManagerProcess, goesOn: () => boolean): Promise<string[]> {
  const problems: string[] = [];
  while (goesOn()) {
    for (const path of ['/health', '/status', '/v0/management/config']) {
      const startedMs = performance.now();
      // Without kept connections, which a busy server may close at any moment: browsers then ask again.
      const status = await manager.fetch(path, { keepalive: false, signal: AbortSignal.timeout(30_000) }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        (error: unknown) => String(error),
      );
      const tookMs = performance.now() - startedMs;
      if (status !== 200) problems.push(`${path}: ${status}`);
      else if (tookMs > 5_000) problems.push(`${path}: ${Math.round(tookMs)} ms`);
    }
    await Bun.sleep(100);
  }
  return problems;
}

function peakResidentBytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** The gateway has a plugin, so callers with keys of their own reach its paths. */
export const PLUGIN_PATH = '/v0/management/simplugin/things';

export const quietly = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** Sends in `lanes` at once for as long as the attack goes on; returns how often. */
export async function flood(
  attacked: Attacked,
  lanes: number,
  once: (count: number) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  const lane = async () => {
    while (attacked.goesOn()) {
      count += 1;
      await quietly(once(count));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return count;
}

/** Another address than the operator's. */
const STRANGER = '127.0.0.2';

/** Sends a request head and what comes of a body, and reads nothing. */
export function send(manager: ManagerProcess, text: string): Promise<Socket> {
  const { hostname, port } = new URL(manager.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: STRANGER }, () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}
