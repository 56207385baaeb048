import { expect, test } from 'bun:test';
import { rememberShapes } from './member-shapes.ts';

test('each sequence of names is examined once', () => {
  const examined: string[] = [];
  const shapes = rememberShapes((names) => {
    examined.push(names.join());
    return names.map((name) => name.toUpperCase());
  });
  expect(shapes(['a', 'b'])).toEqual(['A', 'B']);
  expect(shapes(['b', 'a'])).toEqual(['B', 'A']);
  expect(shapes(['a'])).toEqual(['A']);
  expect(shapes([])).toEqual([]);
  expect(shapes(['a', 'b'])).toEqual(['A', 'B']);
  expect(examined).toEqual(['a,b', 'b,a', 'a', '']);
});

test('unknown names do not fill the memory, and the answers stay correct', () => {
  const shapes = rememberShapes((names) => [...names]);
  for (let index = 0; index < 30_000; index += 1) expect(shapes([`name ${index}`])).toEqual([`name ${index}`]);
  const many = Array.from({ length: 1_000 }, (_, index) => `${index}`);
  expect(shapes(many)).toEqual(many);
  expect(shapes(['x'.repeat(100_000)])[0]).toHaveLength(100_000);
});
