import { type CheckGroup, type CheckResult, problemsOf } from '../doctor-checks.ts';

const SHOWN = 3;
/** What a first request depends on, where nothing is found. */
const ON_THE_WAY = ['upstream', 'statistics', 'collector'];

/** Problems first, then what else a first request depends on: three checks in all. */
export function checksInTheWay(groups: readonly CheckGroup[]): readonly CheckResult[] {
  const problems = problemsOf(groups, SHOWN);
  const found = new Set(problems.map(({ id }) => id));
  const results = groups.flatMap((group) => group.results);
  const others = ON_THE_WAY.flatMap((id) => results.filter((result) => result.id === id && !found.has(id)));
  return [...problems, ...others].slice(0, SHOWN);
}

/** Something is wrong already, so that waiting helps nobody. */
export function isBlocked(groups: readonly CheckGroup[]): boolean {
  return groups.some(({ results }) => results.some(({ finding }) => finding.tone === 'bad'));
}
