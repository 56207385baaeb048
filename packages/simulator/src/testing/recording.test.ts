import { expect, test } from 'bun:test';
import type { JsonValue } from '../json.ts';
import { bodyDifferences, idsOf } from './recording.ts';

const PATH = 'GET /auth-files';
const ROW = {
  auth_index: '00',
  size: 1,
  time: '03:30-03:40',
  name: 'a',
  models: [{ id: 'm' }],
  url: 'http://a/?state=1',
};

test.each([
  [{ ...ROW, auth_index: '11', size: 2, time: '', url: 'http://a/?state=2' }, []],
  [{ ...ROW, name: 'b' }, [`${PATH}.name: "a" recorded, got "b"`]],
  [{ ...ROW, size: '1' }, [`${PATH}.size: 1 recorded, got "1"`]],
  [{ ...ROW, more: 1 }, [`${PATH}.more: not recorded, got 1`]],
  [{ ...ROW, models: [] }, [`${PATH}.models: 1 elements recorded, got 0`]],
  [{ ...ROW, models: [{ id: 'm' }, { id: 'n' }] }, [`${PATH}.models: 1 elements recorded, got 2`]],
  [{ ...ROW, models: [{ id: 'n' }] }, [`${PATH}.models[0].id: "m" recorded, got "n"`]],
  [{ ...ROW, models: null }, [`${PATH}.models: [{"id":"m"}] recorded, got null`]],
  [{ ...ROW, url: 'http://b/?state=1' }, [`${PATH}.url: "http://a/?state=" recorded, got "http://b/?state="`]],
  [{}, Object.entries(ROW).map(([name, value]) => `${PATH}.${name}: ${JSON.stringify(value)} recorded, missing`)],
  [[], [`${PATH}: ${JSON.stringify(ROW)} recorded, got []`]],
] as [JsonValue, string[]][])('an answer %j differs by %j', (actual, differences) => {
  expect(bodyDifferences(PATH, ROW, actual)).toEqual(differences);
});

test('only lists that the recording cuts may go on', () => {
  expect(bodyDifferences('GET /model-definitions/xai', { models: ['a'] }, { models: ['a', 'b'] })).toEqual([]);
  expect(bodyDifferences('GET /logs', { lines: ['a'] }, { lines: ['c', 'b'] })).toEqual([]);
  expect(bodyDifferences('GET /logs', { lines: ['a'] }, { lines: [] })).toHaveLength(1);
});

test('ids are found with those given in their place', () => {
  expect(idsOf({ files: [{ auth_index: 'a', name: 'x' }] }, { files: [{ auth_index: 'b', name: 'y' }] })).toEqual([
    ['a', 'b'],
  ]);
});
