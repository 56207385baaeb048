import { expect, test } from 'bun:test';
import { createExportGate } from './export-gate.ts';

const never = new AbortController().signal;

test('a deletion waits for every export, and an export for the deletion that runs', async () => {
  const gate = createExportGate();
  const order: string[] = [];
  const ends = [await gate.enter(), await gate.enter()];
  const deleted = Promise.withResolvers<void>();
  const deletion = gate.alone(async () => {
    order.push('deletion begins');
    await deleted.promise;
    order.push('deletion ends');
  }, never);
  await Bun.sleep(1);
  for (const end of ends) {
    order.push('export ends');
    end();
    // The second call does nothing.
    end();
  }
  await Bun.sleep(1);
  const third = gate.enter().then((end) => {
    order.push('export begins');
    return end;
  });
  expect(gate.running()).toBe(1);
  await Bun.sleep(1);
  deleted.resolve();
  await deletion;
  (await third)();
  expect(gate.running()).toBe(0);
  expect(order).toEqual(['export ends', 'export ends', 'deletion begins', 'deletion ends', 'export begins']);
});

test('an export that starts while a deletion still waits goes first', async () => {
  const gate = createExportGate();
  const first = await gate.enter();
  let deleted = false;
  const deletion = gate.alone(async () => {
    deleted = true;
  }, never);
  first();
  const second = await gate.enter();
  await Bun.sleep(1);
  expect(deleted).toBe(false);
  second();
  await deletion;
  expect(deleted).toBe(true);
});

test('a failed deletion lets exports start, and an aborted one stops waiting', async () => {
  const gate = createExportGate();
  const failing = gate.alone(() => Promise.reject(new Error('no')), never).catch((error: Error) => error.message);
  const end = await gate.enter();
  expect(await failing).toBe('no');
  const controller = new AbortController();
  const waiting = gate.alone(async () => 'done', controller.signal).catch((error: Error) => error.message);
  await Bun.sleep(1);
  controller.abort(new Error('stop'));
  expect(await waiting).toBe('stop');
  end();
  expect(await gate.alone(async () => 'done', never)).toBe('done');
});
