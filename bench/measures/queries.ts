import { refreshAt } from '../../test/support/panel-calls/moment.ts';
import { type BaseDatabase, copyOf, type DataFolder, dropFromPageCache } from '../dataset/database.ts';
import type { Build } from '../lib/builds.ts';
import { startManager } from '../lib/processes.ts';
import { atMost, declareMeasure, type Site } from '../measure.ts';
import { askOnce, askRounds, type PanelQuestion, prepareQuestions, warmUp } from '../panel/asking.ts';
import { type Sample, sampleDetails, viewFigures, viewValues } from '../panel/samples.ts';

const MIB = 2 ** 20;
/** Views measured cold with every filter; the others only without. */
const COLD_WITH_FILTERS: readonly string[] = ['monitoring, realtime', 'analytics, overview'];

const MEMORY = { 'highest memory': { unit: 'MiB', bar: atMost(220) } };

export const queries = declareMeasure({
  name: 'queries',
  title: "The panel's questions",
  how: 'all calls of a page or tab together, 30 days, with each of its filters, searches that hit and miss, and a half-hour zone. New: other values each time, over decoded columns; again: the same with a later end, as a refresh asks. p99 over all filters of the slowest view',
  figures: { ...viewFigures('again', 100), ...viewFigures('new', 250), ...MEMORY },
  run: (site) => askEverything(site, site.base),
});

export const coldQueries = declareMeasure({
  name: 'queries-cold',
  title: 'Cold questions',
  how: 'the first question of a fresh process, over a file that the kernel was asked to forget',
  figures: viewFigures('cold', 600),
  async run({ base, build }) {
    using copy = copyOf(base);
    const samples = await askCold(build, copy, await prepareQuestions(build, copy));
    return { figures: viewValues('cold', samples), details: sampleDetails(samples) };
  },
});

export const largeQueries = declareMeasure({
  name: 'queries-large',
  title: 'Questions over ten million events',
  how: 'as `queries` and `queries-cold` (unfiltered), over copies of the events within the same 60 days',
  when: 'full',
  figures: { ...viewFigures('again', 150), ...viewFigures('new', 600), ...viewFigures('cold', 1_200), ...MEMORY },
  async run(site) {
    const base = await site.copies(site.plan.largeEvents);
    const warm = await askEverything(site, base);
    using copy = copyOf(base);
    const questions = await prepareQuestions(site.build, copy);
    const unfiltered = questions.filter(({ kind }) => kind.name === 'none');
    const cold = await askCold(site.build, copy, unfiltered);
    return { figures: { ...warm.figures, ...viewValues('cold', cold) }, details: warm.details };
  },
});

async function askEverything({ build, plan, progress }: Site, base: BaseDatabase) {
  using copy = copyOf(base);
  const questions = await prepareQuestions(build, copy);
  progress(`${questions.length} questions`);
  await using manager = await startManager(build, copy);
  await warmUp(manager, questions);
  const { fresh, again } = await askRounds(manager, questions, { seconds: plan.querySeconds, polls: plan.queryPolls });
  return {
    figures: {
      ...viewValues('again', again),
      ...viewValues('new', fresh),
      'highest memory': manager.peakResidentBytes() / MIB,
    },
    details: { fresh: sampleDetails(fresh), again: sampleDetails(again) },
  };
}

async function askCold(
  build: Build,
  data: DataFolder,
  questions: readonly PanelQuestion[],
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const question of questions) {
    if (question.kind.name !== 'none' && !COLD_WITH_FILTERS.includes(question.view.name)) continue;
    dropFromPageCache(data.path);
    await using manager = await startManager(build, data);
    samples.push(await askOnce(manager, question, 0, refreshAt(0)));
  }
  return samples;
}
