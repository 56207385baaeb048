import { expect, test } from 'bun:test';
import { createCallerKeys } from './caller-keys.ts';
import type { ForeignEntry, ForeignPermit } from './foreign-keys.ts';
import { createKeyRefusalGate } from './refusal-gate.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function rig() {
  let nowMs = 0;
  const timers: { readonly atMs: number; readonly call: () => void }[] = [];
  let paidBack = 0;
  const gate = await createKeyRefusalGate({
    now: () => nowMs,
    readSetting: async () => null,
    writeSetting: async () => {},
  });
  const keys = createCallerKeys({
    gate,
    now: () => nowMs,
    async payBack() {
      paidBack += 1;
      const permit = gate.enter({ baseUrl: 'http://g', managementKey: 'saved' });
      if (permit.open) permit.report('accepted');
    },
    after(ms, call) {
      const timer = { atMs: nowMs + ms, call };
      timers.push(timer);
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      };
    },
  });
  let serial = 0;
  return {
    paidBack: () => paidBack,
    async pass(ms: number) {
      nowMs += ms;
      for (const timer of timers.filter(({ atMs }) => atMs <= nowMs)) {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
        timer.call();
      }
      await settled();
    },
    enter: (address: string | null) =>
      keys.enter({
        address,
        baseUrl: 'http://g',
        authorization: `Bearer ${serial++}`,
        managementKey: '',
        openPath: false,
      }),
  };
}

function opened(entry: ForeignEntry): ForeignPermit {
  if ('retryAfterSeconds' in entry) throw new Error('refused');
  return entry;
}

test('a refused key of any address is paid back before the next unknown one of this address passes', async () => {
  const { enter, pass, paidBack } = await rig();
  opened(await enter('203.0.113.9')).answered(401, true);
  const second = enter('203.0.113.9');
  // Others do not wait for it.
  opened(await enter('198.51.100.1')).answered(200, true);
  expect(paidBack()).toBe(0);
  await pass(0);
  expect(paidBack()).toBe(1);
  opened(await second).answered(401, true);
});

test('the refusals of many addresses are paid back together, once a second', async () => {
  const { enter, pass, paidBack } = await rig();
  for (let host = 1; host <= 50; host += 1) opened(await enter(`203.0.113.${host}`)).answered(401, true);
  await pass(0);
  expect(paidBack()).toBe(1);
  for (let host = 1; host <= 50; host += 1) opened(await enter(`203.0.113.${host}`)).answered(401, true);
  await pass(500);
  expect(paidBack()).toBe(1);
  await pass(500);
  expect(paidBack()).toBe(2);
});

test('refusals of a remote address leave room below the ban for callers of this host', async () => {
  const { enter, pass } = await rig();
  const remote = opened(await enter('203.0.113.9'));
  const local = opened(await enter(null));
  remote.answered(401, true);
  local.answered(401, true);
  await pass(0);
  opened(await enter(null)).answered(200, true);
});
