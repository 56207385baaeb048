import { describe, expect, test } from 'bun:test';
import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { InfoResponse } from '@manager/core/contract/system/info';
import type { StatusResponse } from '@manager/core/contract/system/status';
import { ApiError } from '../../platform/api/errors.ts';
import type { GatewayAnswer } from '../../platform/api/manager.ts';
import { healthy, NOW, withCollector } from '../../platform/testing/healthy-status.ts';
import { problemsOf, runChecks, verdictOf } from './doctor-checks.ts';
import type { DoctorFacts, Probe } from './doctor-facts.ts';

const known = <T>(value: T): Probe<T> => ({ kind: 'known', value });
const failed = (error: unknown): Probe<never> => ({ kind: 'failed', error });
const pending: Probe<never> = { kind: 'pending' };

const info: InfoResponse = {
  service: 'cpa-manager-plus',
  mode: 'embedded',
  startedAt: NOW,
  configured: true,
  projectInitialized: true,
  adminReady: true,
  setupRequired: false,
  dataKeyReady: true,
  hasHistoricalData: false,
  version: '0.4.0',
};
const answer: GatewayAnswer = { version: '7.2.140', commit: '', buildDate: '', usageStatistics: true, settings: [] };
const usage = { usageStatisticsEnabled: true, redisUsageQueueRetentionSeconds: 60, retentionSourceDefault: false };
const config = {
  config: {
    cpaConnection: { cpaBaseUrl: 'http://gateway:8317', managementKeyConfigured: true },
    collector: {
      enabled: true,
      collectorMode: 'auto',
      queue: 'usage',
      popSide: 'right',
      batchSize: 100,
      pollIntervalMs: 500,
      queryLimit: 50_000,
    },
    externalUsageService: { enabled: false },
  },
  source: 'db',
  cpaUsage: usage,
} as ConfigResponse;
const withFiles = (database: Partial<NonNullable<StatusResponse['database']>>): StatusResponse => ({
  ...healthy,
  database: {
    databaseBytes: 1,
    walBytes: 1,
    shmBytes: 1,
    totalBytes: 3,
    journalSizeLimitBytes: 1,
    checkpoint: {
      mode: 'passive',
      busy: 0,
      logFrames: 0,
      checkpointedFrames: 0,
      executedAtMs: NOW,
      durationMs: 1,
    },
    ...database,
  },
});

const facts: DoctorFacts = {
  managed: true,
  health: known({ ok: true, service: 'cpa-manager-plus' }),
  info: known(info),
  gateway: known(answer),
  config: known(config),
  status: known(withFiles({})),
  movement: 'flowing',
  panelVersion: '0.4.0',
  skewMs: 0,
  nowMs: NOW,
};

test('of a gateway alone only its own answers are checked, and nothing links to missing settings', () => {
  const alone = { managed: false, health: pending, info: pending, config: pending, status: pending };
  const ids = all(alone).map(({ id }) => id);
  expect(ids).toEqual(['upstream', 'upstreamVersion', 'clock']);
  expect(all(alone).map(({ finding }) => finding.tone)).toEqual(['ok', 'ok', 'ok']);
  const down = check('upstream', { ...alone, gateway: failed(new Error('down')) });
  expect(down.tone).toBe('bad');
  expect(down.action).toBeUndefined();
});

