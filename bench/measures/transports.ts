import { authFilesOf, type EventAccount } from '@manager/simulator';
import { trafficAccounts } from '../../test/support/traffic.ts';
import { copyOf } from '../dataset/database.ts';
import { processorSeconds } from '../lib/machine.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { liveEvents, startPublishing } from '../lib/publishing.ts';
import { maximum, quantile } from '../lib/statistics.ts';
import { declareMeasure, type FigureSpec, type Measured, type Site } from '../measure.ts';

const RATE = 2_000;
/** Faster than any manager. */
const BURST_RATE = 60_000;
/** Two batches: keeps the writer busy. A gateway drops a subscriber that falls 256 events behind. */
const SUBSCRIBE_WINDOW = 1_000;

const MODES = ['subscribe', 'http', 'resp'] as const;
const CODEX = 'subscribe, Codex accounts only: processor time';

export const transports = declareMeasure({
  name: 'transports',
  title: 'Ingest from a gateway',
  how: `simulator → manager → database: a burst, published at once to the queue, to a subscriber as fast as it stores, until its last commit; and ${RATE.toLocaleString('en')} events/s with the processor time of the manager. Commits are seen from outside every 2 ms. Every answer of a Codex account reports two quota windows, which is the most that account automation has to do`,
  figures: {
    ...Object.fromEntries(
      MODES.flatMap((mode): [string, FigureSpec][] => [
        [`${mode}: burst`, { unit: 'events/s' }],
        [`${mode}: processor time`, { unit: 'µs/event' }],
        [`${mode}: publishing to commit, p50`, { unit: 'ms' }],
        [`${mode}: publishing to commit, p99`, { unit: 'ms' }],
        [`${mode}: not committed, most`, { unit: 'events' }],
      ]),
    ),
    [CODEX]: { unit: 'µs/event' },
  },
  async run(site) {
    const figures: Record<string, Measured> = {};
    for (const mode of MODES) {
      site.progress(mode);
      const { burst, processorUs, latencies, uncommitted } = await measureTraffic(site, mode, trafficAccounts());
      figures[`${mode}: burst`] = burst;
      figures[`${mode}: processor time`] = processorUs;
      figures[`${mode}: publishing to commit, p50`] = quantile(latencies, 0.5);
      figures[`${mode}: publishing to commit, p99`] = quantile(latencies, 0.99);
      figures[`${mode}: not committed, most`] = maximum(uncommitted);
    }
    site.progress('Codex accounts');
    const codex = trafficAccounts().filter(({ provider }) => provider === 'codex');
    figures[CODEX] = (await measureTraffic(site, 'subscribe', codex)).processorUs;
    return { figures };
  },
});

async function measureTraffic({ base, build, plan }: Site, mode: string, accounts: readonly EventAccount[]) {
  using data = copyOf(base);
  await using gateway = await startGateway({ authFiles: authFilesOf(accounts, Date.now()) });
  await using manager = await startManager(build, data, { gateway, mode });
  const events = liveEvents(accounts);
  const about = { gateway, data, events };

  const steady = RATE * plan.steadySeconds;
  // JIT warm-up.
  await startPublishing({ ...about, rate: RATE, total: RATE * 2 }).finish();
  const before = processorSeconds(manager.pid);
  const publishing = startPublishing({ ...about, rate: RATE, total: steady });
  await publishing.finish();
  const processor = processorSeconds(manager.pid) - before;

  // Made before the clock starts, so that the manager has the processor.
  const prepared = events.take(plan.burstEvents);
  const total = prepared.length;
  const window = mode === 'subscribe' ? SUBSCRIBE_WINDOW : total;
  const startedMs = performance.now();
  const burst = startPublishing({ ...about, rate: BURST_RATE, total, window, events: prepared.values() });
  const dropped = await burst.finish();
  const seconds = ((burst.commits.at(-1) ?? startedMs) - startedMs) / 1000;
  const { latencies, uncommitted } = publishing;
  return {
    burst: { value: (total - dropped) / seconds, note: dropped > 0 ? `${dropped} dropped by the gateway` : '' },
    processorUs: (processor * 1e6) / steady,
    latencies,
    uncommitted,
  };
}
