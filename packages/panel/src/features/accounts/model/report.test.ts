import { describe, expect, test } from 'bun:test';
import { testRedaction } from '@manager/core/redaction/testing/cases';
import { historyOf, rowOf } from '../../../platform/accounts/testing/accounts.ts';
import { createMasker, PLAIN } from '../../../platform/format/mask.ts';
import { accountReport, safeJson } from './report.ts';

const entry = {
  name: 'codex-marker-person@example.test.json',
  id: 'codex-marker-person@example.test.json',
  email: 'marker-person@example.test',
  access_token: 'tok-123',
  api_key: 'k-123',
  nested: { refresh_token: 'tok-456', total_tokens: 12 },
  id_token: { plan_type: 'plus' },
  status_message: 'for marker-person@example.test',
};

test('secrets are always hidden', () => {
  const plain = safeJson(entry, PLAIN);
  expect(plain).not.toMatch(/tok-|k-123/);
  expect(JSON.parse(plain)).toMatchObject({ nested: { total_tokens: 12 }, id_token: { plan_type: 'plus' } });
});

test('a report contains no name while they are masked', () => {
  const row = rowOf({ history: new Map([['index-0', historyOf(500)]]) }, entry);
  expect(accountReport(row, createMasker())).not.toContain('marker-person');
  expect(accountReport(row, PLAIN)).toContain('marker-person');
});

describe('a report', () =>
  testRedaction({
    value: (value) => safeJson(value, PLAIN),
    text: (text) => JSON.parse(safeJson({ status_message: text }, PLAIN)).status_message,
  }));
