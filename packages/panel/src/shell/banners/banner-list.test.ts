import { describe, expect, test } from 'bun:test';
import type { ArchiveRun } from '@manager/core/contract/archives/runs';
import type { BudgetState } from '@manager/core/contract/budgets';
import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { InfoResponse } from '@manager/core/contract/system/info';
import { healthy, NOW, withCollector } from '../../platform/testing/healthy-status.ts';
import { unpricedBanner } from '../../ui/feedback/banner.ts';
import { dismissed, readDismissals } from '../../ui/feedback/dismissed.ts';
import { type BannerFacts, bannersOf, foldBanners } from './banner-list.ts';

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
const collector: ConfigResponse['config']['collector'] = {
  enabled: true,
  collectorMode: 'auto',
  queue: 'usage',
  popSide: 'right',
  batchSize: 100,
  pollIntervalMs: 500,
  queryLimit: 50_000,
};
const config = {
  config: {
    cpaConnection: { cpaBaseUrl: 'http://gateway:8317', managementKeyConfigured: true },
    collector,
    externalUsageService: { enabled: false },
  },
  source: 'db',
} as ConfigResponse;
const failedRun = {
  id: 'a'.repeat(32),
  mode: 'manual',
  status: 'failed',
  deleted_event_count: 40,
  archived_event_count: 100,
  delete_started_at_ms: NOW,
} as ArchiveRun;

const facts: BannerFacts = {
  panelVersion: '0.4.0',
  info,
  status: healthy,
  config,
  gatewayMisses: 0,
  failedRuns: [],
  passedBudgets: [],
  skewMs: 0,
  insecure: false,
  nowMs: NOW,
};
const budget = { scope: 'all', name: '', usd: 10, fromMs: NOW, usedUsd: 12, passed: true } as BudgetState;
const kinds = (change: Partial<BannerFacts>) => bannersOf({ ...facts, ...change }).map((banner) => banner.kind);

describe('banners', () => {
  test('none while all is well, or nothing is known', () => {
    expect(kinds({})).toEqual([]);
    expect(kinds({ info: undefined, status: undefined, config: undefined })).toEqual([]);
  });

  test.each([
    ['0.3.9', '0.4.0', 'note.versionPanelOld'],
    ['0.4.0', 'v0.3.12', 'note.versionManagerOld'],
    ['0.10.0', '0.9.9', 'note.versionManagerOld'],
  ] as const)('panel %p and manager %p: which one is to be replaced', (panelVersion, version, text) => {
    const [banner] = bannersOf({ ...facts, panelVersion, info: { ...info, version } });
    expect(banner).toMatchObject({ kind: 'version', text });
    expect(banner?.dismiss).toBeUndefined();
  });

  test('development builds are not compared, and a manager without a version is older', () => {
    expect(kinds({ info: { ...info, version: '0.5.0-dev' } })).toEqual([]);
    expect(kinds({ info: { ...info, version: '' } })).toEqual([]);
    const { version: _, ...old } = info;
    const [banner] = bannersOf({ ...facts, info: old as InfoResponse });
    expect(banner).toMatchObject({ text: 'note.versionManagerOld', words: { server: '–' } });
  });

  test('the gateway is unreachable after two failed reads, and the collector does not repeat it', () => {
    const status = withCollector({ collector: 'error', lastError: 'connect: refused' });
    expect(kinds({ status, gatewayMisses: 1 })).toEqual(['collectorError:connect']);
    expect(kinds({ status, gatewayMisses: 2 })).toEqual(['unreachable']);
    expect(bannersOf({ ...facts, status, gatewayMisses: 2 })[0]).toMatchObject({ detail: 'connect: refused' });
    const writing = withCollector({ collector: 'error', lastError: 'consume: disk full' });
    expect(kinds({ status: writing, gatewayMisses: 2 })).toEqual(['unreachable', 'collectorError:write']);
  });

  test('a gateway that is away is one banner, with the gap it causes', () => {
    const gap = { kind: 'away', fromMs: NOW - 60_000, toMs: null, estimatedLost: null } as const;
    const gaps = { count: 1, open: ['away' as const], last: gap };
    const away = withCollector({ collector: 'error', lastError: 'connect: refused', gaps });
    for (const gatewayMisses of [0, 2]) {
      const banners = bannersOf({ ...facts, status: away, gatewayMisses });
      expect(banners).toHaveLength(1);
      expect(banners[0]).toMatchObject({ also: ['note.gapMeanwhile'], times: { from: gap.fromMs } });
      expect(banners[0]?.dismiss).toBeUndefined();
    }
    const before = { ...gaps, open: [], last: { ...gap, toMs: NOW - 30_000 } };
    expect(kinds({ status: withCollector({ collector: 'error', lastError: 'connect: x', gaps: before }) })).toEqual([
      'collectorError:connect',
      `gap:${gap.fromMs}`,
    ]);
  });

  test('a refused key has its own banner, and without a connection nothing is unreachable', () => {
    const status = withCollector({
      keyRefused: { reason: 'key_rejected', tries: 3, lastAtMs: NOW, nextTryAtMs: NOW + 10_000_000 },
    });
    expect(kinds({ status, gatewayMisses: 5 })).toEqual(['keyRefused']);
    const none = { ...config.config, cpaConnection: { cpaBaseUrl: '', managementKeyConfigured: false } };
    expect(kinds({ config: { ...config, config: none }, gatewayMisses: 5 })).toEqual([]);
  });

  test('an archive run that failed during the deletion is shown until it is resumed', () => {
    expect(bannersOf({ ...facts, failedRuns: [failedRun] })[0]).toMatchObject({
      kind: 'archiveDeletion',
      counts: { done: 40, all: 100 },
      to: '/usage-maintenance',
    });
    const { delete_started_at_ms: _, ...before } = failedRun;
    expect(kinds({ failedRuns: [before] })).toEqual([]);
  });

  test('the clock and the connection of this browser', () => {
    expect(kinds({ skewMs: 120_000 })).toEqual([]);
    expect(kinds({ skewMs: -121_000, insecure: true })).toEqual(['skew', 'insecure']);
  });

  test('have a fixed order, whatever found them', () => {
    const status = {
      ...withCollector({ collector: 'error', lastError: 'http: 500', spooledRecords: 4 }),
      deadLetters: 2,
    };
    const all = kinds({ status, info: { ...info, version: '0.5.0' }, insecure: true, failedRuns: [failedRun] });
    expect(all).toEqual(['version', 'collectorError:other', 'spool', 'archiveDeletion', 'deadLetters', 'insecure']);
  });
});

