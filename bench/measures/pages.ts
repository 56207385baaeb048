import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { copyOf, factsDatabase, type WorkingCopy } from '../dataset/database.ts';
import { HISTORY_END_MS } from '../dataset/events.ts';
import { startPublishing } from '../lib/commits.ts';
import { type Figure, maximum, median, quantile } from '../lib/figures.ts';
import { watchHealth } from '../lib/latency.ts';
import { startGateway, startManager } from '../lib/manager.ts';
import { askText, type Question, questionsOf, type Range } from '../lib/questions.ts';
import { sampling } from '../lib/samples.ts';
import { isFull } from '../options.ts';
import type { Measure, MeasureContext } from './measure.ts';

const DAY_MS = 86_400_000;
const INGEST_RATE = 500;
const WARM_MS = 150;
const COLD_MS = 600;
/** At 10 million events. */
const WARM_LARGE_MS = 400;

interface Times {
  readonly cold?: number;
  readonly p50: number;
  readonly p99: number;
}

type TimesByQuestion = Record<string, Times>;

/** Events that come in while it is measured lie inside both ranges. */
function ranges(): Readonly<Record<string, Range>> {
  const toMs = Date.now() + DAY_MS;
  return { '30 days': { fromMs: HISTORY_END_MS - 30 * DAY_MS, toMs }, 'all time': { fromMs: 1, toMs } };
}

/** Event pages and menus through the executable: first question of a process, the same again, and with events coming in. */
export const measurePages: Measure = async (context) => {
  const copy = copyOf(context.base);
  try {
    const quiet = await measureRanges(context, copy);
    const busy = await measureWhileCollecting(context, copy);
    return {
      figures: [...summaries(quiet.times, WARM_MS), ...memoryFigures(quiet.peakRssMib), ...busy.figures],
      details: { quiet: quiet.times, collecting: busy.times },
    };
  } finally {
    copy.remove();
  }
};

/** The same over more events than a recount would take; their facts are generated. */
export const measureManyFacts: Measure = async (context) => {
  const base = await factsDatabase(context.plan.facts, context.fresh);
  const copy = copyOf(base);
  try {
    const { times, peakRssMib } = await measureRanges(context, copy);
    const size = `${(base.events / 1e6).toLocaleString('en')} M events`;
    const named = (figure: Figure): Figure => ({ ...figure, name: `${size}: ${figure.name}` });
    return { figures: [...summaries(times, WARM_LARGE_MS), ...memoryFigures(peakRssMib)].map(named), details: times };
  } finally {
    copy.remove();
  }
};

async function measureRanges(
  { plan, progress }: MeasureContext,
  copy: WorkingCopy,
): Promise<{ times: Record<string, TimesByQuestion>; peakRssMib: number }> {
  const times: Record<string, TimesByQuestion> = {};
  let peakRssMib = 0;
  for (const [title, range] of Object.entries(ranges())) {
    const questions = await withManager(copy, (manager) => questionsOf(manager, range));
    const isColdWanted = isBounded(title) || isFull(plan);
    if (isColdWanted) progress(`${title}, fresh process for each question`);
    const cold = isColdWanted ? await coldTimes(copy, range, questions) : {};
    progress(`${title}, again`);
    const warm = await withManager(copy, async (manager) => {
      const { result, sampled } = await sampling(manager, copy.path, () =>
        warmTimes(manager, range, questions, plan.warmRuns),
      );
      peakRssMib = Math.max(peakRssMib, sampled.peakRssMib);
      return result;
    });
    times[title] = Object.fromEntries(
      Object.entries(warm).map(([name, time]) => {
        const first = cold[name];
        return [name, first === undefined ? time : { cold: first, ...time }];
      }),
    );
  }
  return { times, peakRssMib };
}

