import { expect, test } from 'bun:test';
import { gridColumns } from './grid-rows.ts';

test.each([
  ['one shares the rest', [82, null, 60], 0, '82px minmax(0, 1fr) 60px'],
  ['after boxes to choose rows', [null, 60], 36, '36px minmax(0, 1fr) 60px'],
  ['all share the rest by their widths', [100, 50], 0, 'minmax(100px, 100fr) minmax(50px, 50fr)'],
])('columns: %s', (_, widths, taken, tracks) => {
  expect(
    gridColumns(
      widths.map((width) => ({ width })),
      taken,
    ),
  ).toBe(tracks);
});
