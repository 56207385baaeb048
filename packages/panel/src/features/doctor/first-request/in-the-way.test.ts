import { expect, test } from 'bun:test';
import { type CheckGroup, splitGood } from '../doctor-checks.ts';
import type { CheckTone } from '../doctor-facts.ts';
import { checksInTheWay, isBlocked } from './in-the-way.ts';

const groups = (tones: Readonly<Record<string, CheckTone>>): readonly CheckGroup[] => [
  {
    title: 'doctor.groupManager',
    results: ['manager', 'upstream', 'statistics', 'collector', 'clock'].map((id) => ({
      id,
      title: 'doctor.manager',
      finding: { tone: tones[id] ?? 'ok', text: 'doctor.managerUp' },
    })),
  },
];
const idsOf = (tones: Readonly<Record<string, CheckTone>>) => checksInTheWay(groups(tones)).map(({ id }) => id);

test('three checks: problems, warnings, then what a request depends on', () => {
  expect(idsOf({})).toEqual(['upstream', 'statistics', 'collector']);
  expect(idsOf({ clock: 'warn', statistics: 'bad' })).toEqual(['statistics', 'clock', 'upstream']);
});

test('only a problem ends the wait early', () => {
  expect(isBlocked(groups({ clock: 'warn' }))).toBe(false);
  expect(isBlocked(groups({ upstream: 'bad' }))).toBe(true);
});

test('what is good is apart from what to look at', () => {
  expect(splitGood(groups({})).open).toEqual([]);
  const { open, good } = splitGood(groups({ clock: 'warn', collector: 'off' }));
  expect(open.flatMap(({ results }) => results).map(({ id }) => id)).toEqual(['collector', 'clock']);
  expect(good.map(({ id }) => id)).toEqual(['manager', 'upstream', 'statistics']);
});
