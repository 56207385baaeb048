import type { FigureSpec, Measure } from './measure.ts';
import { barText, compare, figureOf, formatValue, isMet, loadNote, type Report, type Taken } from './report.ts';

export function printMeasures(measures: readonly Measure[]): void {
  for (const { name, title, how, when } of measures) {
    const condition = when === undefined ? '' : when === 'full' ? ' (full runs)' : ' (when named)';
    console.log(`${name.padEnd(14)} ${title}${condition}: ${how}`);
  }
}

/** The figures of a measure, beside the baseline's where there is one. */
export function printRounds({ measure, rounds: [own = [], baseline] }: Taken): void {
  const count = own.length > 1 ? `median of ${own.length} rounds; ` : '';
  console.log(`\n${measure.title} (${own[0]?.seconds ?? 0} s; ${count}${loadNote(own)})`);
  const rows = Object.entries(measure.figures).map(([name, spec]) => {
    const { value, note } = figureOf(own, name);
    const cells = [name, formatValue(value, spec.unit)];
    if (baseline !== undefined) {
      const { ratio, least, most, worse } = compare(spec, own, baseline, name);
      const range = `${ratio.toFixed(3)} (${least.toFixed(2)}–${most.toFixed(2)})`;
      cells.push(formatValue(figureOf(baseline, name).value, spec.unit), range, worse ? 'worse' : '');
    }
    return [...cells, verdict(spec, value), note];
  });
  const header = [
    '',
    'figure',
    ...(baseline === undefined ? [] : ['baseline', 'ratio (of the rounds)', '']),
    'bar',
    '',
  ];
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  for (const line of lines)
    console.log(
      `  ${line
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd()}`,
    );
}

export function printSummary(report: Report, failed: readonly string[]): void {
  const figures = report.taken.flatMap(({ measure, rounds: [own = [], baseline] }) =>
    Object.entries(measure.figures)
      .filter(([, { bar }]) => bar !== undefined)
      .map(([name, spec]) => ({
        title: `${measure.name}: ${name}`,
        missed: isMet(spec, figureOf(own, name).value) === false,
        worse: baseline !== undefined && compare(spec, own, baseline, name).worse,
      })),
  );
  const list = (what: string, titles: readonly string[]) =>
    console.log(`${titles.length} of ${figures.length} bars ${what}${titles.map((title) => `\n  ${title}`).join('')}`);
  console.log(`\n${report.events.toLocaleString('en')} events; ${report.machine}; bench/out/report.json`);
  list('missed', titlesOf(figures, 'missed'));
  if (report.taken.some(({ rounds }) => rounds.length > 1))
    list('more than 5 % worse than the baseline', titlesOf(figures, 'worse'));
  if (failed.length > 0) console.log(`not measured: ${failed.join(', ')}`);
}

function titlesOf<Flag extends string>(figures: readonly ({ title: string } & Record<Flag, boolean>)[], flag: Flag) {
  return figures.filter((figure) => figure[flag]).map(({ title }) => title);
}

function verdict(spec: FigureSpec, value: number): string {
  const met = isMet(spec, value);
  return met === null ? '' : `${barText(spec)} ${met ? 'met' : 'MISSED'}`;
}
