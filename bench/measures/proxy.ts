import { join } from 'node:path';
import { emptyDataFolder } from '../dataset/database.ts';
import { track } from '../lib/children.ts';
import { quantile } from '../lib/figures.ts';
import { atRate } from '../lib/latency.ts';
import { startManager } from '../lib/manager.ts';
import { BENCH } from '../lib/paths.ts';
import type { Measure } from './measure.ts';

const RATE = 200;
const KEY = 'upstream-key-of-the-benchmark';
const PATH = '/v0/management/usage-statistics-enabled';

/** The same small request at 200/s, straight to the gateway and through the manager, in turns. */
export const measureProxy: Measure = async ({ plan }) => {
  const gateway = await startGatewayProcess();
  const data = emptyDataFolder();
  const manager = await startManager(data, { env: { UPSTREAM_URL: gateway.url, UPSTREAM_MANAGEMENT_KEY: KEY } });
  const get = async (url: string, key: string) => {
    const answer = await fetch(url + PATH, { headers: { Authorization: `Bearer ${key}` } });
    if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  const direct: number[] = [];
  const proxied: number[] = [];
  try {
    await atRate(RATE, 1, () => get(gateway.url, KEY));
    await atRate(RATE, 1, () => get(manager.url, manager.adminKey));
    for (let round = 0; round < plan.proxyRounds; round++) {
      direct.push(...(await atRate(RATE, plan.proxySeconds, () => get(gateway.url, KEY))));
      proxied.push(...(await atRate(RATE, plan.proxySeconds, () => get(manager.url, manager.adminKey))));
    }
  } finally {
    await manager.stop();
    gateway.stop();
    data.remove();
  }
  const at = (share: number) => ({ direct: quantile(direct, share), proxied: quantile(proxied, share) });
  const [half, most] = [at(0.5), at(0.99)];
  return {
    figures: [
      { name: `proxy at ${RATE}/s, added, p50`, value: half.proxied - half.direct, unit: 'ms', bar: { atMost: 1 } },
      { name: `proxy at ${RATE}/s, added, p99`, value: most.proxied - most.direct, unit: 'ms', bar: { atMost: 5 } },
    ],
    details: { p50: half, p99: most, requests: proxied.length },
  };
};

/** In a process of its own, as a gateway is: it must not share a thread with the client that measures. */
async function startGatewayProcess(): Promise<{ readonly url: string; stop(): void }> {
  const cli = join(BENCH, '..', 'packages/simulator/src/cli.ts');
  const child = track(
    Bun.spawn([process.execPath, cli, '--port', '0', '--rate', '0', '--key', KEY], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    }),
  );
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('\n')) break;
  }
  const { url } = JSON.parse(text) as { readonly url: string };
  return { url, stop: () => child.kill('SIGTERM') };
}
