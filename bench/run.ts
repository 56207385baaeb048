import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databasesOf } from './dataset/database.ts';
import type { Build } from './lib/builds.ts';
import { calibrate } from './lib/calibration.ts';
import { describeMachine, load, processorTimes } from './lib/machine.ts';
import { OUT } from './lib/paths.ts';
import type { Measure, Site } from './measure.ts';
import { MEASURES } from './measures.ts';
import { type BenchOptions, isFull } from './options.ts';
import { printRounds, printSummary } from './print.ts';
import { writeReadme } from './readme.ts';
import { type Report, type Round, type Taken, writeReport } from './report.ts';

/** Measures the builds in turns; false when a measurement failed. */
export async function runBench(builds: readonly Build[], options: BenchOptions): Promise<boolean> {
  const { plan } = options;
  const measures = chosen(options);
  removeLeftovers();
  const sites: Omit<Site, 'progress'>[] = [];
  for (const build of builds) {
    const databases = databasesOf(build, options.fresh);
    const base = await databases.events(plan.events);
    sites.push({ plan, build, base, copies: (events) => databases.copies(base, events) });
  }
  const taken: Taken[] = [];
  const failed: string[] = [];
  for (const measure of measures) {
    try {
      const one = { measure, rounds: await takeRounds(measure, sites, options.rounds) };
      taken.push(one);
      printRounds(one);
    } catch (error) {
      failed.push(measure.name);
      console.error(`${measure.name} failed:`, error);
    }
  }
  const report: Report = { at: new Date().toISOString(), events: plan.events, machine: describeMachine(), taken };
  writeReport(report);
  printSummary(report, failed);
  if (options.write) writeReadme(report);
  return failed.length === 0;
}

function chosen({ only, plan }: BenchOptions): readonly Measure[] {
  if (only === null) return MEASURES.filter(({ when }) => when === undefined || (when === 'full' && isFull(plan)));
  return only.map((wanted) => {
    const measure = MEASURES.find(({ name }) => name === wanted);
    if (measure === undefined) throw new Error(`no measure ${wanted}; \`--list\` shows them`);
    return measure;
  });
}

/** Builds alternate within each round; the order reverses with every round. */
async function takeRounds(
  measure: Measure,
  sites: readonly Omit<Site, 'progress'>[],
  count: number,
): Promise<readonly (readonly Round[])[]> {
  const rounds = sites.map((): Round[] => []);
  for (let round = 0; round < count; round++) {
    const order = round % 2 === 0 ? [...sites.keys()] : [...sites.keys()].reverse();
    for (const index of order) {
      const site = sites[index];
      if (site === undefined) continue;
      const build = sites.length > 1 ? `, ${site.build.label}` : '';
      console.error(`${measure.title}${count > 1 ? `, round ${round + 1} of ${count}` : ''}${build} …`);
      const progress = (text: string) => console.error(`  ${text}`);
      rounds[index]?.push(await takeOnce(measure, { ...site, progress }));
    }
  }
  return rounds;
}

async function takeOnce(measure: Measure, site: Site): Promise<Round> {
  const loadBefore = load();
  const calibration = calibrate();
  const before = processorTimes();
  const startedMs = performance.now();
  const outcome = await measure.run(site);
  const seconds = (performance.now() - startedMs) / 1000;
  const after = processorTimes();
  const others = after.machine - before.machine - (after.own - before.own);
  return {
    ...outcome,
    seconds: Math.round(seconds),
    coresOfOthers: Math.max(others, 0) / seconds,
    loadBefore,
    calibration,
  };
}

/** Copies left by a killed run. */
function removeLeftovers(): void {
  for (const name of readdirSync(OUT)) if (name.startsWith('work-')) rmSync(join(OUT, name), { recursive: true });
}
