import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ManagerProcess } from '../support/manager-process.ts';

let manager: ManagerProcess;
beforeAll(async () => {
  manager = await ManagerProcess.start();
});
afterAll(() => manager.remove());

/** As a proxy on this machine passes it on. */
const status = (caller: string | null, key: string) =>
  fetch(`${manager.url}/status`, {
    headers: { authorization: `Bearer ${key}`, ...(caller === null ? {} : { 'x-forwarded-for': caller }) },
  });

test('of one IPv6 network behind a proxy on this machine are answered 429, and the right key always passes', async () => {
  for (let count = 1; count <= 100; count += 1)
    expect((await status(`2001:db8:1:2:${count.toString(16)}::1`, 'guess')).status).toBe(401);
  const throttled = await status('2001:db8:1:2:ffff::1', 'guess');
  expect(throttled.status).toBe(429);
  expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await status('2001:db8:1:2:ffff::1', manager.adminKey)).status).toBe(200);
  expect((await status('2001:db8:1:3::1', 'guess')).status).toBe(401);
  expect((await status('203.0.113.1', 'guess')).status).toBe(401);
  // Whoever is on this machine can read more than the key.
  for (let count = 1; count <= 110; count += 1) expect((await status(null, 'guess')).status).toBe(401);
});

test('of a flood of addresses are written to the log for some of them', async () => {
  const flood = Array.from({ length: 400 }, (_, index) => `198.51.${index >> 8}.${index & 255}`);
  for (const caller of flood) expect((await status(caller, 'guess')).status).toBe(401);
  // The line of the last request is written after all others.
  await manager.printed('198.51.1.143');
  const lines = manager.output.split('\n').filter((line) => line.includes('"msg":"wrong admin key"'));
  expect(lines.length).toBeGreaterThan(3);
  // A minute may end meanwhile.
  expect(lines.length).toBeLessThanOrEqual(60);
});
