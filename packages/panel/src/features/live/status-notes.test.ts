import { describe, expect, test } from 'bun:test';
import type { CollectorStatusResponse, StatusResponse } from '@manager/core/contract/status';
import { collectorState } from '../../app/collector-state.ts';
import { statusNotes, versionsDiffer } from './status-notes.ts';

const now = 1_770_000_000_000;
const healthy: StatusResponse = {
  service: 'cpa-manager-plus',
  version: '0.1.0',
  configured: true,
  dbPath: '/data/usage.sqlite',
  events: 1,
  eventCount: 1,
  deadLetters: 0,
  implausibleTimestamps: 0,
  lastConsumedAt: now,
  lastInsertedAt: now,
  collector: {
    collector: 'running',
    upstream: 'http://gateway:8317',
    mode: 'auto',
    transport: 'subscribe',
    queue: 'usage',
    lastConsumedAt: now,
    lastInsertedAt: now,
    totalInserted: 1,
    totalSkipped: 0,
    deadLetters: 0,
    totalRepaired: 0,
    lastError: '',
    starved: false,
    gaps: { count: 0, open: [] },
    spooledRecords: 0,
  },
  dataMigration: {
    name: 'usage_cache_accounting_v2',
    status: 'completed',
    lastEventId: 0,
    targetEventId: 0,
    processedRows: 0,
    changedRows: 0,
    appliedRows: 0,
    updatedAtMs: now,
  },
  databaseMaintenance: { required: false, performanceDegraded: false, deferredIndexes: 0, offlineJobs: 0, reasons: [] },
};
const withCollector = (change: Partial<CollectorStatusResponse>): StatusResponse => ({
  ...healthy,
  collector: { ...healthy.collector, ...change },
});
const kinds = (status: StatusResponse): string[] => statusNotes(status, undefined, now).map((note) => note.kind);

describe('notes about the collector', () => {
  test('none when all is well', () => {
    expect(kinds(healthy)).toEqual([]);
    expect(collectorState(healthy)).toMatchObject({ tone: 'ok', label: 'collector.running' });
  });

  test('a refused key says when the next try comes, and nothing else about the error', () => {
    const status = withCollector({
      collector: 'error',
      lastError: 'auth: invalid management key',
      keyRefused: { tries: 3, lastAtMs: now, nextTryAtMs: now + 10_800_000 },
    });
    const [note, ...others] = statusNotes(status, undefined, now);
    expect(others).toEqual([]);
    expect(note).toMatchObject({
      kind: 'keyRefused',
      to: '/settings',
      text: 'note.keyText',
      times: { next: now + 10_800_000 },
    });
    expect(collectorState(status).label).toBe('collector.keyRefused');
    const first = withCollector({ collector: 'error', keyRefused: { tries: 1, lastAtMs: now, nextTryAtMs: now } });
    expect(statusNotes(first, undefined, now)[0]?.text).toBe('note.keyTextSoon');
  });

  test.each([
    ["auth: unsupported RESP prefix 'H'", 'note.errorRespPrefix'],
    ['consume: database or disk is full', 'note.writeText'],
    ['connect: refused', 'note.connectText'],
    ['http: 500', 'note.errorText'],
  ] as const)('error %p is explained by %p', (lastError, text) => {
    expect(statusNotes(withCollector({ collector: 'error', lastError }), undefined, now)[0]?.text).toBe(text);
  });

  test('starving and idle are not the same', () => {
    expect(statusNotes(withCollector({ starved: true, starvedReason: 'partial' }), undefined, now)[0]?.text).toBe(
      'note.starvedPartial',
    );
    expect(collectorState(withCollector({ starved: true, starvedReason: 'partial' })).label).toBe('collector.partial');
    expect(kinds(withCollector({ lastConsumedAt: 0 }))).toEqual([]);
  });

  test('a gap of the last day or an open one is told, an old one is not', () => {
    const gap = { fromMs: now - 5000, toMs: now - 1000, kind: 'dropped', estimatedLost: 3 } as const;
    expect(kinds(withCollector({ gaps: { count: 1, open: [], last: gap } }))).toEqual([`gap:${now - 5000}`]);
    const old = { ...gap, fromMs: 1000, toMs: 2000 };
    expect(kinds(withCollector({ gaps: { count: 1, open: [], last: old } }))).toEqual([]);
    const open = { ...old, toMs: null };
    const notes = statusNotes(withCollector({ gaps: { count: 1, open: ['dropped'], last: open } }), undefined, now);
    expect(notes[0]).toMatchObject({ fact: 'note.gapOpenFact', dismissible: false });
  });

  test('the worst comes first', () => {
    const status = {
      ...withCollector({ collector: 'error', lastError: 'http: 500', spooledRecords: 4 }),
      deadLetters: 2,
    };
    expect(kinds(status)).toEqual(['collectorError', 'spool', 'deadLetters']);
  });

  test('nothing known is no claim', () => {
    expect(collectorState(undefined)).toEqual({ tone: 'unknown', label: 'collector.unknown', lastEventMs: null });
  });
});

test('only releases are compared', () => {
  expect(versionsDiffer('0.1.0', 'v0.1.0')).toBe(false);
  expect(versionsDiffer('0.1.0', '0.2.0')).toBe(true);
  expect(versionsDiffer('0.1.0', '0.2.0-dev')).toBe(false);
  expect(versionsDiffer('0.1.0', '')).toBe(false);
});
