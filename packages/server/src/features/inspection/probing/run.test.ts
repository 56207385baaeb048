import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { type AccountSpec, accountFile, makeAccountFiles, type SimulatorOptions } from '@manager/simulator';
import { INSPECTION } from '../testing/rig.ts';
import { messagesOf, resultOfFile, startWorkingRig, type WorkingRig } from '../testing/working-rig.ts';

let rig: WorkingRig;
beforeAll(async () => {
  rig = await startWorkingRig({});
});
afterAll(() => rig.stop());

/** Small by default; the full size is a big gateway with slow providers. */
const { accounts, latencyMs } =
  process.env.MANAGER_FULL_FAULTS === '1' ? { accounts: 500, latencyMs: 200 } : { accounts: 200, latencyMs: 50 };

const start = (options: SimulatorOptions) => rig.restart(options);
const apiCalls = () => rig.simulator.activity().byKind['api-call'];
const codex = (name: string, account: Partial<AccountSpec> = {}) =>
  accountFile({ provider: 'codex', name: `${name}.json`, email: `${name}@example.test`, account });

describe('probes', () => {
  test('run in parallel, as many as there are workers, each account once', async () => {
    await start({ authFiles: makeAccountFiles({ codex: accounts, claude: 3 }), apiCallLatencyMs: latencyMs });
    const { run, results } = await rig.run({ workers: 16 });
    expect(run).toMatchObject({ status: 'completed', totalFiles: accounts + 3, sampledCount: accounts });
    expect(results).toHaveLength(accounts);
    expect(apiCalls()).toEqual({ total: accounts, inFlight: 0, maxInFlight: 16 });
    const perAccount = Object.values(rig.simulator.activity().apiCallsByAccount);
    expect(perAccount.every(({ total }) => total === 1)).toBe(true);
  }, 180_000);

  test('end at once on cancel, and their results are kept', async () => {
    await start({ authFiles: makeAccountFiles({ codex: accounts }), apiCallLatencyMs: 200 });
    rig.inspection.settings = { ...rig.inspection.settings, workers: 8, retries: 3 };
    const id = await rig.inspection.started();
    await until(async () => (await rig.inspection.detail(id)).results.length >= 8);
    const answer = await rig.inspection.call('POST', `${INSPECTION}/runs/${id}/cancel`);
    expect(answer.status).toBe(200);
    const { run, results } = await rig.inspection.ended(id);
    expect(run).toMatchObject({ status: 'cancelled', sampledCount: accounts });
    expect(results.length).toBeGreaterThanOrEqual(8);
    const calls = apiCalls()?.total ?? 0;
    expect(results.length).toBeGreaterThanOrEqual(calls - 8);
    expect(calls).toBeLessThan(accounts);
    await Bun.sleep(250);
    expect(apiCalls()?.total).toBe(calls);
  }, 180_000);

  test('are retried only when the provider was not reached, with growing delays', async () => {
    await start({ authFiles: [codex('deaf'), codex('busy', { state: 'rate-limited' })] });
    const authIndex =
      (await rig.gatewayAccounts.client.list()).find(({ name }) => name === 'deaf.json')?.authIndex ?? '';
    rig.simulator.fault({ kind: 'api-call', authIndex, result: 'request failed', times: 2 });
    const detail = await rig.run({ retries: 2, workers: 1 });
    expect(resultOfFile(detail, 'deaf.json')).toMatchObject({ statusCode: 200, action: 'keep' });
    expect(resultOfFile(detail, 'busy.json').statusCode).toBe(429);
    expect(apiCalls()?.total).toBe(4);
    expect(rig.waits).toEqual([188, 375]);
  });

  test('are not retried after a cancellation', async () => {
    await start({ authFiles: [codex('deaf', { failure: 'request failed', latencyMs: 30 })] });
    rig.inspection.settings = { ...rig.inspection.settings, retries: 10_000 };
    const id = await rig.inspection.started();
    await until(() => (apiCalls()?.total ?? 0) >= 3);
    await rig.inspection.call('POST', `${INSPECTION}/runs/${id}/cancel`);
    expect((await rig.inspection.ended(id)).run.status).toBe('cancelled');
    const calls = apiCalls()?.total;
    await Bun.sleep(100);
    expect(apiCalls()?.total).toBe(calls);
  });

  test('of xAI are retried while the deciding failure is transient', async () => {
    const endpoints = { weekly: 'unavailable', monthly: 'unavailable' } as const;
    const inference = { responses: 'rate-limited' } as const;
    await start({
      authFiles: [
        accountFile({ provider: 'xai', name: 'down.json', email: 'd@example.test', account: { endpoints } }),
        accountFile({
          provider: 'xai',
          name: 'spent.json',
          email: 's@example.test',
          account: { endpoints: { weekly: 'spending-limit', monthly: 'unavailable', ...inference } },
        }),
      ],
    });
    await rig.run({ targetTypes: ['xai'], retries: 1, xaiInferenceEnabled: true });
    const asked = new Map<string, number>();
    for (const { body } of rig.simulator.requests({ path: '/v0/management/api-call' })) {
      const url: string = JSON.parse(body).url;
      asked.set(url, (asked.get(url) ?? 0) + 1);
    }
    // Both billing requests twice for the first, once for the second; inference once for the first, twice for the second.
    expect(Object.fromEntries(asked)).toEqual({
      'https://cli-chat-proxy.grok.com/v1/billing?format=credits': 3,
      'https://cli-chat-proxy.grok.com/v1/billing': 3,
      'https://cli-chat-proxy.grok.com/v1/responses': 3,
    });
  });

  test('have a limit', async () => {
    await start({
      authFiles: [codex('slow', { latencyMs: 60_000 }), codex('quick')],
    });
    const began = performance.now();
    // On a busy machine the quick one may take long too.
    const detail = await rig.run({ timeout: 2_000 });
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(resultOfFile(detail, 'slow.json')).toMatchObject({ errorKind: 'request_error', action: 'keep' });
    expect(resultOfFile(detail, 'quick.json').statusCode).toBe(200);
    expect(messagesOf(detail)).toContain('probe_failed');
  });

  test('of the old monthly API of xAI delay a run for three seconds at most', async () => {
    await start({ authFiles: [accountFile({ provider: 'xai', name: 'x.json', email: 'x@example.test' })] });
    rig.simulator.fault({ kind: 'api-call', url: 'https://cli-chat-proxy.grok.com/v1/billing', delayMs: 60_000 });
    const began = performance.now();
    const detail = await rig.run({ targetTypes: ['xai'], retries: 2 });
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(resultOfFile(detail, 'x.json')).toMatchObject({ action: 'keep', errorKind: 'billing_healthy' });
    expect(apiCalls()?.total).toBe(2);
  }, 180_000);

  test('are not made for accounts without an index', async () => {
    await start({ authFiles: [codex('a'), accountFile({ provider: 'xai', name: 'x.json', email: 'x@example.test' })] });
    rig.simulator.fault({ kind: 'auth-file-list', shape: 'missing-index' });
    const detail = await rig.run({ targetTypes: ['codex', 'xai'] });
    for (const { action, errorKind, accountKey } of detail.results) {
      expect([action, errorKind]).toEqual(['keep', 'missing_auth_index']);
      expect(accountKey).toContain('::-::');
    }
    expect(detail.results).toHaveLength(2);
    expect(apiCalls()).toBeUndefined();
    expect(messagesOf(detail)).toContain('missing_auth_index');
    expect(messagesOf(detail)).toContain('xai_inspection_log_server_missing_auth_index');
  });
});

