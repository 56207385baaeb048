import { until } from '@manager/core/testing/until';
import { authFilesOf, backfillEvents, makeEvents, publishHistory, startDemoTraffic } from '@manager/simulator';
import { copyOf, databasesOf } from '../../bench/dataset/database.ts';
import { thisClone } from '../../bench/lib/builds.ts';
import { ManagerProcess } from '../../test/support/manager-process.ts';
import { savePrices } from '../../test/support/panel-calls/prices.ts';
import { readStatus } from '../../test/support/status.ts';
import { boundTo, startTestGateway } from '../../test/support/test-gateway.ts';
import { clientKeys, HISTORY_DAYS, HISTORY_END_MS, trafficAccounts } from '../../test/support/traffic.ts';
import { inspect, publishProblems, switchAutomationOn } from './automation.ts';
import { archiveRuns, importSessions } from './history.ts';
import { type CleanUp, createCleanUp, type Scene } from './scene.ts';
import { readValues } from './values.ts';

export const SCENE_NAMES = ['empty', 'little', 'large'] as const;
export type SceneName = (typeof SCENE_NAMES)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LITTLE_DAYS = 3;
/** Factor on the demo traffic: some hundred requests a day. */
const LITTLE_SCALE = 0.004;
const LITTLE_PROBLEMS = 4;
/** This many are written, the rest are copies: the writer would need many minutes for all. */
const LARGE_WRITTEN = 200_000;
const LARGE_TODAY = 4_000;
const LARGE_RATE = 1_000;
const LARGE_PROBLEMS = 40;
const PATIENCE_MS = 120_000;

/** Starts the scene; a failed start is cleaned up too. */
export async function startScene(name: SceneName, largeEvents: number): Promise<Scene> {
  const cleanUp = createCleanUp();
  try {
    if (name === 'empty') return await emptyScene(cleanUp);
    return name === 'little' ? await littleScene(cleanUp) : await largeScene(cleanUp, largeEvents);
  } catch (error) {
    await cleanUp.run();
    throw error;
  }
}

/** The temporary folder is removed with the manager, also when this process is terminated. */
async function startManager(cleanUp: CleanUp, env: Readonly<Record<string, string>>, dataDir?: string) {
  const manager = await ManagerProcess.start({ env, ...(dataDir === undefined ? {} : { dataDir }) });
  const killed = () => {
    if (manager.running) process.kill(manager.pid, 'SIGKILL');
  };
  process.on('exit', killed);
  cleanUp.later(async () => {
    await manager.stop();
    if (dataDir === undefined) await manager.remove();
    process.off('exit', killed);
  });
  return manager;
}

async function emptyScene(cleanUp: CleanUp): Promise<Scene> {
  const gateway = await startTestGateway({ authFiles: [], apiKeys: [] });
  cleanUp.later(() => gateway.stop());
  const manager = await startManager(cleanUp, boundTo(gateway));
  const unbound = await startManager(cleanUp, {});
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  return { manager, unboundUrl: unbound.url, values: { range: 'range=30d' }, end: cleanUp.run };
}

async function littleScene(cleanUp: CleanUp): Promise<Scene> {
  const nowMs = Date.now();
  const fromMs = nowMs - LITTLE_DAYS * DAY_MS;
  const gateway = await startTestGateway({ retentionSeconds: 3_600 });
  cleanUp.later(() => gateway.stop());
  // Only for its accounts: pictures need no traffic.
  startDemoTraffic(gateway, { now: Date.now, random: Math.random }).stop();
  const manager = await startManager(cleanUp, boundTo(gateway));
  await switchAutomationOn(manager);
  const events = [...backfillEvents({ fromMs, toMs: nowMs, scale: LITTLE_SCALE })];
  const history = publishHistory(gateway, events.values());
  await until(async () => (await readStatus(manager)).events >= events.length, undefined, PATIENCE_MS);
  history.stop();
  await publishProblems(gateway, LITTLE_PROBLEMS);
  await until(async () => (await readStatus(manager)).events >= events.length + LITTLE_PROBLEMS);
  const run = await inspect(manager, PATIENCE_MS);
  const importSession = await importSessions(manager);
  const archiveRun = await archiveRuns(manager, [fromMs + DAY_MS / 2, fromMs + DAY_MS]);
  const values = await readValues(manager, gateway, { fromMs, toMs: nowMs + HOUR_MS });
  return { manager, values: { ...values, importSession, archiveRun, inspectionRun: String(run.id) }, end: cleanUp.run };
}

async function largeDatabase(events: number) {
  const databases = databasesOf(thisClone());
  const written = await databases.events(Math.min(events, LARGE_WRITTEN));
  return events > LARGE_WRITTEN ? databases.copies(written, events) : written;
}

/**
 * A database like those of the bench, and a day of the same traffic before now, because the bench's history ends at a fixed time.
 */
async function largeScene(cleanUp: CleanUp, events: number): Promise<Scene> {
  const copy = copyOf(await largeDatabase(events));
  const remove = () => copy[Symbol.dispose]();
  cleanUp.later(remove);
  process.on('exit', remove);
  const accounts = trafficAccounts();
  const gateway = await startTestGateway({
    authFiles: authFilesOf(accounts, Date.now()),
    apiKeys: clientKeys(),
    retentionSeconds: 3_600,
  });
  cleanUp.later(() => gateway.stop());
  const manager = await startManager(cleanUp, boundTo(gateway), copy.folder);
  await switchAutomationOn(manager);
  await savePrices(manager);
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const before = (await readStatus(manager)).events;
  const nowMs = Date.now();
  let made = 0;
  const now = () => Math.floor(nowMs - DAY_MS + (DAY_MS * made++) / LARGE_TODAY);
  const today = makeEvents({ seed: 77, accounts, clientKeys: clientKeys(), now });
  await gateway.startTraffic({ rate: LARGE_RATE, total: LARGE_TODAY, events: today }).done;
  await publishProblems(gateway, LARGE_PROBLEMS);
  await until(
    async () => (await readStatus(manager)).events >= before + LARGE_TODAY + LARGE_PROBLEMS,
    undefined,
    PATIENCE_MS,
  );
  const run = await inspect(manager, 2 * PATIENCE_MS);
  const values = await readValues(manager, gateway, {
    fromMs: HISTORY_END_MS - HISTORY_DAYS * DAY_MS,
    toMs: HISTORY_END_MS,
  });
  return { manager, values: { ...values, inspectionRun: String(run.id) }, end: cleanUp.run };
}