const all = (change: Partial<DoctorFacts>) => runChecks({ ...facts, ...change }).flatMap((group) => group.results);
function check(id: string, change: Partial<DoctorFacts>) {
  const found = all(change).find((result) => result.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found.finding;
}
const status = (change: Partial<StatusResponse>) => known({ ...withFiles({}), ...change });
const collector = (change: Parameters<typeof withCollector>[0]) => known(withCollector(change));
const apiError = (code: string, message: string) =>
  new ApiError('status', message, { path: 'v0/management/config', atMs: NOW, status: 502, code });

describe('the doctor', () => {
  test('finds nothing where all is well', () => {
    expect(all({}).filter((result) => result.finding.tone !== 'ok')).toEqual([]);
    expect(verdictOf(runChecks(facts))).toMatchObject({ tone: 'ok', problems: 0, warnings: 0, first: null });
  });

  test('waits for every answer', () => {
    const none = { health: pending, info: pending, upstream: pending, config: pending, status: pending } as const;
    const tones = new Set(all(none).map((result) => result.finding.tone));
    expect([...tones].sort()).toEqual(['ok', 'wait']);
    expect(verdictOf(runChecks({ ...facts, ...none })).tone).toBe('wait');
  });

  test('reports what it could not check, and why', () => {
    const error = new ApiError('timeout', 'timeout', { path: 'status', atMs: NOW });
    expect(check('collector', { status: failed(error) })).toMatchObject({ tone: 'unknown', error });
    expect(check('statistics', { gateway: failed(error) })).toMatchObject({
      tone: 'unknown',
      text: 'doctor.needsUpstream',
    });
  });

  test('starts with the first problem on the way of an event', () => {
    const verdict = verdictOf(
      runChecks({
        ...facts,
        gateway: known({ ...answer, version: '7.0.7', usageStatistics: false }),
        status: collector({ lastConsumedAt: 0 }),
      }),
    );
    expect(verdict).toMatchObject({ tone: 'bad', first: { id: 'statistics' } });
    const low = runChecks({ ...facts, gateway: known({ ...answer, version: '7.0.7' }) });
    expect(verdictOf(low)).toMatchObject({ tone: 'warn', warnings: 1, first: { id: 'upstreamVersion' } });
  });
});

test('where rows are missing, the first three problems are shown', () => {
  expect(problemsOf(runChecks(facts))).toEqual([]);
  const gateway = known({ ...answer, version: '7.0.7', usageStatistics: false });
  const many = runChecks({ ...facts, gateway, skewMs: 500_000, movement: 'stuck' });
  expect(problemsOf(many).map((result) => result.id)).toEqual(['statistics', 'writing', 'upstreamVersion']);
});

describe('the manager', () => {
  test.each([
    ['manager', { health: failed(new Error('x')) }, 'bad', 'doctor.managerDown'],
    ['setup', { info: known({ ...info, configured: false }) }, 'bad', 'doctor.notSetUp'],
    ['setup', { info: known({ ...info, dataKeyReady: false }) }, 'bad', 'doctor.keyLost'],
    ['versions', { panelVersion: '0.3.0' }, 'warn', 'doctor.versionsDiffer'],
    ['versions', { panelVersion: '0.5.0' }, 'warn', 'doctor.versionsDiffer'],
    ['versions', { panelVersion: '0.5.0-dev' }, 'ok', 'doctor.versionsFit'],
  ] as const)('%s: %j is %s', (id, change, tone, text) => {
    expect(check(id, change)).toMatchObject({ tone, text });
  });

  test('an old panel is reloaded, which does not fix an old manager', () => {
    expect(check('versions', { panelVersion: '0.3.0' })).toMatchObject({ action: { kind: 'reload' } });
    expect(check('versions', { panelVersion: '0.5.0' }).action).toBeUndefined();
  });
});

const REFUSED = { tries: 1, lastAtMs: NOW, nextTryAtMs: NOW };

describe('the upstream', () => {
  const refused = { reason: 'key_rejected', tries: 3, lastAtMs: NOW, nextTryAtMs: NOW + 10_000_000 } as const;

  test.each([
    [apiError('usage_service_not_configured', ''), 'doctor.noUpstream'],
    [apiError('upstream_loop_detected', ''), 'doctor.loop'],
    [apiError('request_failed', 'the gateway rejected the saved management key'), 'doctor.keyRefused'],
    [apiError('request_failed', 'the gateway cannot be reached (ConnectionRefused)'), 'doctor.upstreamDown'],
    [new ApiError('timeout', 'timeout', { path: 'x', atMs: NOW }), 'doctor.upstreamDown'],
    [apiError('gateway_certificate_expired', 'the certificate has expired'), 'doctor.upstreamUnusable'],
  ] as const)('that answers %p is told as %p', (error, text) => {
    expect(check('upstream', { gateway: failed(error) })).toMatchObject({ tone: 'bad', text });
  });

  test('whose key is refused leads to the field for the key', () => {
    const error = apiError('request_failed', 'not asked');
    const found = check('upstream', {
      gateway: failed(error),
      status: collector({ keyRefused: refused, lastError: 'auth: invalid management key' }),
    });
    expect(found).toMatchObject({
      text: 'doctor.keyRefused',
      detail: 'auth: invalid management key',
      action: { kind: 'link', to: '/settings' },
    });
  });

  test.each([
    ['address_banned', 'note.bannedFact', 'note.bannedText'],
    ['remote_disabled', 'note.remoteFact', 'note.remoteText'],
    ['key_not_set', 'note.keyNotSetFact', 'note.keyNotSetText'],
  ] as const)('that refuses for another reason (%s) is not asked to take another key', (reason, text, fix) => {
    const status = collector({ keyRefused: { ...REFUSED, reason } });
    expect(check('upstream', { gateway: failed(apiError('request_failed', 'not asked')), status })).toMatchObject({
      tone: 'bad',
      text,
      fix,
      times: { next: NOW },
    });
  });

  test.each([
    ['7.2.140', 'ok', 'doctor.versionGood'],
    ['v7.1.39', 'ok', 'doctor.versionGood'],
    ['7.1.17', 'warn', 'doctor.versionLow'],
    ['6.9.38', 'warn', 'doctor.versionOld'],
    ['', 'unknown', 'doctor.versionUnknown'],
  ] as const)('version %p: %s', (version, tone, text) => {
    expect(check('upstreamVersion', { gateway: known({ ...answer, version }) })).toMatchObject({ tone, text });
  });

  test.each([
    [true, 'ok', undefined],
    [false, 'bad', { kind: 'statistics' }],
    [null, 'unknown', undefined],
  ] as const)('statistics %p: %s', (usageStatistics, tone, action) => {
    const found = check('statistics', { gateway: known({ ...answer, usageStatistics }) });
    expect([found.tone, found.action]).toEqual([tone, action]);
  });

  test.each([
    [{ pollIntervalMs: 60_000 }, usage, 'ok', 'doctor.retentionFits'],
    [{ pollIntervalMs: 500 }, { ...usage, retentionSourceDefault: true }, 'ok', 'doctor.retentionAssumed'],
    [{ pollIntervalMs: 60_001 }, usage, 'bad', 'doctor.retentionShort'],
    [{ enabled: false }, usage, 'off', 'doctor.retentionOff'],
    [{}, undefined, 'unknown', 'doctor.needsUpstream'],
  ] as const)('%j with %j: %s', (change, cpaUsage, tone, text) => {
    const { cpaUsage: _, ...rest } = config;
    const changed = {
      ...rest,
      config: { ...config.config, collector: { ...config.config.collector, ...change } },
      ...(cpaUsage === undefined ? {} : { cpaUsage }),
    };
    expect(check('retention', { config: known(changed) })).toMatchObject({ tone, text });
  });
});

describe('collection', () => {
  test.each([
    [{ collector: 'stopped' }, 'warn', 'doctor.collectorOff'],
    [{ collector: 'starting' }, 'wait', 'doctor.collectorStarting'],
    [{ collector: 'error', lastError: "auth: unsupported RESP prefix 'H'" }, 'bad', 'doctor.respPrefix'],
    [{ collector: 'error', lastError: 'consume: disk full' }, 'bad', 'doctor.collectorWrites'],
    [{ collector: 'running', lastError: 'http: 500' }, 'bad', 'doctor.collectorError'],
    [{ keyRefused: { ...REFUSED, reason: 'key_rejected' } }, 'bad', 'doctor.collectorRefused'],
    [{ keyRefused: { ...REFUSED, reason: 'address_banned' } }, 'bad', 'note.bannedFact'],
    [{ keyRefused: { ...REFUSED, reason: 'remote_disabled' } }, 'bad', 'note.remoteFact'],
    [{ keyRefused: { ...REFUSED, reason: 'key_not_set' } }, 'bad', 'note.keyNotSetFact'],
    [{}, 'ok', 'doctor.collectorRuns'],
  ] as const)('collector %j: %s', (change, tone, text) => {
    expect(check('collector', { status: collector(change) })).toMatchObject({ tone, text });
  });

  test('before the setup the collector is not simply off', () => {
    const unset = known({ ...withCollector({ collector: 'stopped' }), configured: false });
    expect(check('collector', { status: unset })).toMatchObject({ tone: 'off', text: 'doctor.collectorUnset' });
  });

  test('nothing received is a problem where the statistics are off, else a warning', () => {
    const none = known({ ...withCollector({ lastConsumedAt: 0 }), lastConsumedAt: null });
    expect(check('consumption', { status: none })).toMatchObject({ tone: 'warn', fix: 'doctor.nothingConsumedFix' });
    const gateway = known({ ...answer, usageStatistics: false });
    expect(check('consumption', { status: none, gateway })).toMatchObject({
      tone: 'bad',
      fix: 'doctor.statisticsFix',
    });
    expect(check('consumption', { nowMs: NOW + 5_000 })).toMatchObject({ tone: 'ok', spans: { span: 5_000 } });
    // A confirmed subscription is not an event.
    const counted = { totalInserted: 0, totalSkipped: 0, deadLetters: 0 };
    const begun = known({ ...withCollector(counted), lastConsumedAt: NOW, lastInsertedAt: null });
    expect(check('consumption', { status: begun })).toMatchObject({ tone: 'unknown', text: 'doctor.noEventYet' });
    expect(check('consumption', { status: begun, gateway })).toMatchObject({
      tone: 'bad',
      fix: 'doctor.statisticsFix',
    });
  });

  test.each([
    ['watching', 'wait'],
    ['idle', 'ok'],
    ['flowing', 'ok'],
    ['stuck', 'bad'],
  ] as const)('events that are %s: %s', (movement, tone) => {
    expect(check('writing', { movement }).tone).toBe(tone);
  });

  test('a database that cannot be written is known without looking twice', () => {
    const broken = collector({ lastError: 'consume: disk full', spooledRecords: 12 });
    expect(check('writing', { status: broken, movement: 'watching' })).toMatchObject({
      tone: 'bad',
      text: 'doctor.writingFails',
      counts: { records: 12 },
    });
  });

  test.each([
    [{ starved: true, starvedReason: 'publishing_off' }, '7.2.140', 'bad', 'doctor.starvedOff'],
    [{ starved: true, starvedReason: 'no_events' }, '7.2.140', 'bad', 'doctor.starvedNone'],
    [{ starved: true, starvedReason: 'partial' }, '7.2.140', 'bad', 'doctor.starvedPartial'],
    [{ starved: true }, '7.2.140', 'bad', 'doctor.starvedNone'],
    [{}, '6.9.38', 'off', 'doctor.noCounters'],
    [{}, '6.9.49', 'ok', 'doctor.complete'],
  ] as const)('completeness %j of %s: %s', (change, version, tone, text) => {
    const gateway = known({ ...answer, version });
    expect(check('completeness', { status: collector(change), gateway })).toMatchObject({ tone, text });
  });

  test('publishing that is off can be turned on there', () => {
    const status = collector({ starved: true, starvedReason: 'publishing_off' });
    expect(check('completeness', { status }).action).toEqual({ kind: 'statistics' });
  });

  test.each([
    [{ mode: 'http', transport: 'http' }, '7.2.140', 'doctor.pollingFix'],
    [{ mode: 'resp', transport: 'resp' }, '7.0.7', 'doctor.pollingFix'],
    [{ mode: 'auto', transport: 'http' }, '7.2.140', 'doctor.pollingAddressFix'],
    [{ mode: 'http', transport: 'http' }, '7.0.6', undefined],
    [{ mode: 'auto', transport: 'subscribe' }, '7.2.140', undefined],
    [{ mode: 'subscribe', transport: 'subscribe' }, '7.2.140', undefined],
  ] as const)('collection as %j of %s advises %p', (change, version, fix) => {
    const gateway = known({ ...answer, version });
    const found = check('collector', { status: collector(change), gateway });
    expect(found.tone).toBe('ok');
    expect(found.fix).toBe(fix as never);
  });

  test('gaps of the last day and open ones are shown with a solution', () => {
    const gap = { fromMs: NOW - 5_000, toMs: NOW - 1_000, kind: 'dropped', estimatedLost: null } as const;
    const gaps = (last: typeof gap | { readonly toMs: null }, open: 'dropped'[] = []) =>
      collector({ gaps: { count: 3, open, last: { ...gap, ...last } } });
    expect(check('gaps', { status: gaps(gap) })).toMatchObject({
      tone: 'warn',
      text: 'doctor.gapRecent',
      fix: 'gapFix.dropped',
    });
    expect(check('gaps', { status: gaps({ toMs: null }, ['dropped']) }).text).toBe('doctor.gapOpen');
    expect(check('gaps', { status: gaps(gap), nowMs: NOW + 90_000_000 })).toMatchObject({
      tone: 'ok',
      counts: { count: 3 },
    });
    expect(check('gaps', {}).text).toBe('doctor.noGaps');
  });

  test('stored events lead to a range in which they are seen', () => {
    expect(check('visible', {})).toMatchObject({
      tone: 'ok',
      action: { to: '/monitoring', search: { range: ['1h'] } },
    });
    expect(check('visible', { status: status({ events: 0, eventCount: 0 }) }).tone).toBe('unknown');
  });
});

describe('storage', () => {
  const migration = (change: Partial<StatusResponse['dataMigration']>) =>
    status({ dataMigration: { ...healthy.dataMigration, ...change } });

  test.each([
    [{ status: 'running', targetEventId: 10, lastEventId: 4 }, 'wait', 'doctor.migrating'],
    [{ status: 'pending', targetEventId: 0 }, 'wait', 'doctor.migrationStarts'],
    [{ status: 'failed', targetEventId: 10 }, 'bad', 'doctor.migrationFailed'],
    [{ status: 'completed' }, 'ok', 'doctor.migrated'],
  ] as const)('migration %j: %s', (change, tone, text) => {
    expect(check('migration', { status: migration(change) })).toMatchObject({ tone, text });
  });

  test('maintenance names its command', () => {
    const needed = { required: true, performanceDegraded: true, deferredIndexes: 2, offlineJobs: 1 };
    const found = check('maintenance', { status: status({ databaseMaintenance: { ...needed, reasons: [] } }) });
    expect(found).toMatchObject({ tone: 'warn', fix: 'doctor.maintenanceFix', counts: { indexes: 2, jobs: 1 } });
  });

  test('problems of the database, and dead letters', () => {
    expect(check('database', { status: known(healthy) }).text).toBe('doctor.filesUnknown');
    const sealing = { error: 'disk full', sinceMs: NOW, tries: 1, nextTryAtMs: NOW };
    expect(check('database', { status: known(withFiles({ sealing })) })).toMatchObject({
      tone: 'warn',
      detail: 'disk full',
    });
    expect(check('records', { status: status({ deadLetters: 3 }) }).fix).toBe('doctor.deadFix');
    expect(check('records', { status: status({ implausibleTimestamps: 3 }) }).fix).toBe('doctor.implausibleFix');
  });
});

test('the clock of the gateway', () => {
  expect(check('gatewayClock', { status: status({}) }).tone).toBe('ok');
  const differs = (ms: number) => check('gatewayClock', { status: status({ gatewayClockAheadMs: ms }) });
  const spans = { difference: 200_000 };
  expect(differs(200_000)).toMatchObject({ tone: 'warn', text: 'doctor.managerClockBehind', spans });
  expect(differs(-200_000)).toMatchObject({ tone: 'warn', text: 'doctor.managerClockAhead', spans });
});

test('the clock', () => {
  expect(check('clock', { skewMs: -120_000 }).tone).toBe('ok');
  expect(check('clock', { skewMs: -121_000 })).toMatchObject({ tone: 'warn', spans: { difference: 121_000 } });
});
