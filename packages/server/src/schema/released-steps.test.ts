import { expect, test } from 'bun:test';
import { HOURLY_COLUMNS } from '../events/ingest/hourly-rollup.ts';
import { FACT_COLUMNS } from '../facts/columns.ts';
import { sha256Hex } from '../platform/sha256.ts';
import { initial } from './0001-initial.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * The text of every released step by its hash. A step never changes: databases that executed it would differ from new
 * ones, and nothing would report it. A new step gets a new line.
 */
const RELEASED: Readonly<Record<string, string>> = {
  '0001-initial': '8d820fb98e7e3e34e1f58315125a13ae1f28e56be969c638d5734a387b9fdcd9',
  '0002-latest-header-snapshots': '0473b1787ae8f763c845b2d9fc171acc0d0b1fcad46c0f2388d658f47b41aed6',
  '0003-data-migrations': '81f11bc78395c4503044383fe3d8fa3b090750b7d6079e6dd820128ef4ee5287',
  '0004-archives': '9cdebbb958df09485763b3c1fff2292709967716531b61371eedc0c75fe48a7a',
  '0005-collected-batches': 'dd61a18f82eb3985bfe9dcdae6fddbaede334659471377572b8e25418141fb58',
  '0006-inspection': '027fb093ab635512b8cb491af3f79e778c303153a210cd1fd8b6cb1b92092500',
  '0007-quota-snapshots': '6e4f0de0a690f6ce8ac5ccefa90c49eb90a201f44d740ebc7f772dd4fbcde962',
  '0008-quota-cooldowns': '4220e19657c02e4ffd8375ac3ea8b0320c2af340cdfd39db3f93134d23e15155',
  '0009-account-actions': '7946a6bd10ea275467ed5227aaff55dce2d55033186eafb05dc8a7a31fa55d32',
  '0010-account-claims': '650ee880804d0f0782c6c9b94384b844d96eb3e5723f22037341c0930175930c',
  '0011-stored-event-rules': 'd3f3f62177d2c4114ecfd4364b3d1028f750ea3ff38721b575f584a9bbeaf0b2',
  '0012-chosen-prices': '91f08494c01da09bc414a1e02878a134019d2358f65b91bf11e9e7b7ba891bfd',
  '0013-cache-writes-of-one-hour': '91dc076cc5cfdb5dff0c879d5cc2fb6c822fa864091005ac26374251e0cea42c',
  '0014-failure-confirmation': 'bf8f502d048b457449e868b9621c6699dfb81059ff5488c606788bbe2acaef57',
  '0015-gateway-configurations': '11261209e66d9722b44d7a019c2e4fdfa00bb0efbd911a12a714e4fc88c368a1',
  '0016-configuration-changes': '6a4095633936302573cd98afeee24baaa5f63a37b370980f8d447be0d654f54b',
  '0017-configuration-timeline': 'ad3a8f251693d79fc58f53dac045a2f34ba379ba8b17cde83685f8285040b8a7',
  '0018-stored-sums': '9316a1eab671d710c86301fca43a1f60d0c65db6483ec18a85305d5d1e156acd',
  '0019-notifications': '02ae1c034982fb7be87059638db280396b9a288fee100ae0910b3228f1204406',
  '0020-viewer-links': 'a04c6b4f81ecd3d501806e678db17e78ebc45bd2b1cd834d360d4a8cb773ebe5',
  '0021-automatic-archives': '0ac1a2bda815dcd10c2e4fba260c382f8834fc365f7dcfac230312b7c9a7fda7',
};

test('no released step has changed', () => {
  expect(Object.fromEntries(MIGRATIONS.map(({ name, sql }) => [name, sha256Hex(sql)]))).toEqual(RELEASED);
});

test.each([
  ['facts_tail', ['event_id', ...Object.keys(FACT_COLUMNS)]],
  ['hourly_core', HOURLY_COLUMNS],
] as const)('the steps give %s the columns of the code, each once', (table, columns) => {
  // The first step is text of its own: only what later steps add may be missing in it.
  const created = columnsCreated(table);
  const added = MIGRATIONS.flatMap(({ sql }) => [
    ...sql.matchAll(new RegExp(`ALTER TABLE ${table}\\s+ADD COLUMN (\\w+)`, 'g')),
  ]);
  const steps = [...created, ...added.map(([, name = '']) => name)];
  expect(steps.toSorted()).toEqual([...columns].toSorted());
  // Appended to the catalogue too, because a table keeps the order in which it got its columns.
  expect([...columns].filter((name) => created.includes(name)) as string[]).toEqual(created);
});

function columnsCreated(table: string): string[] {
  const [, body = ''] = new RegExp(`CREATE TABLE ${table} \\(([^;]*)\\)`).exec(initial.sql) ?? [];
  return [...body.matchAll(/^ {2}([a-z]\w*) [A-Z]/gm)].map(([, name = '']) => name);
}
