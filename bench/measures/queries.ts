import { type BaseDatabase, copiedDatabase, copyOf, dropFromPageCache, type WorkingCopy } from '../dataset/database.ts';
import { type Figure, type MeasureResult, maximum } from '../lib/figures.ts';
import { type Sampled, sampling } from '../lib/samples.ts';
import { askOnce, askRounds, type PanelQuestion, type Rounds, spreadOut, warmUp } from '../panel/asking.ts';
import { refreshAt } from '../panel/moment.ts';
import { missingFigures, type Sample, samplesTable, viewFigures } from '../panel/samples.ts';
import { missingSections } from '../panel/sections.ts';
import { prepareQuestions, withManager } from '../panel/site.ts';
import type { Measure, MeasureContext } from './measure.ts';

const WARM_MS = 150;
const COLD_MS = 600;
/** At 10 million events. */
const WARM_LARGE_MS = 400;
/** Clients at once. */
const PANELS = 3;
/** Memory after the questions: what stays. */
const REST_MS = 5_000;
/** Views that are asked cold with every filter; the others without. */
const COLD_WITH_FILTERS: readonly string[] = ['monitoring, realtime', 'analytics, overview'];

/** Every call of the panel's pages with every filter, one view after the other: new questions and refreshes. */
export const measureQueries: Measure = (context) =>
  onCopy(context.base, (copy) => askEverything(context, copy, WARM_MS));

/** The first question of a process, over a file that is not in memory. */
export const measureColdQueries: Measure = (context) =>
  onCopy(context.base, async (copy) => {
    const samples = await coldSamples(copy, await prepareQuestions(copy));
    return {
      figures: viewFigures('cold', samples, COLD_MS),
      tables: [samplesTable('cold, as new', 'view', samples, [])],
      details: samples,
    };
  });

/** Three panels at once. */
export const measureParallelQueries: Measure = ({ base, plan }) =>
  onCopy(base, async (copy) => {
    const questions = await prepareQuestions(copy);
    return withManager(copy, {}, async (manager) => {
      await warmUp(manager, questions);
      const all = spreadOut(questions);
      const { result, sampled } = await sampling(manager, copy.path, () =>
        Promise.all(
          Array.from({ length: PANELS }, (_, panel) => {
            const start = Math.floor((panel * all.length) / PANELS);
            const shifted = [...all.slice(start), ...all.slice(0, start)];
            return askRounds(manager, shifted, {
              seconds: plan.parallelSeconds,
              whole: false,
              polls: 1,
              from: 1 + panel * 5,
            });
          }),
        ),
      );
      const fresh = result.flatMap((rounds) => rounds.fresh);
      const again = result.flatMap((rounds) => rounds.again);
      return {
        figures: [
          ...viewFigures(`${PANELS} at once, new`, fresh, null),
          ...viewFigures(`${PANELS} at once, again`, again, null),
          ...memoryFigures(sampled),
        ],
        tables: [samplesTable(`${PANELS} panels at once`, 'view', fresh, again)],
      };
    });
  });

/** All of it over a database of ten million events over the same time. */
export const measureLargeQueries: Measure = async (context) => {
  const base = await copiedDatabase(context.base, context.plan.facts, context.fresh);
  return onCopy(base, async (copy) => {
    const result = await askEverything(context, copy, WARM_LARGE_MS);
    const unfiltered = (await prepareQuestions(copy)).filter(({ kind }) => kind.name === 'none');
    const cold = await coldSamples(copy, unfiltered);
    const size = `${(base.events / 1e6).toLocaleString('en')} M events`;
    const figures = [...result.figures, ...viewFigures('cold', cold, null)];
    return { ...result, figures: figures.map((figure) => ({ ...figure, name: `${size}: ${figure.name}` })) };
  });
};

async function askEverything(
  { plan, progress }: MeasureContext,
  copy: WorkingCopy,
  barMs: number,
): Promise<MeasureResult> {
  const questions = await prepareQuestions(copy);
  progress(`${questions.length} questions`);
  return withManager(copy, {}, async (manager) => {
    const views = [...new Set(questions.map(({ view }) => view))];
    const sections = await missingSections(manager, views);
    const first = await warmUp(manager, questions);
    const { result, sampled } = await sampling(manager, copy.path, async () => {
      const rounds = await askRounds(manager, questions, {
        seconds: plan.querySeconds,
        polls: plan.queryPolls,
        from: 1,
      });
      await Bun.sleep(REST_MS);
      return rounds;
    });
    return {
      figures: [
        ...viewFigures('new question', result.fresh, barMs),
        ...viewFigures('asked again', result.again, barMs),
        {
          name: 'questions',
          value: questions.length,
          unit: '',
          note: `${result.fresh.length + result.again.length} asked`,
        },
        { name: 'largest answers of a view', value: maximum(first.map(({ bytes }) => bytes)) / 1024, unit: 'KiB' },
        ...memoryFigures(sampled),
        ...missingFigures(first),
        ...sectionFigures(sections),
      ],
      tables: tablesOf(result),
      details: slowestOf(result),
    };
  });
}

async function coldSamples(copy: WorkingCopy, questions: readonly PanelQuestion[]): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const question of questions) {
    if (question.kind.name !== 'none' && !COLD_WITH_FILTERS.includes(question.view.name)) continue;
    dropFromPageCache(copy.path);
    samples.push(await withManager(copy, {}, (manager) => askOnce(manager, question, 0, refreshAt(0))));
  }
  return samples;
}

async function onCopy<T>(base: BaseDatabase, work: (copy: WorkingCopy) => Promise<T>): Promise<T> {
  const copy = copyOf(base);
  try {
    return await work(copy);
  } finally {
    copy.remove();
  }
}

function tablesOf({ fresh, again }: Rounds) {
  return [
    samplesTable('by view, over all filters', 'view', fresh, again),
    samplesTable('by filter, over all views', 'filter', fresh, again),
  ];
}

function memoryFigures({ peakRssMib, lastRssMib, peakAnonymousMib }: Sampled): Figure[] {
  return [
    { name: 'memory, highest', value: peakRssMib, unit: 'MiB', bar: { atMost: 300 } },
    { name: 'memory, highest, without mapped files', value: peakAnonymousMib, unit: 'MiB' },
    { name: 'memory, afterwards', value: lastRssMib, unit: 'MiB' },
  ];
}

function sectionFigures(names: readonly string[]): Figure[] {
  if (names.length === 0) return [];
  return [
    {
      name: 'sections that this build leaves out',
      value: names.length,
      unit: '',
      bar: { atMost: 0 },
      note: names.join(', '),
    },
  ];
}

/** The hundred longest, for whoever looks for the next bottleneck. */
function slowestOf({ fresh, again }: Rounds) {
  const list = (samples: readonly Sample[]) =>
    samples
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, 100)
      .map(({ view, filter, ms, bytes }) => ({ view, filter, ms: Math.round(ms), bytes }));
  return { fresh: list(fresh), again: list(again) };
}
