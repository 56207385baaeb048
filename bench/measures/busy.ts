import { watchAnswers, withinMs } from '../../test/support/answer-times.ts';
import { momentAt } from '../../test/support/panel-calls/moment.ts';
import { HISTORY_END_MS, trafficAccounts } from '../../test/support/traffic.ts';
import { copyOf } from '../dataset/database.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { liveEvents, type Publishing, startPublishing } from '../lib/publishing.ts';
import { maximum, median, quantile } from '../lib/statistics.ts';
import { atMost, declareMeasure } from '../measure.ts';
import { askOnce, askRounds, prepareQuestions, warmUp } from '../panel/asking.ts';

const INGEST_RATE = 500;
const QUIET_MS = 4_000;

export const busy = declareMeasure({
  name: 'busy',
  title: 'While the slowest question runs',
  how: `the slowest of all questions, over and over with new values, while ${INGEST_RATE} events/s come in. Commits are compared with those of a quiet time before, because a batch waits up to 150 ms to fill`,
  figures: {
    'the question, p50': { unit: 'ms' },
    '/health, p99': { unit: 'ms', bar: atMost(50) },
    '/health, longest': { unit: 'ms' },
    'publishing to commit, added, p99': { unit: 'ms', bar: atMost(50) },
    'longest pause between commits': { unit: 'ms', bar: atMost(250) },
  },
  async run({ base, build, plan, progress }) {
    using data = copyOf(base);
    const questions = await prepareQuestions(build, data);
    await using gateway = await startGateway();
    await using manager = await startManager(build, data, { gateway });
    await warmUp(manager, questions);
    const { fresh } = await askRounds(manager, questions, { seconds: 0, polls: 0 });
    const slowest = fresh.reduce((most, sample) => (sample.ms > most.ms ? sample : most));
    const question = questions.find(({ view, kind }) => view.name === slowest.view && kind.name === slowest.filter);
    if (question === undefined) throw new Error('nothing was asked');

    // Events continue at the end of the history, so that they are inside every range.
    const startedMs = performance.now();
    const now = () => Math.floor(HISTORY_END_MS + performance.now() - startedMs);
    const events = liveEvents(trafficAccounts(), now);
    const publishing = startPublishing({ gateway, data, rate: INGEST_RATE, events });
    await Bun.sleep(QUIET_MS);
    const quiet = ingestSince(publishing, { latencies: 0, commits: 0 });

    progress(`${slowest.view}, filter: ${slowest.filter}`);
    const before = { latencies: publishing.latencies.length, commits: publishing.commits.length };
    const health = watchAnswers(manager, ['/health']);
    const times: number[] = [];
    const untilMs = performance.now() + plan.busySeconds * 1000;
    for (let round = 2; performance.now() < untilMs; round++)
      times.push((await askOnce(manager, question, round, momentAt(now()))).ms);
    const [answers = { path: '', times: [], failed: 0 }] = await health.stop();
    const during = ingestSince(publishing, before);
    await publishing.finish();
    return {
      figures: {
        'the question, p50': { value: median(times), note: `${slowest.view}; filter: ${slowest.filter}` },
        '/health, p99': withinMs(answers, 0.99),
        '/health, longest': withinMs(answers, 1),
        'publishing to commit, added, p99': {
          value: Math.max(during.p99 - quiet.p99, 0),
          note: `${Math.round(during.p99)} ms, quiet ${Math.round(quiet.p99)} ms`,
        },
        'longest pause between commits': { value: during.pause, note: `quiet ${Math.round(quiet.pause)} ms` },
      },
    };
  },
});

function ingestSince(publishing: Publishing, since: { readonly latencies: number; readonly commits: number }) {
  const commits = publishing.commits.slice(since.commits);
  const pauses = commits.slice(1).map((at, index) => at - (commits[index] ?? at));
  return { p99: quantile(publishing.latencies.slice(since.latencies), 0.99), pause: maximum(pauses) };
}
