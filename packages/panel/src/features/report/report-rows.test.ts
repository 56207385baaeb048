import { describe, expect, test } from 'bun:test';
import type { Breakdown, BreakdownSums } from '@manager/core/contract/monitoring/breakdown';
import { createMasker } from '../../platform/format/mask.ts';
import { rowsToCsv } from '../../ui/table/export.ts';
import { measureText } from './report-columns.tsx';
import { reportFileColumns, reportLines } from './report-file.ts';
import {
  changeOf,
  growthOf,
  movers,
  type ReportNames,
  type ReportRow,
  reportRows,
  reportTotal,
  shareOf,
  verdictOf,
} from './report-rows.ts';

const NAMES: ReportNames = {
  keyNames: new Map([['aa', 'Team A']]),
  masker: createMasker(),
  none: { client_key: 'No client key', model: 'No model', account: 'No account', provider: 'No provider' },
  others: (count) => `${count} others`,
};

const sums = (calls: number, cost: number, more: Partial<BreakdownSums> = {}): BreakdownSums => ({
  calls,
  failure_calls: 0,
  input_tokens: 80 * calls,
  output_tokens: 20 * calls,
  cached_tokens: 0,
  cache_read_tokens: 30 * calls,
  cache_creation_tokens: 10 * calls,
  reasoning_tokens: 5 * calls,
  total_tokens: 100 * calls,
  cost,
  ...more,
});

const ANSWER: Breakdown = {
  compare_from_ms: 1,
  compare_to_ms: 2,
  total: { ...sums(10, 4), before: sums(8, 8) },
  rows: [
    {
      id: 'aa',
      ...sums(6, 3),
      before: sums(2, 1),
      parts: [{ id: 'gpt', ...sums(5, 3) }],
      parts_others: { count: 2, ...sums(1, 0) },
    },
    { id: '', ...sums(3, 1), before: sums(6, 7), parts: [{ id: '', ...sums(3, 1), before: sums(6, 7) }] },
  ],
  others: { count: 4, ...sums(1, 0, { unpriced_calls: 1 }) },
};

const rows = reportRows(ANSWER, 'client_key', 'model', NAMES, ({ id }) =>
  id === 'aa' ? { requests: 60, tokens: 6_000, cost: 30, basisDays: 8 } : null,
);
const [first, keyless, others] = rows as [ReportRow, ReportRow, ReportRow];
const total = { ...reportTotal(ANSWER), forecast: null };

describe('rows of a report', () => {
  test('say that a cost without unpriced requests is a lower bound, and nothing where none has a price', () => {
    const text = (cost: number, unpriced: number) => measureText({ ...total.now, cost, unpriced }, 'cost');
    expect([text(4, 0), text(4, 1), text(0, 1), text(0, 0)]).toEqual(['$4.00', '≥$4.00', '–', '$0.00']);
  });

  test('are named, with what the answer does not list added up', () => {
    expect(rows.map(({ name, parts }) => [name, parts.map((part) => part.name)])).toEqual([
      ['Team A', ['gpt', '2 others']],
      ['No client key', ['No model']],
      ['4 others', []],
    ]);
  });

  test('have token kinds that add up to the total', () => {
    const { input, cached, output, reasoning, tokens } = first.now;
    expect([input, cached, output, reasoning]).toEqual([240, 240, 90, 30]);
    expect(input + cached + output + reasoning).toBe(tokens);
  });

  test('know their share and change, which an unknown cost has not', () => {
    expect(rows.map((row) => shareOf(row, total.now, 'cost'))).toEqual([0.75, 0.25, null]);
    expect(changeOf(first, 'cost')).toEqual({ kind: 'relative', value: 2 });
    expect(changeOf(first, 'requests')).toEqual({ kind: 'relative', value: 2 });
    expect(changeOf(others, 'cost')).toEqual({ kind: 'none' });
    expect(changeOf(others, 'tokens')).toEqual({ kind: 'new' });
    expect(growthOf(keyless, 'cost')).toBe(-6);
  });

  test('have no change without a range to compare with', () => {
    const { compare_from_ms: _, compare_to_ms: __, ...alone } = ANSWER;
    expect(reportRows(alone, 'client_key', null, NAMES, () => undefined).map((row) => [row.before, row.parts])).toEqual(
      [
        [null, []],
        [null, []],
        [null, []],
      ],
    );
    expect(reportTotal(alone).before).toBeNull();
  });
});

test('risers and fallers are ordered by how much they moved, others left out', () => {
  const row = (key: string, now: number, before: number): ReportRow => ({
    ...first,
    key,
    now: { ...first.now, calls: now },
    before: { ...first.now, calls: before },
  });
  const moved = [
    row('a', 5, 1),
    row('b', 9, 1),
    row('c', 1, 2),
    row('d', 1, 9),
    row('e', 3, 3),
    { ...row('f', 99, 0), others: true },
  ];
  const { risers, fallers } = movers(moved, 'requests', 1);
  expect([risers, fallers].map((list) => list.map(({ key }) => key))).toEqual([['b'], ['d']]);
  expect(movers(moved, 'requests', 9).risers.map(({ key }) => key)).toEqual(['b', 'a']);
});

test('only a cost is judged, where both ranges have enough requests', () => {
  const row = (calls: number, callsBefore: number, costBefore = 4) => ({
    now: { ...first.now, calls, cost: 2 },
    before: { ...first.now, calls: callsBefore, cost: costBefore },
  });
  expect(verdictOf(row(100, 100), 'cost')).toBe('better');
  expect(verdictOf(row(100, 100, 1), 'cost')).toBe('worse');
  expect(verdictOf(row(100, 100, 2.05), 'cost')).toBe('neutral');
  expect([verdictOf(row(99, 500), 'cost'), verdictOf(row(500, 99), 'cost')]).toEqual(['neutral', 'neutral']);
  expect([verdictOf(row(900, 300), 'requests'), verdictOf(row(900, 300), 'tokens')]).toEqual(['neutral', 'neutral']);
  expect(verdictOf({ ...row(900, 300), before: null }, 'cost')).toBe('neutral');
});

test('the file has everything, each row and its parts, unrounded', () => {
  const text = rowsToCsv(reportFileColumns('client_key', 'model', 'cost', total.now), reportLines(rows, total));
  const [head, ...lines] = text.trim().split('\r\n');
  expect(head).toBe(
    'level,client_key,model,requests,failed_requests,uncached_input_tokens,cached_tokens,output_tokens,reasoning_tokens,' +
      'total_tokens,cost_usd,unpriced_requests,share_of_cost,requests_before,total_tokens_before,cost_usd_before,change_of_cost,requests_forecast,total_tokens_forecast,cost_usd_forecast',
  );
  expect(lines).toEqual([
    'total,,,10,0,400,400,150,50,1000,4,0,1,8,800,8,-0.5,,,',
    'row,Team A,,6,0,240,240,90,30,600,3,0,0.75,2,200,1,2,60,6000,30',
    'part,Team A,gpt,5,0,200,200,75,25,500,3,0,0.75,0,0,0,,,,',
    'part,Team A,2 others,1,0,40,40,15,5,100,0,0,0,0,0,0,,,,',
    'row,No client key,,3,0,120,120,45,15,300,1,0,0.25,6,600,7,-0.8571428571428571,,,',
    'part,No client key,No model,3,0,120,120,45,15,300,1,0,0.25,6,600,7,-0.8571428571428571,,,',
    'row,4 others,,1,0,40,40,15,5,100,,1,,0,0,0,,,,',
  ]);
});
