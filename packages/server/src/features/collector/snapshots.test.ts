import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { eventWith, type Simulator, startSimulator } from '@manager/simulator';
import { openDatabase } from '../../sqlite/open.ts';
import { type CollectorProcess, type Files, startProcess, temporaryFiles } from './testing.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

let simulator: Simulator;
let files: Files;
let process: CollectorProcess;

beforeEach(async () => {
  simulator = await startSimulator({
    authFiles: [{ name: 'one.json', type: 'codex', email: 'one@example.test', authIndex: '1111111111111111' }],
  });
  files = temporaryFiles();
  process = await startProcess({
    files,
    connection: { baseUrl: simulator.url, managementKey: 'sim-management-key' },
    mode: 'subscribe',
  });
});

afterEach(async () => {
  await process.end();
  await simulator.stop();
  files.remove();
});

function accounts(): string[] {
  const db = openDatabase(files.databasePath, { readonly: true });
  try {
    return db
      .query<{ text: string | null }, []>(
        `SELECT symbols.text
         FROM facts_tail
         LEFT JOIN symbols ON symbols.id = facts_tail.account_snapshot
         ORDER BY facts_tail.event_id`,
      )
      .all()
      .map((row) => row.text ?? '');
  } finally {
    db.close();
  }
}

async function publish(authIndex: string, requestId: string): Promise<void> {
  await simulator.publish(eventWith({ auth_index: authIndex, request_id: requestId }));
}

test('the first event already has the name of its account', async () => {
  await publish('1111111111111111', '00000001');
  await process.start();
  await until(() => process.status().totalInserted === 1, 'stored');
  expect(accounts()).toEqual(['one@example.test']);
});

test('after a refresh message, events have the names of new accounts', async () => {
  await process.start();
  await publish('1111111111111111', '00000001');
  await until(() => process.status().totalInserted === 1, 'stored');
  simulator.addAuthFile({ name: 'two.json', type: 'codex', email: 'two@example.test', authIndex: '2222222222222222' });
  const before = simulator.requests({ path: '/v0/management/auth-files' }).length;
  await simulator.refresh();
  await until(() => simulator.requests({ path: '/v0/management/auth-files' }).length > before, 'fetched');
  await publish('2222222222222222', '00000002');
  await until(() => process.status().totalInserted === 2, 'stored');
  expect(accounts()).toEqual(['one@example.test', 'two@example.test']);
});

test('without a list, events are stored without names', async () => {
  simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  await publish('1111111111111111', '00000001');
  await process.start();
  await until(() => process.status().totalInserted === 1, 'stored');
  expect(accounts()).toEqual(['']);
});