test('requests without a price lead to the models that lack one', () => {
  expect(unpricedBanner(0)).toBeNull();
  expect(unpricedBanner(7)).toMatchObject({
    counts: { requests: 7 },
    to: '/model-prices',
    search: { filter: ['missing'] },
    dismiss: 'day',
  });
});

describe('many banners', () => {
  test('fold to three, but errors are always shown', () => {
    const status = {
      ...withCollector({ collector: 'error', lastError: 'http: 500', spooledRecords: 4 }),
      deadLetters: 2,
    };
    const all = bannersOf({ ...facts, status, insecure: true, skewMs: 500_000, failedRuns: [failedRun] });
    const { first, folded } = foldBanners(all);
    expect(first.map((one) => one.kind)).toEqual(['collectorError:other', 'spool', 'archiveDeletion']);
    expect(folded.map((one) => one.kind)).toEqual(['deadLetters', 'skew', 'insecure']);
    expect(foldBanners(all.slice(0, 3)).folded).toEqual([]);
  });
});

describe('dismissing', () => {
  const note = { kind: 'poll', tone: 'warn', fact: 'note.pollFact', text: 'note.pollText' } as const;

  test('is for a day, or for ever, and what is over is forgotten', () => {
    const after = dismissed({ old: NOW - 1, other: NOW + 5 }, { ...note, dismiss: 'day' }, NOW);
    expect(after).toEqual({ other: NOW + 5, poll: NOW + 86_400_000 });
    expect(dismissed({}, { ...note, dismiss: 'ever' }, NOW).poll).toBeGreaterThan(NOW * 1000);
  });

  test('takes nothing from a store that somebody else filled', () => {
    expect(readDismissals({ a: 'x', b: 5, c: null })).toEqual({ b: 5 });
    expect(readDismissals([1])).toEqual({});
  });
});

describe('the banner of budgets', () => {
  const banner = (passedBudgets: readonly BudgetState[]) => bannersOf({ ...facts, passedBudgets });

  test('says how much of one is used, or how many are used up', () => {
    expect(banner([])).toEqual([]);
    expect(banner([budget])).toMatchObject([{ fact: 'note.budgetFact', words: { used: '$12.00', amount: '$10.00' } }]);
    const unpriced = banner([{ ...budget, unpricedCalls: 3 }]);
    expect(unpriced).toMatchObject([{ words: { used: '≥$12.00', amount: '$10.00' } }]);
    expect(banner([budget, budget])).toMatchObject([{ fact: 'note.budgetsFact', counts: { budgets: 2 } }]);
  });

  test('comes again when another one is used up, and in another month', () => {
    const next = { ...budget, fromMs: NOW + 1 };
    const ofModel = (name: string): BudgetState => ({ ...budget, scope: 'model', name });
    const [one, other] = [ofModel('model-a'), ofModel('model-b')];
    const kind = (...passed: readonly BudgetState[]) => banner(passed)[0]?.kind;
    expect(new Set([kind(budget), kind(budget, one), kind(budget, other), kind(one), kind(next)]).size).toBe(5);
    expect(kind(other, one)).toBe(kind(one, other));
  });
});
