import { describe, expect, test } from 'bun:test';
import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import { FILE_PROBLEMS } from '@manager/core/usage/import-problems';
import { problemDetail, problemText } from '../problem-text.ts';
import type { UploadProblem } from '../upload/problem.ts';
import { failuresOf, isAggregatesOnly, readWarning, resultJson, resultRows, warningsOf } from './result-view.ts';

const RESULT: ImportResult = {
  format: 'usage_service_jsonl',
  added: 5,
  skipped: 2,
  total: 7,
  failed: 1,
  unsupported: 0,
  warnings: [],
};
const SNAPSHOT: ImportResult = { ...RESULT, format: 'legacy_usage_export', added: 0, skipped: 0, total: 0 };
const PROBLEM: UploadProblem = { kind: 'import_failed', message: '', status: 0, hop: null, resumable: false };

describe('a warning', () => {
  test.each([
    ['unusable_token_counts:4', 'importWarning.tokens', 4],
    ['records_without_time:1', 'importWarning.untimed', 1],
    ['names_masked:3', 'importWarning.masked', 3],
    ['records_shortened:12', 'importWarning.shortened', 12],
    ['legacy_usage_metadata_is_partial', 'importWarning.legacyPartial', 1],
    ['legacy_usage_source_matching_may_be_approximate', 'importWarning.legacySources', 1],
    ['of_a_later_version:3', null, 3],
    ['Something: else', null, 1],
  ])('%s', (code, text, count) => {
    expect(readWarning(code)).toEqual({ code, text, count } as ReturnType<typeof readWarning>);
  });

  test('list that a server leaves out is empty', () => {
    expect(warningsOf({ ...RESULT, warnings: null } as unknown as ImportResult)).toEqual([]);
  });
});

test('failed records are listed with line and reason, those of another version unchanged', () => {
  const failures = [
    { line: 7, where: 'line 7', reason: 'not valid JSON' },
    { where: 'detail 1 of model 1 of endpoint 1', reason: 'of a later version' },
  ];
  expect(failuresOf({ ...RESULT, failures })).toEqual([
    { line: 7, where: 'line 7', text: 'importFailure.notJson', reason: 'not valid JSON' },
    { line: null, where: 'detail 1 of model 1 of endpoint 1', text: null, reason: 'of a later version' },
  ]);
  expect(failuresOf(RESULT)).toEqual([]);
});

test.each([
  [FILE_PROBLEMS.utf16, 'importProblem.form', 'importProblem.utf16Text'],
  [FILE_PROBLEMS.gzip, 'importProblem.compressed', 'importProblem.compressedText'],
])('a file of another form is named: %s', (message, fact, text) => {
  expect(problemText({ ...PROBLEM, message }, RESULT)).toMatchObject({ fact, text } as object);
});

describe('a file of sums only', () => {
  test.each([
    ['is told by the words of the server', 'aggregates only: the file holds totals', null, true],
    ['is told by its counts', 'no events', { ...SNAPSHOT, unsupported: 3 }, true],
    ['is no file with events', '', { ...SNAPSHOT, total: 1, added: 1, unsupported: 3 }, false],
    ['is no other failure', 'line 3: an event is larger than 10485760 bytes', RESULT, false],
  ])('%s', (_, message, result, is) => {
    expect(isAggregatesOnly(message, result)).toBe(is);
  });

  test('has an explanation of its own, also after an import in one request', () => {
    for (const kind of ['import_failed', 'refused'] as const) {
      const problem = { ...PROBLEM, kind, message: 'aggregates only: …' };
      expect(problemText(problem, null).fact).toBe('importProblem.aggregates');
    }
  });
});

test('a problem shows who refused, and the details to look up', () => {
  const hop = { server: 'nginx/1.22.1', title: '413 Request Entity Too Large' };
  const problem: UploadProblem = { ...PROBLEM, kind: 'proxy', status: 413, message: 'too large', hop };
  expect(problemText(problem, null)).toMatchObject({ fact: 'importProblem.proxy', hop: 'nginx/1.22.1' });
  expect(problemDetail(problem)).toBe('HTTP 413 · nginx/1.22.1 · too large');
  expect(problemText({ ...problem, hop: { server: '', title: '' } }, null).hop).toBeNull();
  expect(problemText({ ...PROBLEM, resumable: true }, RESULT).fact).toBe('importProblem.interrupted');
  expect(problemDetail(PROBLEM)).toBe('');
});

test('a result is shown number by number and copied whole', () => {
  expect(resultRows(RESULT).map(({ value }) => value)).toEqual([5, 2, 7, 1, 0]);
  expect(resultRows(RESULT).find(({ bad }) => bad)?.label).toBe('importResult.failed');
  expect(JSON.parse(resultJson('a.jsonl', RESULT))).toEqual({ filename: 'a.jsonl', ...RESULT });
});
