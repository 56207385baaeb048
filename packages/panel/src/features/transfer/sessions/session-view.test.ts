import { describe, expect, test } from 'bun:test';
import { filterStatuses } from '../../../ui/controls/status-menu.tsx';
import { listOf, sessionOf } from '../testing/sessions.ts';
import { isIdle, reservedBytes, STATUS_WORDS, sessionActions, statusWord } from './session-view.ts';

const NOW = 1_767_225_600_000;
const ACTIONS = { resume: false, finish: false, cancel: false };

describe('what can be done with an import of the list', () => {
  test.each([
    ['uploading', {}, { resume: true, cancel: true }],
    ['uploading', { expires_at_ms: NOW }, {}],
    // A server of an older version keeps no digest.
    ['uploading', { received_bytes: 5, received_prefix_sha256: '' }, { cancel: true }],
    ['uploading', { received_bytes: 0, received_prefix_sha256: '' }, { resume: true, cancel: true }],
    ['ready', {}, { finish: true, cancel: true }],
    ['processing', {}, { cancel: true }],
    ['processing', { expires_at_ms: NOW - 1 }, { cancel: true }],
    ['completed', {}, {}],
    ['cancelled', {}, {}],
    ['failed', {}, {}],
    ['failed', { retryable: true }, { finish: true, cancel: true }],
    ['paused-by-a-later-version', {}, {}],
  ])('%s %p', (status, about, actions) => {
    const session = sessionOf({ status, expires_at_ms: NOW + 60_000, ...about });
    expect(sessionActions(session, NOW)).toEqual({ ...ACTIONS, ...actions });
  });
});

test('the label of a status distinguishes an interruption from a failure, and records that were left out', () => {
  const word = (about: Parameters<typeof sessionOf>[0]) => statusWord(sessionOf(about));
  expect(word({ status: 'failed' })).toEqual({ tone: 'bad', label: 'importStatus.failed' });
  expect(word({ status: 'failed', retryable: true })).toEqual({ tone: 'warn', label: 'importStatus.interrupted' });
  expect(word({ status: 'completed' })?.tone).toBe('ok');
  const result = { format: 'usage_service_jsonl', added: 1, skipped: 0, total: 1, failed: 2, unsupported: 0 } as const;
  expect(word({ status: 'completed', result: { ...result, warnings: [] } })?.tone).toBe('warn');
  const nothing = { ...result, added: 0, total: 0, warnings: [] };
  expect(word({ status: 'completed', result: nothing })).toEqual({ tone: 'bad', label: 'importStatus.nothing' });
  expect(word({ status: 'completed', result: { ...nothing, skipped: 1 } })?.label).toBe('importStatus.known');
  expect(word({ status: 'of-a-later-version' })).toBeNull();
});

test('an upload without a byte for five minutes is idle, nothing else is', () => {
  expect(isIdle(sessionOf({ status: 'uploading', updated_at_ms: NOW - 300_000 }), NOW)).toBe(true);
  expect(isIdle(sessionOf({ status: 'uploading', updated_at_ms: NOW - 299_999 }), NOW)).toBe(false);
  expect(isIdle(sessionOf({ status: 'processing', updated_at_ms: 1 }), NOW)).toBe(false);
});

describe('the space that is reserved', () => {
  const sessions = [
    sessionOf({ status: 'uploading', size_bytes: 100 }),
    sessionOf({ status: 'failed', retryable: true, size_bytes: 20 }),
    sessionOf({ status: 'completed', size_bytes: 7 }),
  ];

  test('is the size of all active imports', () => {
    expect(reservedBytes(listOf(sessions, { active_sessions: 2 }))).toBe(120);
    expect(reservedBytes(listOf([], { active_sessions: 0 }))).toBe(0);
  });

  test('is not known when the list holds only some of them', () => {
    expect(reservedBytes(listOf(sessions, { active_sessions: 3 }))).toBeNull();
  });
});

test('a filter offers what there is, in the order of a life, and what is chosen', () => {
  expect(filterStatuses(STATUS_WORDS, { failed: 2, uploading: 1, completed: 0, later: 1 }, '')).toEqual([
    'uploading',
    'failed',
  ]);
  expect(filterStatuses(STATUS_WORDS, {}, 'cancelled')).toEqual(['cancelled']);
});