describe('the accounts of a run', () => {
  test('are found in every form of the list', async () => {
    await start({ authFiles: makeAccountFiles({ codex: 2, xai: 1 }) });
    for (const shape of ['bare-array', 'camel-case', 'numeric-index', 'provider-spelling', 'missing-id'] as const) {
      rig.simulator.fault({ kind: 'auth-file-list', shape });
      const { run, results } = await rig.run({ targetTypes: ['codex', 'xai'] });
      expect([shape, run.status, results.length]).toEqual([shape, 'completed', 3]);
    }
  });

  test('a sample takes the least recently inspected ones, for each provider', async () => {
    await start({ authFiles: makeAccountFiles({ codex: 5, xai: 2 }) });
    const seen = new Map<string, number>();
    for (let round = 0; round < 3; round += 1) {
      const { run, results } = await rig.run({ targetTypes: ['codex', 'xai'], sampleSize: 2 });
      expect(run).toMatchObject({ probeSetCount: 7, sampledCount: 4 });
      for (const { fileName } of results) seen.set(fileName, (seen.get(fileName) ?? 0) + 1);
    }
    expect(seen.size).toBe(7);
    const codexTurns = [...seen].filter(([name]) => name.startsWith('codex')).map(([, turns]) => turns);
    expect(codexTurns.sort()).toEqual([1, 1, 1, 1, 2]);
  });

  test('an unreadable list ends the run', async () => {
    await start({ authFiles: [codex('a')] });
    rig.simulator.fault({ kind: 'http', match: { path: '/v0/management/auth-files' }, respond: { status: 500 } });
    const { run, results, logs } = await rig.run();
    expect(run).toMatchObject({ status: 'failed', totalFiles: 0 });
    expect(run.error).toContain('500');
    expect(results).toEqual([]);
    expect(logs.map(({ message }) => message.split('message_')[1])).toEqual([
      'run_started',
      'auth_files_failed',
      'lifecycle_finalized',
    ]);
  });
});

