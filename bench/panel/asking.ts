import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { askAll } from './call.ts';
import type { FilterKind } from './filters.ts';
import { type Moment, refreshAt } from './moment.ts';
import type { Sample } from './samples.ts';
import type { View } from './views.ts';

/** A view with one kind of filter. */
export interface PanelQuestion {
  readonly view: View;
  readonly kind: FilterKind;
}

const GOLDEN = 0.618_034;

/** Every view with every filter it has. */
export function questionsOf(views: readonly View[], kinds: readonly FilterKind[]): readonly PanelQuestion[] {
  return views.flatMap((view) => (view.filtered ? kinds : kinds.slice(0, 1)).map((kind) => ({ view, kind })));
}

/** In an order in which the beginning has some of every view and every filter. */
export function spreadOut(questions: readonly PanelQuestion[]): readonly PanelQuestion[] {
  const place = questions.map((question, index) => ({ question, at: (index * GOLDEN) % 1 }));
  return place.toSorted((a, b) => a.at - b.at).map(({ question }) => question);
}

export async function askOnce(
  manager: ManagerProcess,
  { view, kind }: PanelQuestion,
  round: number,
  moment: Moment,
): Promise<Sample> {
  const asked = await askAll(manager, view.steps(moment, kind.restriction(round), round));
  return { view: view.name, filter: kind.name, ...asked };
}

export interface Rounds {
  /** Asked for the first time, over columns that are decoded. */
  readonly fresh: readonly Sample[];
  /** The same with a later end, as a page that refreshes itself asks. */
  readonly again: readonly Sample[];
}

export interface RoundOptions {
  readonly seconds: number;
  /** The first round is finished, however long it takes. Default true. */
  readonly whole?: boolean;
  readonly polls: number;
  /** First round: those before were asked. */
  readonly from: number;
  readonly moment?: (poll: number) => Moment;
}

/** Asks everything round by round, each time with other values of the filters. */
export async function askRounds(
  manager: ManagerProcess,
  questions: readonly PanelQuestion[],
  { seconds, whole = true, polls, from, moment = refreshAt }: RoundOptions,
): Promise<Rounds> {
  const fresh: Sample[] = [];
  const again: Sample[] = [];
  const untilMs = performance.now() + seconds * 1000;
  for (let round = from; round === from || performance.now() < untilMs; round++) {
    for (const question of questions) {
      if ((round > from || !whole) && performance.now() > untilMs) break;
      fresh.push(await askOnce(manager, question, round, moment(0)));
      for (let poll = 1; poll <= polls; poll++) again.push(await askOnce(manager, question, round, moment(poll)));
    }
  }
  return { fresh, again };
}

/** Decodes what the questions need: every view once, and every filter once. Values of round 0. */
export async function warmUp(manager: ManagerProcess, questions: readonly PanelQuestion[]): Promise<readonly Sample[]> {
  const unfiltered = questions[0]?.kind;
  const filtered = questions.find(({ view }) => view.filtered)?.view;
  const first = questions.filter(({ view, kind }) => kind === unfiltered || view === filtered);
  const samples: Sample[] = [];
  for (const question of first) samples.push(await askOnce(manager, question, 0, refreshAt(0)));
  return samples;
}
