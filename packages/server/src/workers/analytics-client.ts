import type { BudgetState } from '@manager/core/contract/budgets';
import type { UsageSummaryResponse } from '@manager/core/contract/prices';
import type { HeaderSnapshotsQuery } from '../features/accounts/header-snapshots/request.ts';
import type { AccountHistoryQuery } from '../features/accounts/history-request.ts';
import type { WindowUsageQuery } from '../features/accounts/window-request.ts';
import type { BudgetSpent } from '../features/budgets/queries/budget-spent.ts';
import type { BudgetUseQuery } from '../features/budgets/queries/budget-use.ts';
import type { DashboardQuery } from '../features/dashboard/request.ts';
import type { RequestPages } from '../features/monitoring/export/request-file.ts';
import type { AnalyticsInput } from '../features/monitoring/request.ts';
import type { ViewerQuestion } from '../features/viewer-links/question.ts';
import type { TaggedPieces } from '../http/entity-tag.ts';
import type { JsonInput } from '../http/json-question.ts';
import { memoryShares } from '../platform/memory/budget.ts';
import type { RunOptions } from '../sqlite/contexts.ts';
import { createWorkerClient } from '../sqlite/worker/client.ts';
import { workerEntry } from '../sqlite/worker/entry.ts';
import type { AnalyticsMemory, AnalyticsWorkerInit } from './analytics-context.ts';
import { DATABASE_WORKERS } from './entries.ts';
import { firstQuestions } from './first-questions.ts';
import type { AnalyticsOperations } from './operations/analytics.ts';
import { createSharedFlights } from './shared-flights.ts';

type AskOptions = Pick<RunOptions, 'signal'>;
/** JSON text. */
type AnswerBody = Uint8Array<ArrayBuffer>;

/** Answers to analytics requests. Pages of exports wait for every other question. */
export interface AnalyticsClient extends RequestPages {
  analytics(input: AnalyticsInput, options?: AskOptions): Promise<TaggedPieces>;
  viewerAnalytics(question: ViewerQuestion, options?: AskOptions): Promise<TaggedPieces>;
  dashboard(query: DashboardQuery, options?: AskOptions): Promise<AnswerBody>;
  accountHistory(input: JsonInput<AccountHistoryQuery>, options?: AskOptions): Promise<AnswerBody>;
  accountWindowUsage(input: JsonInput<WindowUsageQuery>, options?: AskOptions): Promise<AnswerBody>;
  headerSnapshots(query: HeaderSnapshotsQuery, options?: AskOptions): Promise<AnswerBody>;
  /** States of budgets in the running month. */
  budgetUse(query: BudgetUseQuery, options?: AskOptions): Promise<readonly BudgetState[]>;
  /** What is used of budgets. Wakes nothing for long: the worker rests afterwards as if it had not been asked. */
  budgetSpent(query: BudgetUseQuery): Promise<readonly BudgetSpent[]>;
  /** Models of the newest `limit` events. */
  usageSummary(limit: number, options?: AskOptions): Promise<UsageSummaryResponse>;
  /**
   * Starts the worker and answers what a panel asks first, so that its own first questions find loaded columns and compiled
   * code. Does nothing while the worker runs.
   */
  prepare(nowMs: number): void;
  /** Whether the worker runs: it starts with a request, and ends after a while without one. */
  isRunning(): boolean;
  close(): Promise<void>;
}

export interface AnalyticsClientOptions {
  readonly databasePath: string;
  /** Default: that of a machine with plenty of memory. */
  readonly memory?: AnalyticsMemory;
  /** The worker ends after this time without a request, with all that it holds. Default ten minutes. */
  readonly restMs?: number;
  /** Default 25,000: clients time out after 30 s. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 25_000;
/** Longer than a look at another page; a panel that is seen asks more often. */
const REST_MS = 600_000;

/** Starts one worker with the first request. Equal concurrent requests share one answer. */
export function createAnalyticsClient(options: AnalyticsClientOptions): AnalyticsClient {
  const init: AnalyticsWorkerInit = {
    databasePath: options.databasePath,
    memory: options.memory ?? memoryShares(Number.POSITIVE_INFINITY),
  };
  const worker = createWorkerClient<AnalyticsOperations>({
    name: 'analytics',
    entry: workerEntry(DATABASE_WORKERS.analytics),
    init,
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    stoppable: true,
    lasting: 0,
    restMs: options.restMs ?? REST_MS,
  });
  const askTagged = createSharedFlights<TaggedPieces>();
  const ask = createSharedFlights<AnswerBody>();

  const isRunning = () => worker.workers() > 0;

  async function answerFirstQuestions(nowMs: number): Promise<void> {
    for (const [name, question] of firstQuestions(nowMs)) await worker.run(name, question, { priority: 'background' });
  }

  /** The same name and the same JSON are the same request. */
  const keyOf = (name: keyof AnalyticsOperations, question: object) => `${name} ${JSON.stringify(question)}`;

  return {
    analytics: (input, options) =>
      askTagged(keyOf('analytics', input), (running) => worker.run('analytics', input, running), options),
    // The scope of the link is part of the question, so that only questions of equal scopes share an answer.
    viewerAnalytics: (question, options) =>
      askTagged(
        keyOf('viewerAnalytics', question),
        (running) => worker.run('viewerAnalytics', question, running),
        options,
      ),
    dashboard: (query, options) =>
      ask(keyOf('dashboard', query), (running) => worker.run('dashboard', query, running), options),
    accountHistory: (input, options) =>
      ask(keyOf('accountHistory', input), (running) => worker.run('accountHistory', input, running), options),
    accountWindowUsage: (input, options) =>
      ask(keyOf('accountWindowUsage', input), (running) => worker.run('accountWindowUsage', input, running), options),
    headerSnapshots: (query, options) =>
      ask(keyOf('headerSnapshots', query), (running) => worker.run('headerSnapshots', query, running), options),
    budgetUse: (query, options = {}) => worker.run('budgetUse', query, options),
    budgetSpent: (query) => worker.run('budgetSpent', query, { priority: 'background', brief: true }),
    usageSummary: (limit, options = {}) => worker.run('usageSummary', { limit }, options),
    startRequestExport: (query, signal) => worker.run('startRequestExport', { query }, { signal }),
    requestExportPage: (args, signal) =>
      worker.run('requestExportPage', args, {
        signal,
        priority: 'background',
        transfer: args.buffer === null ? [] : [args.buffer],
      }),
    prepare(nowMs) {
      if (isRunning()) return;
      // A failure repeats with the question of a panel, which gets it as its answer.
      answerFirstQuestions(nowMs).catch(() => {});
    },
    isRunning,
    close: () => worker.close(),
  };
}