describe('storing', () => {
  const trigger = (condition: string) =>
    `CREATE TRIGGER refuse BEFORE INSERT ON inspection_results
     WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`;

  test('failed results are stored in the second pass', async () => {
    await start({ authFiles: [codex('a'), codex('b')] });
    rig.inspection.db.run(
      trigger("NOT EXISTS (SELECT 1 FROM inspection_logs WHERE message LIKE '%result_write_failed')"),
    );
    const detail = await rig.run();
    expect(detail.run.status).toBe('completed');
    expect(detail.run.error).toBeUndefined();
    expect(detail.results).toHaveLength(2);
    const failed = detail.logs.filter(({ message }) => message.endsWith('result_write_failed'));
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]?.detail).toMatchObject({ fileName: 'a.json', retryScheduled: true });
    expect(JSON.stringify(failed)).not.toContain('refused by the test');
    expect(rig.evidence).toHaveLength(2);
  });

  test('results that can never be stored are counted, and block nothing else', async () => {
    await start({ authFiles: [codex('a'), codex('b'), codex('c')] });
    rig.inspection.db.run(trigger("NEW.file_name = 'b.json'"));
    const detail = await rig.run();
    expect(detail.run).toMatchObject({ status: 'completed', error: '1 result could not be stored' });
    expect(detail.results.map(({ fileName }) => fileName)).toEqual(['a.json', 'c.json']);
    expect(detail.logs.at(-1)).toMatchObject({ level: 'warning', detail: { resultWriteFailedCount: 1 } });
  });

  test('each stored Codex result reports its quota windows once, also after a failure', async () => {
    await start({
      authFiles: [codex('a'), codex('b', { state: 'unrecognised' }), ...makeAccountFiles({ xai: 1 })],
    });
    rig.failingEvidence = 1;
    const { run, results } = await rig.run({ targetTypes: ['codex', 'xai'] });
    expect(run.error).toBeUndefined();
    expect(rig.evidence.map(({ observationId, inventoryMode }) => [observationId, inventoryMode])).toEqual([
      [`run:${run.id}:result:${results[0]?.id}`, 'complete'],
    ]);
    rig.failingEvidence = 10;
    expect((await rig.run()).run.error).toBe('1 result could not be stored');
  });
});

test('the log covers a run from start to end, without secrets', async () => {
  await start({ authFiles: [codex('a'), ...makeAccountFiles({ xai: 1 })] });
  const detail = await rig.run({ targetTypes: ['codex', 'xai'], workers: 1 });
  expect(messagesOf(detail)).toEqual([
    'run_started',
    'set_ready',
    'probe_completed',
    'xai_inspection_log_server_complete',
    'completed',
  ]);
  expect(detail.logs[1]?.detail).toEqual({
    targetTypes: ['codex', 'xai'],
    totalFiles: 2,
    probeSetCount: 2,
    sampledCount: 2,
  });
  expect(detail.logs[3]?.detail).toMatchObject({ inspectionMode: 'billing', healthEvidence: 'billing_healthy' });
});
