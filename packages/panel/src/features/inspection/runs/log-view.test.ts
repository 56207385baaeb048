import { expect, test } from 'bun:test';
import { createMasker, PLAIN } from '../../../platform/format/mask.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { detailText, messageText } from './log-view.ts';

const t: Translate = (key) => key;

test('messages are translated, unknown ones unchanged', () => {
  const of = (name: string) => messageText(`monitoring.server_codex_inspection_log_message_${name}`, t);
  expect(of('run_started')).toBe('inspectionLog.started');
  expect(of('of_a_later_version')).toBe('monitoring.server_codex_inspection_log_message_of_a_later_version');
  expect(of('constructor')).toBe('monitoring.server_codex_inspection_log_message_constructor');
  expect(messageText('monitoring.xai_inspection_log_server_complete', t)).toBe('inspectionLog.probed');
});

test('a detail starts with the account and the result', () => {
  const detail = {
    retries: 2,
    action: 'keep',
    statusCode: 429,
    usedPercent: 97.5,
    fileName: 'a.json',
    displayAccount: 'a@example.test',
  };
  expect(detailText(detail, t, PLAIN)).toBe(
    'a@example.test · a.json · inspectionAction.keep · HTTP 429 · inspection.used 97.5% · retries: 2',
  );
  expect(detailText(detail, t, createMasker())).toStartWith('a***@example.test · a.json · inspectionAction.keep');
});

test('counts have names, and those of nothing are left out', () => {
  const detail = { totalFiles: 0, successCount: 3, failedCount: 0, runId: 'x', accountKey: 'a.json::x' };
  expect(detailText(detail, t, PLAIN)).toBe('inspectionFact.listed 0 · inspectionFact.success 3');
  expect(detailText(undefined, t, PLAIN)).toBe('');
  expect(detailText(['a', 1], t, PLAIN)).toBe('a, 1');
});

test('names in a detail are masked wherever they occur', () => {
  const text = detailText(
    { error: 'refused for marker@example.test', note: { who: 'marker@example.test' } },
    t,
    createMasker(),
  );
  expect(text).not.toContain('marker@example');
});