async function measureWhileCollecting(
  { plan, progress }: MeasureContext,
  copy: WorkingCopy,
): Promise<{ figures: Figure[]; times: TimesByQuestion }> {
  progress(`30 days, with ingest at ${INGEST_RATE}/s`);
  const upstream = await startGateway();
  const manager = await startManager(copy, { upstream });
  try {
    const range = ranges()['30 days'] ?? { fromMs: 1, toMs: Date.now() };
    const questions = await questionsOf(manager, range);
    const publishing = startPublishing({ simulator: upstream, databasePath: copy.path, rate: INGEST_RATE, seed: 50 });
    await Bun.sleep(2_000);
    const quietLatencies = publishing.latencies.slice();
    await warmTimes(manager, range, questions, 1);
    const health = watchHealth(manager);
    const before = publishing.latencies.length;
    const times = await warmTimes(manager, range, questions, plan.warmRuns);
    const healthMs = await health.stop();
    const busyLatencies = publishing.latencies.slice(before);
    const complete = await publishing.finish(10_000);
    const added = quantile(busyLatencies, 0.99) - quantile(quietLatencies, 0.99);
    return {
      figures: [
        ...summary('30 days, collecting', times, WARM_MS),
        { name: '/health while pages are read, p99', value: quantile(healthMs, 0.99), unit: 'ms', bar: { atMost: 50 } },
        {
          name: 'publishing to commit while pages are read, added, p99',
          value: Math.max(added, 0),
          unit: 'ms',
          bar: { atMost: 50 },
          ...(complete ? {} : { note: 'not everything was stored in time' }),
        },
      ],
      times,
    };
  } finally {
    await manager.stop();
    await upstream.stop();
  }
}

async function coldTimes(
  copy: WorkingCopy,
  range: Range,
  questions: Readonly<Record<string, Question>>,
): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const [name, question] of Object.entries(questions)) {
    times[name] = await withManager(copy, (manager) => timeOf(() => askText(manager, range, question)));
  }
  return times;
}

/** Round by round over all questions, so that one does not live off its own last answer alone. */
export async function warmTimes(
  manager: ManagerProcess,
  range: Range,
  questions: Readonly<Record<string, Question>>,
  runs: number,
): Promise<TimesByQuestion> {
  for (const question of Object.values(questions)) await askText(manager, range, question);
  const samples: Record<string, number[]> = {};
  for (let run = 0; run < runs; run++) {
    for (const [name, question] of Object.entries(questions)) {
      const times = samples[name] ?? [];
      samples[name] = times;
      times.push(await timeOf(() => askText(manager, range, question)));
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, times]) => [name, { p50: median(times), p99: quantile(times, 0.99) }]),
  );
}

function summaries(times: Readonly<Record<string, TimesByQuestion>>, warmBar: number): Figure[] {
  return Object.entries(times).flatMap(([title, of]) => summary(title, of, warmBar));
}

/** The question that takes longest stands for all: the bar holds for any filter. */
function summary(title: string, times: TimesByQuestion, warmBar: number): Figure[] {
  const entries = Object.entries(times);
  const slowest = (value: (times: Times) => number) => {
    const most = maximum(entries.map(([, time]) => value(time)));
    const name = entries.find(([, time]) => value(time) === most)?.[0] ?? '';
    return { value: most, unit: 'ms', note: name };
  };
  const bounded = isBounded(title);
  return [
    { name: `${title}, warm, median question, p50`, value: median(entries.map(([, { p50 }]) => p50)), unit: 'ms' },
    {
      name: `${title}, warm, slowest question, p99`,
      ...slowest(({ p99 }) => p99),
      ...(bounded ? { bar: { atMost: warmBar } } : {}),
    },
    ...(entries.some(([, { cold }]) => cold !== undefined)
      ? [
          {
            name: `${title}, cold, slowest question`,
            ...slowest(({ cold }) => cold ?? 0),
            ...(bounded ? { bar: { atMost: COLD_MS } } : {}),
          },
        ]
      : []),
  ];
}

/** The bars speak of 30 days. */
function isBounded(title: string): boolean {
  return title !== 'all time';
}

function memoryFigures(peakRssMib: number): Figure[] {
  return [{ name: 'memory while serving pages', value: peakRssMib, unit: 'MiB', bar: { atMost: 300 } }];
}

async function withManager<T>(copy: WorkingCopy, work: (manager: ManagerProcess) => Promise<T>): Promise<T> {
  const manager = await startManager(copy);
  try {
    return await work(manager);
  } finally {
    await manager.stop();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
