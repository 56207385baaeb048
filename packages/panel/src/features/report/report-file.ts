import type { BreakdownKind } from '@manager/core/contract/monitoring/breakdown';
import type { ExportColumn } from '../../ui/table/export.ts';
import { changeOf, forecastIn, measured, type ReportRow, type ReportSums, shareOf } from './report-rows.ts';
import type { ReportMeasure } from './report-search.ts';

/** A line of the file: a row, a part of one, or everything. */
export interface ReportLine {
  readonly level: 'total' | 'row' | 'part';
  /** Names, as on screen. */
  readonly name: string;
  readonly part: string;
  readonly now: ReportSums;
  readonly before: ReportSums | null;
  readonly forecast: ReportRow['forecast'];
}

type LineSums = Pick<ReportRow, 'now' | 'before' | 'forecast'>;

/** Everything first, then each row with its parts after it. */
export function reportLines(rows: readonly ReportRow[], total: LineSums): readonly ReportLine[] {
  const line = (level: ReportLine['level'], name: string, part: string, sums: LineSums) => ({
    level,
    name,
    part,
    now: sums.now,
    before: sums.before,
    forecast: sums.forecast,
  });
  return [
    line('total', '', '', total),
    ...rows.flatMap((row) => [
      line('row', row.name, '', row),
      ...row.parts.map((part) => line('part', row.name, part.name, part)),
    ]),
  ];
}

/** Numbers are not rounded; costs are US dollars. An unknown cost is empty. */
export function reportFileColumns(
  by: BreakdownKind,
  parts: BreakdownKind | null,
  measure: ReportMeasure,
  whole: ReportSums,
): readonly ExportColumn<ReportLine>[] {
  const number = (name: string, value: (line: ReportLine) => number | null): ExportColumn<ReportLine> => ({
    name,
    value,
  });
  const earlier = (value: (sums: ReportSums) => number | null) => (line: ReportLine) =>
    line.before === null ? null : value(line.before);
  return [
    { name: 'level', value: ({ level }) => level },
    { name: by, value: ({ name }) => name },
    ...(parts === null ? [] : [{ name: parts, value: ({ part }: ReportLine) => part }]),
    number('requests', ({ now }) => now.calls),
    number('failed_requests', ({ now }) => now.failed),
    number('uncached_input_tokens', ({ now }) => now.input),
    number('cached_tokens', ({ now }) => now.cached),
    number('output_tokens', ({ now }) => now.output),
    number('reasoning_tokens', ({ now }) => now.reasoning),
    number('total_tokens', ({ now }) => now.tokens),
    number('cost_usd', ({ now }) => measured(now, 'cost')),
    number('unpriced_requests', ({ now }) => now.unpriced),
    number(`share_of_${measure}`, (line) => shareOf(line, whole, measure)),
    number(
      'requests_before',
      earlier((sums) => sums.calls),
    ),
    number(
      'total_tokens_before',
      earlier((sums) => sums.tokens),
    ),
    number(
      'cost_usd_before',
      earlier((sums) => measured(sums, 'cost')),
    ),
    number(`change_of_${measure}`, (line) => {
      const change = changeOf(line, measure);
      return change.kind === 'relative' ? change.value : null;
    }),
    // Empty where none is made.
    number('requests_forecast', (line) => forecastIn(line, 'requests')),
    number('total_tokens_forecast', (line) => forecastIn(line, 'tokens')),
    number('cost_usd_forecast', (line) => forecastIn(line, 'cost')),
  ];
}
