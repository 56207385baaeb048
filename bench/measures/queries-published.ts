import { ANALYTICS_PATH, type AnalyticsInclude } from '@manager/core/contract/monitoring/analytics';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { copyOf, eventDatabase } from '../dataset/database.ts';
import { HISTORY_DAYS, HISTORY_END_MS } from '../dataset/events.ts';
import { type Figure, median, quantile } from '../lib/figures.ts';
import { askAll, type Call } from '../panel/call.ts';
import { DAY_MS, HOUR_MS, refreshAt } from '../panel/moment.ts';
import { prepareQuestions, withManager } from '../panel/site.ts';
import { benchSubjects } from '../panel/subjects.ts';
import { panelViews } from '../panel/views.ts';
import type { Measure } from './measure.ts';

/** The size for which an existing manager published its times. */
const EVENTS = 100_000;
const ROUNDS = 12;

interface Published {
  readonly name: string;
  readonly include: AnalyticsInclude;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly barMs: number;
}

const compact = { summary: true, summary_profile: 'compact' };
const timed = { summary: true, timeline: true, anomaly_points: true, summary_comparison: true };
const everything: AnalyticsInclude = {
  ...{ ...timed, hourly_distribution: true, heatmap: true, model_share: true, model_stats: true, channel_share: true },
  ...{
    failure_sources: true,
    account_stats: true,
    credential_stats: true,
    credential_timeline: true,
    api_key_stats: true,
  },
  ...{ task_buckets: true, filter_selectors: true, recent_failures: 50, events_page: { limit: 500 } },
};

function published(): readonly Published[] {
  const [credential = ''] = benchSubjects().credentialIds;
  return [
    { name: 'summary, full', include: { summary: true }, barMs: 400 },
    { name: 'summary, compact with percentiles', include: { ...compact, summary_percentiles: true }, barMs: 150 },
    { name: 'summary, compact', include: compact, barMs: 15 },
    { name: 'models', include: { model_stats: true }, barMs: 15 },
    {
      name: 'usage, overview',
      include: { ...timed, model_stats: true, channel_share: true, api_key_stats: true },
      barMs: 400,
    },
    { name: 'usage, trends', include: timed, barMs: 200 },
    {
      name: 'usage, models',
      include: { summary: true, timeline: true, model_stats: true, api_key_stats: true },
      barMs: 200,
    },
    { name: 'credential ranking', include: { credential_stats: true }, barMs: 150 },
    {
      name: 'timeline of one credential',
      include: { credential_timeline: true },
      filters: { credential_ids: [credential] },
      barMs: 30,
    },
    { name: 'selectors', include: { filter_selectors: true }, barMs: 60 },
    { name: 'all sections at once', include: everything, barMs: 700 },
    { name: 'page of 500 events', include: { events_page: { limit: 500 } }, barMs: 20 },
  ];
}

/** Medians of new questions over the whole history of 100,000 events, beside the times that were published for as many. */
export const measurePublishedQueries: Measure = async ({ fresh }) => {
  const copy = copyOf(await eventDatabase(EVENTS, fresh));
  try {
    const filters = (await prepareQuestions(copy)).filter(({ view }) => view.name === 'monitoring, realtime');
    return await withManager(copy, {}, async (manager) => {
      const figures: Figure[] = [];
      for (const question of published()) figures.push(await measured(manager, question));
      const dashboard = panelViews(benchSubjects()).find(({ name }) => name === 'dashboard');
      const summary = await timesOf(manager, (round) => dashboard?.steps(refreshAt(round), {}, round)[0] ?? []);
      figures.push({ name: 'dashboard, one day', value: median(summary), unit: 'ms', bar: { atMost: 20 } });
      const pages: number[] = [];
      for (const { kind } of filters) {
        const { laterMs: _laterMs, ...members } = kind.restriction(1);
        const include = { events_page: { limit: 500 } };
        pages.push(
          median(
            await timesOf(manager, (round) => [
              { path: ANALYTICS_PATH, body: { ...range(round), ...members, include } },
            ]),
          ),
        );
      }
      figures.push({
        name: 'page of 500 events, slowest filter',
        value: Math.max(...pages),
        unit: 'ms',
        bar: { atMost: 20 },
      });
      return { figures };
    });
  } finally {
    copy.remove();
  }
};

async function measured(manager: ManagerProcess, { name, include, filters, barMs }: Published): Promise<Figure> {
  const times = await timesOf(manager, (round) => [
    { path: ANALYTICS_PATH, body: { ...range(round), include, ...(filters === undefined ? {} : { filters }) } },
  ]);
  const note = `longest ${quantile(times, 1).toFixed(0)} ms`;
  return { name, value: median(times), unit: 'ms', bar: { atMost: barMs }, note };
}

/** After two that are not counted. */
async function timesOf(manager: ManagerProcess, calls: (round: number) => readonly Call[]): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push((await askAll(manager, [calls(round)])).ms);
  return times.slice(2);
}

/** Another one each time, so that no answer is kept from before. */
function range(round: number) {
  return {
    from_ms: HISTORY_END_MS - HISTORY_DAYS * DAY_MS + round * HOUR_MS,
    to_ms: HISTORY_END_MS,
    now_ms: HISTORY_END_MS,
    time_zone: 'America/New_York',
  };
}
