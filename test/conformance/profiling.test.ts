import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

let gateway: Simulator;
let manager: ManagerProcess;
let origin: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: { ...boundTo(gateway), MANAGER_PPROF_ADDR: '127.0.0.1:0' } });
  const port = /"port":(\d+)[^\n]*profiling listener started/.exec(manager.output)?.[1];
  origin = `http://127.0.0.1:${port}/debug/pprof/`;
});
afterAll(async () => {
  await manager.remove();
  await gateway.stop();
});

const get = (page: string, headers: Record<string, string>) => fetch(origin + page, { headers });
const admin = () => ({ authorization: `Bearer ${manager.adminKey}` });

test.each(['', 'heap', 'profile?seconds=1', 'memory', 'eventloop', 'cmdline', 'unknown'])(
  'the page "%s" is refused without the admin key, and to every web page',
  async (page) => {
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: `Bearer ${TEST_UPSTREAM_KEY}` }, 401],
      [{ authorization: manager.adminKey }, 401],
      [{ ...admin(), host: 'evil.example' }, 403],
      [{ ...admin(), origin: 'https://evil.example' }, 403],
      [{ ...admin(), 'sec-fetch-site': 'cross-site' }, 403],
      [{ ...admin(), 'sec-fetch-site': 'same-site' }, 403],
    ] as const) {
      const answer = await get(page, headers);
      expect(answer.status).toBe(status);
      expect(Object.keys((await answer.json()) as object)).toEqual(['error']);
    }
  },
);

test('with the admin key it gives a heap snapshot and the memory counters', async () => {
  expect(await (await get('memory', admin())).json()).toMatchObject({ process: { rss: expect.any(Number) } });
  const heap = await get('heap', admin());
  expect(heap.headers.get('content-disposition')).toContain('.heapsnapshot');
  expect((await heap.text()).slice(0, 12)).toBe('{"snapshot":');
});
