import { until } from '@manager/core/testing/until';
import type { Simulator } from '@manager/simulator';
import { readStatus } from '../../test/support/status.ts';
import { copyOf, type WorkingCopy } from '../dataset/database.ts';
import { liveEvents, startPublishing } from '../lib/commits.ts';
import { type Figure, maximum, quantile } from '../lib/figures.ts';
import { startGateway, startManager } from '../lib/manager.ts';
import type { Measure, MeasureContext } from './measure.ts';

const TRANSPORTS = ['subscribe', 'http', 'resp'] as const;
const STEADY_RATE = 2_000;
const HIGHEST_RATE = 40_000;
/** A rate is sustainable when everything is stored this soon after the traffic ended. */
const CATCH_UP_MS = 1_500;

/** From a simulated gateway through the executable into the database, over each transport. */
export const measureTransports: Measure = async (context) => {
  const copy = copyOf(context.base);
  try {
    const figures: Figure[] = [];
    for (const transport of TRANSPORTS) figures.push(...(await measureTransport(context, transport, copy)));
    return { figures };
  } finally {
    copy.remove();
  }
};

/** Seeds must differ from run to run, or the events are known already. */
let nextSeed = 100;

async function measureTransport(
  { plan, progress }: MeasureContext,
  transport: (typeof TRANSPORTS)[number],
  copy: WorkingCopy,
): Promise<Figure[]> {
  const upstream = await startGateway();
  const manager = await startManager(copy, { upstream, mode: transport });
  try {
    await until(async () => (await readStatus(manager)).collector.collector === 'running');
    progress(`${transport} at ${STEADY_RATE}/s`);
    const steady = startPublishing({
      simulator: upstream,
      databasePath: copy.path,
      rate: STEADY_RATE,
      total: STEADY_RATE * plan.steadySeconds,
      seed: nextSeed++,
    });
    const complete = await steady.finish(20_000);
    const highest = await highestRate(upstream, copy, plan, (rate) => progress(`${transport} at ${rate}/s`));
    return [
      { name: `${transport}, highest sustained rate`, value: highest, unit: 'events/s' },
      {
        name: `${transport} at ${STEADY_RATE}/s, publishing to commit, p50`,
        value: quantile(steady.latencies, 0.5),
        unit: 'ms',
      },
      {
        name: `${transport} at ${STEADY_RATE}/s, publishing to commit, p99`,
        value: quantile(steady.latencies, 0.99),
        unit: 'ms',
      },
      {
        name: `${transport} at ${STEADY_RATE}/s, not committed, p50`,
        value: quantile(steady.uncommitted, 0.5),
        unit: 'events',
      },
      {
        name: `${transport} at ${STEADY_RATE}/s, not committed, most`,
        value: maximum(steady.uncommitted),
        unit: 'events',
        ...(complete ? {} : { note: 'not everything was stored in time' }),
      },
    ];
  } finally {
    await manager.stop();
    await upstream.stop();
  }
}

/** Raises the rate until events are lost or stay behind; 0 when even the first rate is too high. */
async function highestRate(
  upstream: Simulator,
  copy: WorkingCopy,
  plan: MeasureContext['plan'],
  trying: (rate: number) => void,
): Promise<number> {
  let highest = 0;
  for (let rate = plan.firstRate; rate <= HIGHEST_RATE; rate = Math.round(rate * plan.rateFactor)) {
    trying(rate);
    const seed = nextSeed++;
    const total = Math.round(rate * plan.trialSeconds);
    const prepared = liveEvents(seed).take(total);
    const droppedBefore = upstream.deliveries().dropped;
    const startedMs = performance.now();
    const publishing = startPublishing({ simulator: upstream, databasePath: copy.path, rate, total, seed, prepared });
    const inTime = await publishing.finish(CATCH_UP_MS);
    const seconds = (performance.now() - startedMs) / 1000;
    if (!inTime || upstream.deliveries().dropped > droppedBefore) break;
    // Between publishing and the end of the last commit: what was really stored per second.
    highest = total / seconds;
  }
  return highest;
}
