import { describe, expect, test } from 'bun:test';
import type { ConfigResponse } from '@manager/core/contract/settings/config';
import {
  collectorWarnings,
  connectionChanges,
  dirtyTabs,
  formOf,
  pollingAdvice,
  toConfigRequest,
} from './settings-form.ts';

const INSPECTION: ConfigResponse['config']['codexInspection'] = {
  schedule: { mode: 'interval' },
  targetTypes: ['codex'],
  targetType: 'codex',
  workers: 4,
  deleteWorkers: 4,
  timeout: 15_000,
  userAgent: 'agent/1.0',
  xaiInferenceModel: 'model-1',
  xaiInferencePrompt: 'Reply.',
  xaiInferenceUserAgent: 'agent/1.0',
  usedPercentThreshold: 100,
  autoActionMode: 'none',
};

const stored: ConfigResponse = {
  source: 'db',
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
    codexInspection: INSPECTION,
    externalUsageService: { enabled: false },
  },
};
const saved = formOf(stored);

describe('the settings form', () => {
  test('a blank key is never sent', () => {
    const body = toConfigRequest({ ...saved, batchSize: 50 }, saved, stored);
    expect(body.config.cpaConnection).toEqual({ cpaBaseUrl: 'http://gateway:8317' });
    expect(body.config.collector).toMatchObject({ batchSize: 50, pollIntervalMs: 500 });
  });

  test('a typed key is sent without spaces', () => {
    const body = toConfigRequest({ ...saved, managementKey: ' new ' }, saved, stored);
    expect(body.config.cpaConnection).toEqual({ cpaBaseUrl: 'http://gateway:8317', managementKey: 'new' });
  });

  test('fields that were not touched take what the server holds by now', () => {
    const newer: ConfigResponse = {
      ...stored,
      config: {
        ...stored.config,
        collector: { ...stored.config.collector, queue: 'other', pollIntervalMs: 900, tlsSkipVerify: true },
      },
    };
    const body = toConfigRequest({ ...saved, pollIntervalMs: 700 }, saved, newer);
    expect(body.config.collector).toMatchObject({ queue: 'other', pollIntervalMs: 700, tlsSkipVerify: true });
    expect(body.config.codexInspection).toMatchObject({
      targetTypes: ['codex'],
      workers: 4,
      xaiInferenceModel: 'model-1',
    });
  });

  test('only another address or a key asks for confirmation', () => {
    expect(connectionChanges({ ...saved, url: 'http://gateway:8317/' }, saved)).toBe(false);
    expect(dirtyTabs({ ...saved, url: 'http://gateway:8317/' }, saved)).toEqual([]);
    expect(connectionChanges({ ...saved, url: 'http://other:8317' }, saved)).toBe(true);
    expect(connectionChanges({ ...saved, managementKey: 'x' }, saved)).toBe(true);
    expect(dirtyTabs({ ...saved, enabled: false, managementKey: 'x' }, saved)).toEqual(['connection', 'collector']);
    expect(dirtyTabs({ ...saved, inspection: { ...saved.inspection, retries: 1 } }, saved)).toEqual(['inspection']);
  });

  test.each([
    ['http', 'http', 'settings.pollingAdvice'],
    ['resp', 'resp', 'settings.pollingAdvice'],
    ['http', undefined, 'settings.pollingAdvice'],
    ['auto', 'http', 'settings.pollingAddress'],
    ['auto', 'resp', 'settings.pollingAddress'],
    ['auto', 'subscribe', null],
    ['auto', undefined, null],
    ['subscribe', 'subscribe', null],
  ] as const)('advises mode %s that collects over %s: %p', (mode, transport, advice) => {
    expect(pollingAdvice({ ...saved, mode }, transport)).toBe(advice);
    expect(pollingAdvice({ ...saved, mode, enabled: false }, transport)).toBeNull();
    expect(pollingAdvice({ ...saved, mode, url: 'https://gw.example.com' }, transport)).toBeNull();
  });

  test('warns of intervals above retention and of RESP through a proxy', () => {
    expect(collectorWarnings({ ...saved, pollIntervalMs: 61_000 }, 60)).toEqual(['note.pollText']);
    expect(collectorWarnings({ ...saved, mode: 'resp', url: 'https://gw.example.com' }, 60)).toEqual([
      'settings.respWarning',
    ]);
    expect(collectorWarnings({ ...saved, mode: 'resp' }, undefined)).toEqual([]);
  });
});
