import { expect, test } from 'bun:test';
import { PLAIN } from '../../platform/format/mask.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import { isUndecided, reasonKey, reasonText } from './reasons.ts';

test('server reasons with a known key are translated, others are shown as text', () => {
  expect(reasonKey('monitoring.codex_inspection_reason_quota_threshold')).toBe('inspectionReason.threshold');
  expect(reasonKey('monitoring.xai_inspection_reason_auth_invalid')).toBe('inspectionReason.reauth');
  expect(reasonKey('monitoring.codex_inspection_reason_toString')).toBeNull();
  expect(reasonKey('because')).toBeNull();
});

test('an inconclusive answer is never shown as working', () => {
  const told = (reason: string, statusCode: number | null, errorKind = '') => {
    const actionReason = `monitoring.codex_inspection_reason_${reason}`;
    const result = { action: 'keep', actionReason, statusCode, errorKind } as const;
    const text = reasonText(result, (key: TextKey, values) => `${key} ${values?.code}`, PLAIN);
    return [text, isUndecided(result)];
  };
  expect(told('healthy', 200)).toEqual(['inspectionReason.healthy 200', false]);
  expect(told('healthy', 503)).toEqual(['inspectionReason.undecided 503', true]);
  expect(told('http_status', 503, 'http_status')).toEqual(['inspectionReason.undecided 503', true]);
  expect(told('not_readable', 200, 'not_readable')).toEqual(['inspectionReason.notReadable 200', true]);
  expect(told('request_error', 503, 'http_status')).toEqual(['inspectionReason.undecided 503', true]);
  expect(told('request_error', null, 'request_error')).toEqual(['inspectionReason.requestError 0', false]);
});
