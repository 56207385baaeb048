import { DASHBOARD_PATH } from '@manager/core/contract/constants';
import { ANALYTICS_PATH, type AnalyticsInclude } from '@manager/core/contract/monitoring/analytics';
import { MODEL_PRICES_PATH } from '@manager/core/contract/prices';
import type { Call } from '../../test/support/panel-calls/call.ts';
import type { Restriction } from '../../test/support/panel-calls/filters.ts';
import { DAY_MS, HOUR_MS, type Moment, todayStartMs } from '../../test/support/panel-calls/moment.ts';
import type { Subjects } from '../../test/support/panel-calls/subjects.ts';

/** Requests of one step are sent together; the next step starts when all are answered. */
type Steps = readonly (readonly Call[])[];

/** Requests of a page or tab of the panel. */
export interface View {
  readonly name: string;
  /** Whether the page has the filters. */
  readonly filtered: boolean;
  steps(moment: Moment, restriction: Restriction, round: number): Steps;
}

const MONITORING = '/v0/management/monitoring';
const EVENT_ROWS = 500;
const FAILURE_ROWS = 50;
const PREVIEW_ROWS = 12;
const SHOWN_KEYS = 4;
/** The maximum: this request uses the server's own clock, and the history lies in another year. */
const HEADER_DAYS = 365;
const COMPACT = { summary: true, summary_profile: 'compact', summary_percentiles: true };
/** Lists of rows without their parts, and with some. */
const WITHOUT_PARTS = { models_limit: 0, contexts_limit: 0, identities_limit: 0 };
const MOST_MODELS = { models_limit: 20 };
const MOST_PARTS = { ...MOST_MODELS, contexts_limit: 20, identities_limit: 1 };
const FULL = { summary: true, summary_percentiles: true };

/** Every page and tab with figures, with the requests it sends. */
export function panelViews(subjects: Subjects): readonly View[] {
  const keys = subjects.keyHashes.slice(0, SHOWN_KEYS);
  const account = subjects.credentialIds.slice(0, 1);
  return [
    { name: 'dashboard', filtered: false, steps: ({ nowMs }) => [[dashboard(nowMs)]] },
    monitoring('realtime', {}, { events_page: { limit: EVENT_ROWS } }),
    monitoring('accounts', { account_stats: true, ...MOST_MODELS }),
    monitoring('keys', { api_key_stats: true, ...MOST_PARTS }),
    monitoring('models', { model_stats: true }),
    monitoring('failures', { failure_sources: true, recent_failures: FAILURE_ROWS }),
    alone('selectors', { filter_options: true, filter_selectors: true }),
    alone('rare filters', { filter_values: true }),
    analytics('overview', {
      ...{ ...FULL, summary_comparison: true, timeline: true, model_stats: true },
      ...{ channel_share: true, api_key_stats: true, anomaly_points: true },
      ...WITHOUT_PARTS,
    }),
    analytics('trends', { ...FULL, summary_comparison: true, timeline: true, anomaly_points: true }),
    analytics('trends by hour', {
      ...{ ...FULL, summary_comparison: true, timeline: true, anomaly_points: true },
      granularity: 'hour',
    }),
    analytics('models', { ...FULL, timeline: true, model_stats: true, api_key_stats: true, ...WITHOUT_PARTS }),
    analytics('keys', { api_key_stats: true, ...WITHOUT_PARTS }, (moment, restriction) =>
      analyticsCall(rolling(moment, restriction), within(restriction, { api_key_hashes: keys }), {
        api_key_timeline: true,
      }),
    ),
    analytics('credentials', { credential_stats: true, ...WITHOUT_PARTS }, (moment, restriction) =>
      analyticsCall(rolling(moment, restriction), within(restriction, { credential_ids: account }), {
        credential_timeline: true,
      }),
    ),
    analytics('heat map', { heatmap: true }, (moment, restriction) => {
      const to_ms = todayStartMs(moment.nowMs);
      const day = { from_ms: to_ms - DAY_MS, to_ms };
      const include = { heatmap: true, drilldown_preview: { ...day, limit: PREVIEW_ROWS } };
      return analyticsCall({ moment, ...day }, restriction, include);
    }),
    {
      name: 'analytics, comparison',
      filtered: true,
      steps: (moment, restriction) => {
        const now = rolling(moment, restriction);
        const before = { moment, from_ms: now.from_ms - 30 * DAY_MS, to_ms: now.from_ms };
        return [
          [now, before].map((range) =>
            analyticsCall(range, restriction, { ...FULL, timeline: true, granularity: 'day' }),
          ),
        ];
      },
    },
    {
      name: 'accounts page',
      filtered: false,
      steps: (moment, _restriction, round) => [accounts(subjects, moment, round)],
    },
    {
      name: 'model prices',
      filtered: false,
      steps: () => [[{ path: MODEL_PRICES_PATH }, { path: `${MODEL_PRICES_PATH}/usage-summary` }]],
    },
  ];
}

