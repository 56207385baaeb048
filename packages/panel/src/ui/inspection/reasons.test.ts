import { expect, test } from 'bun:test';
import { reasonKey } from './reasons.ts';

test('server reasons with a known key are translated, others are shown as text', () => {
  expect(reasonKey('monitoring.codex_inspection_reason_quota_threshold')).toBe('inspectionReason.threshold');
  expect(reasonKey('monitoring.xai_inspection_reason_auth_invalid')).toBe('inspectionReason.reauth');
  expect(reasonKey('monitoring.codex_inspection_reason_toString')).toBeNull();
  expect(reasonKey('because')).toBeNull();
});
