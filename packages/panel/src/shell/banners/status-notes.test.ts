import { describe, expect, test } from 'bun:test';
import type { StatusResponse } from '@manager/core/contract/system/status';
import { healthy, NOW as now, withCollector } from '../../platform/testing/healthy-status.ts';
import { collectorState } from '../../ui/collector/collector-state.ts';
import { statusNotes } from './status-notes.ts';

const kinds = (status: StatusResponse): string[] => statusNotes(status, undefined, now).map((note) => note.kind);

describe('notes about the collector', () => {
  test('none when all is well', () => {
    expect(kinds(healthy)).toEqual([]);
    expect(collectorState(healthy)).toMatchObject({ tone: 'ok', label: 'collector.running' });
  });

  test('a refused key shows when the next retry is, and nothing else about the error', () => {
    const status = withCollector({
      collector: 'error',
      lastError: 'auth: invalid management key',
      keyRefused: { reason: 'key_rejected', tries: 3, lastAtMs: now, nextTryAtMs: now + 10_800_000 },
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
    const first = withCollector({
      collector: 'error',
      keyRefused: { reason: 'key_rejected', tries: 1, lastAtMs: now, nextTryAtMs: now },
    });
    expect(statusNotes(first, undefined, now)[0]?.text).toBe('note.keyTextSoon');
  });

  test.each([
    ['address_banned', 'note.bannedFact', 'note.bannedText', 'collector.addressBanned'],
    ['remote_disabled', 'note.remoteFact', 'note.remoteText', 'collector.remoteDisabled'],
    ['key_not_set', 'note.keyNotSetFact', 'note.keyNotSetText', 'collector.keyNotSet'],
  ] as const)('%s is not called a rejected key, and shows when it is tried again', (reason, fact, text, label) => {
    const keyRefused = { reason, tries: 4, lastAtMs: now, nextTryAtMs: now + 59_000 };
    const status = withCollector({ collector: 'error', lastError: 'auth: …', keyRefused });
    const times = { next: now + 59_000 };
    expect(statusNotes(status, undefined, now)).toEqual([
      expect.objectContaining({ fact, text, times, to: '/settings', link: 'note.openSettings' }),
    ]);
    expect(collectorState(status)).toMatchObject({ tone: 'bad', label });
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
    expect(statusNotes(withCollector({ starved: true, starvedReason: 'partial' }), undefined, now)[0]).toMatchObject({
      kind: 'starved:partial',
      text: 'note.starvedPartial',
      to: '/doctor',
      dismiss: 'day',
    });
    expect(
      statusNotes(withCollector({ starved: true, starvedReason: 'publishing_off' }), undefined, now)[0],
    ).toMatchObject({
      kind: 'starved:publishing_off',
      action: 'publish',
    });
    expect(collectorState(withCollector({ starved: true, starvedReason: 'partial' })).label).toBe('collector.partial');
    expect(kinds(withCollector({ lastConsumedAt: 0 }))).toEqual([]);
  });

  test('a gap of the last day or an open one is shown, an old one is not', () => {
    const gap = { fromMs: now - 5000, toMs: now - 1000, kind: 'dropped', estimatedLost: 3 } as const;
    expect(kinds(withCollector({ gaps: { count: 1, open: [], last: gap } }))).toEqual([`gap:${now - 5000}`]);
    const old = { ...gap, fromMs: 1000, toMs: 2000 };
    expect(kinds(withCollector({ gaps: { count: 1, open: [], last: old } }))).toEqual([]);
    const open = { ...old, toMs: null };
    const notes = statusNotes(withCollector({ gaps: { count: 1, open: ['dropped'], last: open } }), undefined, now);
    expect(notes[0]).toMatchObject({ fact: 'note.gapOpenFact', also: ['gapFix.dropped'], to: '/doctor' });
  });

  test('gaps of other kinds that are open at the same time are shown with it', () => {
    const last = { fromMs: now - 5000, toMs: null, kind: 'starved', estimatedLost: null } as const;
    const status = withCollector({ gaps: { count: 2, open: ['starved', 'publishing_off'], last } });
    expect(statusNotes(status, undefined, now)[0]?.also).toEqual(['gapFix.starved', 'gap.publishingOff']);
  });

  test('trusted plugin pages are warned about while they are on', () => {
    expect(statusNotes({ ...healthy, trustedPluginPages: true }, undefined, now)).toEqual([
      expect.objectContaining({ kind: 'pluginPages', tone: 'warn', text: 'note.pluginPagesText', dismiss: 'day' }),
    ]);
  });

  test('clocks of manager and gateway that differ', () => {
    expect(statusNotes({ ...healthy, gatewayClockAheadMs: 86_400_000 }, undefined, now)).toEqual([
      expect.objectContaining({ fact: 'note.managerClockBehindFact', spans: { difference: 86_400_000 } }),
    ]);
    expect(statusNotes({ ...healthy, gatewayClockAheadMs: -240_000 }, undefined, now)).toEqual([
      expect.objectContaining({ fact: 'note.managerClockAheadFact', spans: { difference: 240_000 } }),
    ]);
  });

  test('nothing known is no claim', () => {
    expect(collectorState(undefined)).toEqual({ tone: 'unknown', label: 'collector.unknown', lastEventMs: null });
  });
});
