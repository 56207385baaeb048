import { until } from '@manager/core/testing/until';
import { readStatus } from '../../test/support/status.ts';
import { copyOf } from '../dataset/database.ts';
import { HISTORY_END_MS } from '../dataset/events.ts';
import { type Publishing, startPublishing } from '../lib/commits.ts';
import { type Figure, maximum, quantile } from '../lib/figures.ts';
import { watchHealth } from '../lib/latency.ts';
import { startGateway, startManager } from '../lib/manager.ts';
import { askOnce, askRounds, type PanelQuestion, spreadOut, warmUp } from '../panel/asking.ts';
import { momentAt } from '../panel/moment.ts';
import { type Sample, samplesTable, viewFigures } from '../panel/samples.ts';
import { prepareQuestions } from '../panel/site.ts';
import type { Measure } from './measure.ts';

const INGEST_RATE = 500;
const QUIET_MS = 4_000;
const WARM_MS = 150;

/** The same questions while events come in; then the heaviest of them over and over. */
export const measureCollectingQueries: Measure = async ({ base, plan, progress }) => {
  const copy = copyOf(base);
  const questions = await prepareQuestions(copy);
  const upstream = await startGateway();
  const manager = await startManager(copy, { upstream });
  try {
    await until(async () => (await readStatus(manager)).collector.collector === 'running');
    // The events go on where the history ends, so that they lie inside every range.
    const startedMs = performance.now();
    const now = () => Math.floor(HISTORY_END_MS + performance.now() - startedMs);
    const publishing = startPublishing({
      simulator: upstream,
      databasePath: copy.path,
      rate: INGEST_RATE,
      seed: 60,
      now,
    });
    await Bun.sleep(QUIET_MS);
    const quiet = ingestSince(publishing, { latencies: 0, commits: 0 });
    await warmUp(manager, questions);

    progress(`with ingest at ${INGEST_RATE}/s`);
    const before = marks(publishing);
    const rounds = await askRounds(manager, spreadOut(questions), {
      seconds: plan.collectingSeconds,
      whole: false,
      polls: 1,
      from: 1,
      moment: () => momentAt(now()),
    });
    const during = ingestSince(publishing, before);

    const heaviest = heaviestOf(questions, rounds.fresh);
    const loopBefore = marks(publishing);
    const health = watchHealth(manager);
    const loop: Sample[] = [];
    if (heaviest !== undefined) {
      progress(`${heaviest.view.name}, filter ${heaviest.kind.name}, over and over`);
      const untilMs = performance.now() + plan.heaviestSeconds * 1000;
      for (let round = 20; performance.now() < untilMs; round++) {
        loop.push(await askOnce(manager, heaviest, round, momentAt(now())));
      }
    }
    const healthMs = await health.stop();
    const inLoop = ingestSince(publishing, loopBefore);
    const complete = await publishing.finish(10_000);
    if (publishing.committed() === 0) throw new Error('no event was stored');
    return {
      figures: [
        ...viewFigures('collecting, new', rounds.fresh, WARM_MS),
        ...viewFigures('collecting, again', rounds.again, WARM_MS),
        ...ingestFigures('all questions', quiet, during),
        {
          name: 'heaviest question in a loop, p50',
          value: quantile(
            loop.map(({ ms }) => ms),
            0.5,
          ),
          unit: 'ms',
          note: `${heaviest?.view.name}; filter: ${heaviest?.kind.name}`,
        },
        { name: 'heaviest in a loop: /health, p99', value: quantile(healthMs, 0.99), unit: 'ms', bar: { atMost: 50 } },
        { name: 'heaviest in a loop: /health, longest', value: maximum(healthMs), unit: 'ms' },
        ...ingestFigures('heaviest in a loop', quiet, inLoop),
        ...(complete ? [] : [{ name: 'events not stored in time', value: 1, unit: '', bar: { atMost: 0 } }]),
      ],
      tables: [samplesTable('with events coming in', 'view', rounds.fresh, rounds.again)],
    };
  } finally {
    await manager.stop();
    await upstream.stop();
    copy.remove();
  }
};

interface Marks {
  readonly latencies: number;
  readonly commits: number;
}

interface Ingest {
  readonly p50: number;
  readonly p99: number;
  readonly longestPause: number;
}

function marks({ latencies, commits }: Publishing): Marks {
  return { latencies: latencies.length, commits: commits.length };
}

function ingestSince(publishing: Publishing, since: Marks): Ingest {
  const latencies = publishing.latencies.slice(since.latencies);
  const commits = publishing.commits.slice(since.commits);
  const pauses = commits.slice(1).map((at, index) => at - (commits[index] ?? at));
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), longestPause: maximum(pauses) };
}

/** A batch waits up to 150 ms to fill, with and without questions: only what is added counts for the latency. */
function ingestFigures(when: string, quiet: Ingest, busy: Ingest): Figure[] {
  return [
    {
      name: `${when}: publishing to commit, added, p99`,
      value: Math.max(busy.p99 - quiet.p99, 0),
      unit: 'ms',
      bar: { atMost: 50 },
      note: `${Math.round(busy.p99)} ms, at rest ${Math.round(quiet.p99)} ms`,
    },
    {
      name: `${when}: longest pause of ingest`,
      value: busy.longestPause,
      unit: 'ms',
      bar: { atMost: 250 },
      note: `between two commits; at rest ${Math.round(quiet.longestPause)} ms`,
    },
  ];
}

/** The question that took longest on average. */
function heaviestOf(questions: readonly PanelQuestion[], samples: readonly Sample[]): PanelQuestion | undefined {
  const mean = ({ view, kind }: PanelQuestion) => {
    const own = samples.filter((sample) => sample.view === view.name && sample.filter === kind.name);
    return own.reduce((sum, { ms }) => sum + ms, 0) / Math.max(own.length, 1);
  };
  return questions.toSorted((a, b) => mean(b) - mean(a))[0];
}
