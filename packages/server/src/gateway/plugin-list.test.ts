import { describe, expect, test } from 'bun:test';
import { createRegisteredPlugins, listsPlugin } from './plugin-list.ts';
import { startGatewayRig } from './testing.ts';

const connection = { baseUrl: 'http://gateway:8317', managementKey: 'key' };

describe('a list of plugins', () => {
  test.each([
    ['{"plugins":[{"id":"a","registered":false},{"id":"b","registered":true}]}', true],
    ['{"plugins":[{"id":"a","registered":false}]}', false],
    ['{"plugins":[{"id":"a","registered":"true"}]}', false],
    ['{"plugins":[]}', false],
    ['{"plugins":null}', false],
    ['{"a":[{"registered":true}],"plugins":[1,{"b":{"registered":true}}]}', false],
    ['[]', false],
  ])('%s: %p', (text, expected) => {
    expect(listsPlugin(Buffer.from(text))).toBe(expected);
  });

  test.each(['<html>', '{"plugins":[{}', `{"plugins":[${'{},'.repeat(10_001)}{}]}`])('%.20s is refused', (text) => {
    expect(() => listsPlugin(Buffer.from(text))).toThrow('the plugin list');
  });

  test.each([
    [{ installedPlugins: ['simplugin'] }, true],
    [{ installedPlugins: [] }, false],
    [{ profile: 'v6.9.38' }, false],
  ] as const)('of a gateway with %p: %p', async (options, expected) => {
    const rig = await startGatewayRig(options);
    expect(await rig.management.hasPlugins(rig.connection)).toBe(expected);
    await rig.stop();
  });
});

describe('the question', () => {
  function rig(answers: (boolean | Error)[]) {
    const clock = { nowMs: 5_000_000 };
    let asked = 0;
    const plugins = createRegisteredPlugins({
      now: () => clock.nowMs,
      async ask() {
        asked += 1;
        const answer = answers.shift() ?? false;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    return { clock, plugins, asked: () => asked };
  }

  test('is asked once a minute, also by many callers at once', async () => {
    const { clock, plugins, asked } = rig([true, false]);
    const answers = await Promise.all([1, 2, 3].map(() => plugins.any(connection)));
    clock.nowMs += 59_999;
    expect([...answers, await plugins.any(connection), asked()]).toEqual([true, true, true, true, 1]);
    clock.nowMs += 1;
    expect([await plugins.any(connection), asked()]).toEqual([false, 2]);
  });

  test('without an answer it is no, and asked again after a second', async () => {
    const { clock, plugins, asked } = rig([new Error('down'), true]);
    expect([await plugins.any(connection), await plugins.any(connection), asked()]).toEqual([false, false, 1]);
    clock.nowMs += 1000;
    expect([await plugins.any(connection), asked()]).toEqual([true, 2]);
  });

  test('is asked again for another connection', async () => {
    const { plugins, asked } = rig([true, false]);
    await plugins.any(connection);
    expect([await plugins.any({ ...connection, managementKey: 'other' }), asked()]).toEqual([false, 2]);
  });
});
