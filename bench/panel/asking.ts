import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { type Call, sendCall } from '../../test/support/panel-calls/call.ts';
import { type FilterKind, filterKinds } from '../../test/support/panel-calls/filters.ts';
import { type Moment, refreshAt } from '../../test/support/panel-calls/moment.ts';
import { savePrices } from '../../test/support/panel-calls/prices.ts';
import { trafficSubjects } from '../../test/support/panel-calls/subjects.ts';
import type { DataFolder } from '../dataset/database.ts';
import type { Build } from '../lib/builds.ts';
import { startManager } from '../lib/processes.ts';
import type { Sample } from './samples.ts';
import { panelViews, type View } from './views.ts';

/** A view with one kind of filter. */
export interface PanelQuestion {
  readonly view: View;
  readonly kind: FilterKind;
}

/** Every view with each of its filters. Also saves the prices, in a process that then ends. */
export async function prepareQuestions(build: Build, data: DataFolder): Promise<readonly PanelQuestion[]> {
  await using manager = await startManager(build, data);
  await savePrices(manager);
  const kinds = await filterKinds(manager, refreshAt(0));
  return panelViews(trafficSubjects()).flatMap((view) =>
    (view.filtered ? kinds : kinds.slice(0, 1)).map((kind) => ({ view, kind })),
  );
}

export async function askOnce(
  manager: ManagerProcess,
  { view, kind }: PanelQuestion,
  round: number,
  moment: Moment,
): Promise<Sample> {
  let bytes = 0;
  const startedMs = performance.now();
  for (const calls of view.steps(moment, kind.restriction(round), round))
    await Promise.all(calls.map(async (call) => (bytes += await answerBytes(manager, call))));
  return { view: view.name, filter: kind.name, ms: performance.now() - startedMs, bytes };
}

async function answerBytes(manager: ManagerProcess, call: Call): Promise<number> {
  const answer = await sendCall(manager, call);
  const body = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${call.path}: ${answer.status} ${new TextDecoder().decode(body)}`);
  return body.byteLength;
}

export interface Rounds {
  /** The first request, with decoded columns. */
  readonly fresh: readonly Sample[];
  /** The same with a later end, as a refreshing page sends. */
  readonly again: readonly Sample[];
}

/** Repeats all questions in rounds with new filter values each time; at least one round, however long it takes. */
export async function askRounds(
  manager: ManagerProcess,
  questions: readonly PanelQuestion[],
  { seconds, polls }: { readonly seconds: number; readonly polls: number },
): Promise<Rounds> {
  const fresh: Sample[] = [];
  const again: Sample[] = [];
  const untilMs = performance.now() + seconds * 1000;
  for (let round = 1; round === 1 || performance.now() < untilMs; round++) {
    for (const question of questions) {
      if (round > 1 && performance.now() > untilMs) break;
      fresh.push(await askOnce(manager, question, round, refreshAt(0)));
      for (let poll = 1; poll <= polls; poll++) again.push(await askOnce(manager, question, round, refreshAt(poll)));
    }
  }
  return { fresh, again };
}

/** Decodes the needed columns: every view once, and every filter once. Uses the values of round 0. */
export async function warmUp(manager: ManagerProcess, questions: readonly PanelQuestion[]): Promise<readonly Sample[]> {
  const unfiltered = questions[0]?.kind;
  const filtered = questions.find(({ view }) => view.filtered)?.view;
  const first = questions.filter(({ view, kind }) => kind === unfiltered || view === filtered);
  const samples: Sample[] = [];
  for (const question of first) samples.push(await askOnce(manager, question, 0, refreshAt(0)));
  return samples;
}