interface Range {
  readonly moment: Moment;
  readonly from_ms: number;
  readonly to_ms: number;
}

function monitoring(tab: string, block: AnalyticsInclude, besides?: AnalyticsInclude): View {
  return {
    name: `monitoring, ${tab}`,
    filtered: true,
    steps: (moment, restriction) => {
      const includes = [{ ...COMPACT, ...block }, ...(besides === undefined ? [] : [besides])];
      return [includes.map((include) => analyticsCall(fixed(moment, restriction), restriction, include))];
    },
  };
}

function alone(name: string, include: AnalyticsInclude): View {
  return {
    name: `monitoring, ${name}`,
    filtered: true,
    steps: (moment, restriction) => [[analyticsCall(fixed(moment, restriction), restriction, include)]],
  };
}

function analytics(
  tab: string,
  include: AnalyticsInclude,
  second?: (moment: Moment, restriction: Restriction) => Call,
): View {
  return {
    name: `analytics, ${tab}`,
    filtered: true,
    steps: (moment, restriction) => {
      const first = analyticsCall(rolling(moment, restriction), restriction, { granularity: 'day', ...include });
      return second === undefined ? [[first]] : [[first], [second(moment, restriction)]];
    },
  };
}

/** Monitoring: from a midnight until now. */
function fixed(moment: Moment, { laterMs = 0 }: Restriction): Range {
  return { moment, from_ms: moment.fromMs + laterMs, to_ms: moment.nowMs };
}

/** Analytics: start and end move with the clock. */
function rolling(moment: Moment, { laterMs = 0 }: Restriction): Range {
  return { moment, from_ms: moment.nowMs - 30 * DAY_MS + laterMs, to_ms: moment.nowMs };
}

function within(restriction: Restriction, filters: Restriction['filters']): Restriction {
  return { ...restriction, filters: { ...restriction.filters, ...filters } };
}

function analyticsCall({ moment, ...range }: Range, restriction: Restriction, include: AnalyticsInclude): Call {
  const { laterMs: _laterMs, ...members } = restriction;
  return {
    path: ANALYTICS_PATH,
    body: { ...range, now_ms: moment.nowMs, time_zone: moment.timeZone, ...members, include },
  };
}

function dashboard(nowMs: number): Call {
  const query = new URLSearchParams({
    today_start_ms: String(todayStartMs(nowMs)),
    now_ms: String(nowMs),
    top_models: '5',
    recent_failures: '5',
  });
  return { path: `${DASHBOARD_PATH}?${query}` };
}

/** Newest headers, one batch of account histories and one of quota windows, each of the largest allowed size. */
function accounts({ targets }: Subjects, { nowMs }: Moment, round: number): Call[] {
  const history = Array.from({ length: Math.min(targets.length, 200) }, (_, index) => {
    const target = targets[(round * 200 + index) % targets.length];
    return { ...target, row_key: `account ${index}` };
  });
  const windows = Array.from({ length: Math.min(targets.length * 2, 400) }, (_, index) => {
    const isWeek = index % 2 === 1;
    const target = targets[(round * 200 + (index >> 1)) % targets.length];
    return {
      ...target,
      row_key: `window ${index}`,
      provider_window_id: isWeek ? 'weekly' : 'five-hour',
      from_ms: nowMs - (isWeek ? 7 * DAY_MS : 5 * HOUR_MS),
      to_ms: nowMs,
    };
  });
  return [
    { path: `${MONITORING}/header-snapshots?days=${HEADER_DAYS}&limit=1000` },
    { path: `${MONITORING}/account-history`, body: { accounts: history, catch_up: false } },
    { path: `${MONITORING}/account-window-usage`, body: { windows } },
  ];
}
