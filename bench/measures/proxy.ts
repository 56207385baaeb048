import { GatewayProcess } from '../../test/support/gateway-process.ts';
import { TEST_UPSTREAM_KEY } from '../../test/support/test-gateway.ts';
import { emptyDataFolder } from '../dataset/database.ts';
import { startManager } from '../lib/processes.ts';
import { quantile } from '../lib/statistics.ts';
import { atMost, declareMeasure } from '../measure.ts';

const RATE = 200;
const ROUNDS = 3;
const PATH = '/v0/management/usage-statistics-enabled';

export const proxy = declareMeasure({
  name: 'proxy',
  title: 'Proxy',
  how: `the same small request at ${RATE}/s, straight to the gateway and through the manager, in turns: what the manager adds`,
  figures: { 'added, p50': { unit: 'ms', bar: atMost(0.5) }, 'added, p99': { unit: 'ms', bar: atMost(5) } },
  async run({ build, plan }) {
    // Its own process, like a real gateway: it must not share a thread with the measuring client.
    const gateway = await GatewayProcess.start();
    try {
      using data = emptyDataFolder();
      await using manager = await startManager(build, data, { gateway });
      const direct: number[] = [];
      const proxied: number[] = [];
      await askAtRate(1, gateway.url, TEST_UPSTREAM_KEY);
      await askAtRate(1, manager.url, manager.adminKey);
      for (let round = 0; round < ROUNDS; round++) {
        direct.push(...(await askAtRate(plan.proxySeconds, gateway.url, TEST_UPSTREAM_KEY)));
        proxied.push(...(await askAtRate(plan.proxySeconds, manager.url, manager.adminKey)));
      }
      const added = (share: number) => quantile(proxied, share) - quantile(direct, share);
      return { figures: { 'added, p50': added(0.5), 'added, p99': added(0.99) } };
    } finally {
      await gateway.stop();
    }
  },
});

/** Sends requests without waiting for the previous answer; returns each duration in ms. */
async function askAtRate(seconds: number, url: string, key: string): Promise<number[]> {
  const startedMs = performance.now();
  const ask = async () => {
    const beganMs = performance.now();
    const answer = await fetch(url + PATH, { headers: { Authorization: `Bearer ${key}` } });
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    await answer.arrayBuffer();
    return performance.now() - beganMs;
  };
  const calls: Promise<number>[] = [];
  for (let index = 0; index < RATE * seconds; index++) {
    const waitMs = startedMs + (index * 1000) / RATE - performance.now();
    if (waitMs > 1) await Bun.sleep(waitMs);
    calls.push(ask());
  }
  return Promise.all(calls);
}
