import { expect, test } from 'bun:test';
import panel from '../../../package.json';
import { THIRD_PARTY } from './third-party.ts';

test('every package of the panel has its notice', () => {
  const names = THIRD_PARTY.map(({ name }) => name);
  const used = Object.keys(panel.dependencies).filter((name) => !name.startsWith('@manager/'));
  expect(used.filter((name) => !names.includes(name))).toEqual([]);
  expect(names).toEqual([...names].sort());
});
