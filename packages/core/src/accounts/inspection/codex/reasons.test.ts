import { expect, test } from 'bun:test';
import type { InspectionRunDetail } from '../../../contract/inspection/runs.ts';
import vectors from '../../fixtures/inspection-vectors.json';
import { vectorsOf } from '../testing.ts';
import { type CodexReason, codexReasonKey, detailWithKeys, logAsSent, reasonAsKey, sentReason } from './reasons.ts';

const KNOWN = ['healthy', 'reauth', 'quota_threshold', 'recovered'];
const reasons = new Set([
  ...vectorsOf(vectors.codex).map(({ expect: { reason } }) => String(reason) as CodexReason),
  'recovered_manual_only' as const,
]);

test('four reasons are sent as keys, all others as different sentences, and each is read back', () => {
  const sentences = new Set<string>();
  for (const reason of reasons) {
    const key = codexReasonKey(reason);
    const sent = sentReason(key, 503);
    if (KNOWN.includes(reason)) expect(sent).toBe(key);
    else {
      expect(sent).toMatch(/^[A-Z][^_]+\.$/);
      sentences.add(sent);
    }
    expect(reasonAsKey(sent, 503)).toBe(key);
    expect(reasonAsKey(sentReason(key))).toBe(key);
  }
  expect(reasons.size).toBe(sentences.size + KNOWN.length);
});

test('a probe that failed by its status gives it as the reason', () => {
  expect(sentReason(codexReasonKey('http_status'), 503)).toBe('Inconclusive: the provider returned HTTP 503.');
});

test('reasons of xAI and texts of later versions stay as they are', () => {
  for (const text of ['monitoring.xai_inspection_reason_auth_invalid', 'Something new.', '']) {
    expect(sentReason(text, 503)).toBe(text);
    expect(reasonAsKey(text, 503)).toBe(text);
  }
});

test('an answer is read with its keys, in results and logs', () => {
  const key = codexReasonKey('http_status');
  const log = {
    id: 1,
    runId: 1,
    level: 'info',
    message: 'm',
    detail: { reason: key, statusCode: 503 },
    createdAtMs: 1,
  };
  const sent = logAsSent(log as InspectionRunDetail['logs'][number]);
  expect(sent.detail).toEqual({ reason: 'Inconclusive: the provider returned HTTP 503.', statusCode: 503 });
  const detail = {
    run: {},
    results: [{ actionReason: sentReason(key, 503), statusCode: 503 }],
    logs: [sent, { ...log, detail: 'text' }],
  } as unknown as InspectionRunDetail;
  expect(detailWithKeys(detail)).toMatchObject({
    results: [{ actionReason: key }],
    logs: [{ detail: { reason: key, statusCode: 503 } }, { detail: 'text' }],
  });
});
