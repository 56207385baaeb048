import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/manager-process.ts';
import type { RecordedAnswers } from './answers.ts';
import { afterDeletion, afterImport } from './comparisons.ts';
import { firstDifference, type Json } from './difference.ts';
import { differentLine } from './files.ts';
import { CUTOFF_MS } from './questions.ts';

// Comparisons must detect differences to prove equality.

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

function recorded(answer: Json, remaining?: Json): RecordedAnswers {
  return { questions: [], answer: () => answer, remaining: () => remaining };
}

describe('the first difference', () => {
  test('is named with its place', () => {
    expect(firstDifference({ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 1 }, { b: 3 }] })).toBe('.a[1].b: 2 instead of 3');
    expect(firstDifference([1], [1, 2])).toBe(': 1 entries instead of 2');
    expect(firstDifference({}, { a: 0 })).toBe('.a: nothing instead of 0');
    expect(firstDifference({ a: null }, {})).toBe('.a: null instead of nothing');
    expect(firstDifference([], {})).toBe(': [] instead of {}');
  });

  test('is null whatever the order of members', () => {
    expect(firstDifference({ a: 1, b: [null] }, { b: [null], a: 1 })).toBeNull();
  });
});

describe('files', () => {
  function compare(found: string, expected: string): string | null {
    const paths = [join(folder, 'found'), join(folder, 'expected')] as const;
    writeFileSync(paths[0], found);
    writeFileSync(paths[1], expected);
    return differentLine(...paths);
  }

  test('of equal files larger than one read', () => {
    const lines = 'one line of many\n'.repeat(200_000);
    expect(compare(lines, lines)).toBeNull();
    expect(compare(`${lines}a\n`, `${lines}b\n`)).toContain('line 200001: ');
  });

  test('of which one is longer', () => {
    expect(compare('a\n', 'a\nb\n')).toContain('line 2: ');
    expect(compare('a\nb\n', 'a\n')).toContain('line 2: ');
  });
});

describe('answers', () => {
  const summary = { total_calls: 2 };
  const older = { timestamp_ms: CUTOFF_MS - 1 };
  const newer = { timestamp_ms: CUTOFF_MS };

  test('of an imported database: clock, ids and unexported data are ignored', () => {
    const { found, expected } = afterImport();
    const before = {
      generated_at_ms: 1,
      summary,
      events: { items: [{ model: 'm', client_ip: '::1' }], next_before_id: 7 },
    };
    const after = { generated_at_ms: 2, summary, events: { items: [{ model: 'm' }], next_before_id: 9 } };
    expect(firstDifference(found(after), expected(recorded(before), 0))).toBeNull();
    const wrong = { ...after, summary: { total_calls: 3 } };
    expect(firstDifference(found(wrong), expected(recorded(before), 0))).toBe('.summary.total_calls: 3 instead of 2');
  });

  test('after a deletion: sums stay, lists hold what remains', () => {
    const { found, expected } = afterDeletion();
    const events = (...items: Json[]) => ({ items, total_count: items.length });
    const before = recorded({ summary, events: events(newer, older) }, { events: events(newer) });
    const after = { summary, events: events(newer), coverage: {} };
    expect(firstDifference(found(after), expected(before, 0))).toBeNull();
    expect(firstDifference(found({ ...after, events: events(newer, older) }), expected(before, 0))).not.toBeNull();
    expect(firstDifference(found({ events: events(newer) }), expected(before, 0))).not.toBeNull();
  });

  test('after a deletion: requests of accounts and of the dashboard are those that remain', () => {
    const { found, expected } = afterDeletion();
    const history = {
      checkpoint: {},
      items: [{ total_requests: 2, recent_requests: [newer, older], latest_request: newer }],
    };
    const left = { checkpoint: {}, items: [{ total_requests: 2, recent_requests: [newer], latest_request: newer }] };
    expect(firstDifference(found(left), expected(recorded(history), 0))).toBeNull();
    const dashboard = { window: {}, recent_failures: [newer, older] };
    expect(expected(recorded(dashboard), 0)).toEqual({ window: {}, recent_failures: [newer] });
  });
});
