import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every numbered kill point, and the tests that show what holds after it. Numbers are never removed. */
const KILL_POINTS: Readonly<Record<string, readonly string[]>> = {
  'faults/import-sessions.test.ts': [
    ...['F-01', 'F-02', 'F-03', 'F-04', 'F-05', 'F-06', 'F-07', 'F-08', 'F-09'],
    ...['F-10', 'F-11', 'F-12', 'F-13', 'F-14', 'F-15', 'F-16', 'F-17', 'F-18'],
  ],
  'faults/import.test.ts': ['F-19', 'F-20'],
  'faults/export-killed.test.ts': ['F-21'],
  'faults/archive-runs.test.ts': [
    ...['F-30', 'F-31', 'F-32', 'F-41', 'F-43'],
    ...['F-53', 'F-54', 'F-55', 'F-56', 'F-57'],
  ],
  'faults/archive-stages.test.ts': [
    ...['F-33', 'F-34', 'F-35', 'F-36', 'F-37', 'F-38', 'F-39', 'F-40', 'F-42'],
    ...['F-44', 'F-45', 'F-46', 'F-47', 'F-48', 'F-49', 'F-50', 'F-51', 'F-52', 'F-58', 'F-59'],
  ],
  'faults/schema-upgrade.test.ts': ['F-70', 'F-71', 'F-72', 'F-73', 'F-74'],
  'faults/offline-commands.test.ts': ['F-75', 'F-76', 'F-77', 'F-78', 'F-79', 'F-80', 'F-81'],
  'faults/lock.test.ts': ['F-82', 'F-83'],
  'upgrade/stored-databases.test.ts': ['F-84'],
  'faults/power-loss.test.ts': ['F-35', 'F-40', 'F-47', 'F-85'],
  'faults/power-loss-imports.test.ts': ['F-06', 'F-85'],
};

const folder = join(import.meta.dir, '..');

/** Titles are quoted text, also in a table of cases; comments do not count. */
function numbersInTitles(file: string): readonly string[] {
  const source = readFileSync(join(folder, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const titles = source.match(/'[^'\n]*'|`[^`\n]*`/g) ?? [];
  return titles.flatMap((title) => title.match(/\bF-\d\d\b/g) ?? []);
}

test('there are 67 kill points', () => {
  // Power loss is tested at points where a plain kill is tested too.
  const numbers = [...new Set(Object.values(KILL_POINTS).flat())];
  const range = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => `F-${String(first + index).padStart(2, '0')}`);
  expect(numbers.toSorted()).toEqual([...range(1, 21), ...range(30, 59), ...range(70, 85)]);
  expect(numbers).toHaveLength(67);
});

test.each(Object.entries(KILL_POINTS))('%s names its kill points in titles of tests', (file, numbers) => {
  const named = new Set(numbersInTitles(file));
  expect(numbers.filter((number) => !named.has(number))).toEqual([]);
});

test('no test names an unknown point, and none of these tests is skipped or run alone', () => {
  const known = new Set(Object.values(KILL_POINTS).flat());
  const files = readdirSync(join(folder, 'faults')).filter((name) => name.endsWith('.test.ts'));
  for (const name of files) {
    const file = `faults/${name}`;
    if (name !== 'kill-points.test.ts')
      expect(numbersInTitles(file).filter((number) => !known.has(number))).toEqual([]);
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/\b(?:test|describe)\.(?:skip|todo|only|if|skipIf)\b/);
  }
});
