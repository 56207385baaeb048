import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventDatabase } from './dataset/database.ts';
import { calibrate } from './lib/calibration.ts';
import type { MeasureResult } from './lib/figures.ts';
import { describeMachine, load, processorTimes } from './lib/machine.ts';
import { OUT } from './lib/paths.ts';
import { measureAccountList } from './measures/account-list.ts';
import { measureAccounts } from './measures/accounts.ts';
import { measureBareSqlite } from './measures/bare-sqlite.ts';
import { measureDisk } from './measures/disk.ts';
import { measureExport } from './measures/export.ts';
import { measureHistory } from './measures/history.ts';
import { measureIngest } from './measures/ingest.ts';
import type { Measure } from './measures/measure.ts';
import { measureIdleMemory } from './measures/memory.ts';
import { measureManyFacts, measurePages } from './measures/pages.ts';
import { measurePanel } from './measures/panel.ts';
import { measurePlainSql } from './measures/plain-sql.ts';
import { measureProxy } from './measures/proxy.ts';
import { measureColdQueries, measureLargeQueries, measureParallelQueries, measureQueries } from './measures/queries.ts';
import { measureCollectingQueries } from './measures/queries-collecting.ts';
import { measurePublishedQueries } from './measures/queries-published.ts';
import { measureRuntimes } from './measures/runtimes.ts';
import { measureStart } from './measures/start.ts';
import { measureTransports } from './measures/transports.ts';
import { type BenchOptions, isFull } from './options.ts';
import { printReport, type Report, type ReportedMeasure, writeReadme, writeReport } from './report.ts';

interface NamedMeasure {
  readonly title: string;
  readonly measure: Measure;
  /** Only in a full run, or when named. */
  readonly large?: boolean;
  /** Only when named: it proves more than it measures, and has a size of its own. */
  readonly apart?: boolean;
}

const MEASURES: Readonly<Record<string, NamedMeasure>> = {
  disk: { title: 'Disk', measure: measureDisk },
  ingest: { title: 'Ingest, straight into the writer', measure: measureIngest },
  accounts: { title: 'Account automation behind ingest', measure: measureAccounts },
  bare: { title: 'Bare SQLite', measure: measureBareSqlite },
  transports: { title: 'Ingest from a gateway', measure: measureTransports },
  idle: { title: 'Memory at rest', measure: measureIdleMemory },
  start: { title: 'Start', measure: measureStart },
  export: { title: 'Export', measure: measureExport },
  proxy: { title: 'Proxy', measure: measureProxy },
  pages: { title: 'Event pages and menus', measure: measurePages },
  queries: { title: "The panel's questions", measure: measureQueries },
  'queries-cold': { title: 'Cold questions', measure: measureColdQueries },
  'queries-parallel': { title: 'Three panels at once', measure: measureParallelQueries },
  'queries-collecting': { title: 'Questions with ingest', measure: measureCollectingQueries },
  'queries-published': { title: 'Questions over 100,000 events', measure: measurePublishedQueries },
  'queries-sql': { title: 'Questions in plain SQL', measure: measurePlainSql },
  'queries-large': { title: 'Questions over many events', measure: measureLargeQueries, large: true },
  facts: { title: 'Event pages over many facts', measure: measureManyFacts, large: true },
  runtimes: { title: 'Runtimes', measure: measureRuntimes, large: true },
  panel: { title: 'The panel in a browser', measure: measurePanel, apart: true },
  'account-list': { title: 'The list of 5,000 accounts', measure: measureAccountList, apart: true },
  history: { title: 'History: round trip and archive', measure: measureHistory, apart: true },
};

export async function runBench(options: BenchOptions): Promise<void> {
  const { plan } = options;
  const usual = ({ large, apart }: NamedMeasure) => apart !== true && (isFull(plan) || large !== true);
  const ofSize = Object.entries(MEASURES).filter(([, measure]) => usual(measure));
  const names = options.only ?? ofSize.map(([name]) => name);
  const chosen = names.map((name): readonly [string, NamedMeasure] => {
    const measure = MEASURES[name];
    if (measure === undefined) throw new Error(`no measure ${name}; there are ${Object.keys(MEASURES).join(', ')}`);
    return [name, measure];
  });
  removeLeftovers();
  const base = await eventDatabase(plan.events, options.fresh);
  const measures: ReportedMeasure[] = [];
  const results = new Map<string, MeasureResult>();
  for (const [name, { title, measure }] of chosen) {
    const loadBefore = load();
    const calibration = calibrate();
    const before = processorTimes();
    const startedMs = performance.now();
    console.error(`${title} …`);
    const result = await measure({
      plan,
      base,
      fresh: options.fresh,
      figure: (of, named) => results.get(of)?.figures.find((figure) => figure.name === named)?.value ?? null,
      progress: (text) => console.error(`  ${text}`),
    });
    const seconds = (performance.now() - startedMs) / 1000;
    const after = processorTimes();
    results.set(name, result);
    measures.push({
      name,
      title,
      ...result,
      seconds: Math.round(seconds),
      coresOfOthers: Math.max(after.machine - before.machine - (after.own - before.own), 0) / seconds,
      loadBefore,
      calibration,
    });
  }
  const report: Report = {
    at: new Date().toISOString(),
    events: plan.events,
    full: isFull(plan),
    machine: describeMachine(),
    measures,
  };
  writeReport(report);
  printReport(report);
  if (options.write) writeReadme(report);
}

/** Copies that a run left behind which was killed. */
function removeLeftovers(): void {
  try {
    for (const name of readdirSync(OUT)) if (name.startsWith('work-')) rmSync(join(OUT, name), { recursive: true });
  } catch {
    // Nothing was ever measured here.
  }
}
