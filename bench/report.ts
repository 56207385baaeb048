import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Calibration } from './lib/calibration.ts';
import { barText, type FigureTable, formatValue, isMet, type MeasureResult } from './lib/figures.ts';
import type { Machine } from './lib/machine.ts';
import { BENCH, OUT } from './lib/paths.ts';

export interface ReportedMeasure extends MeasureResult {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  /** Load of the machine just before. */
  readonly loadBefore: number;
  readonly calibration: Calibration;
  /** Processor time of other programs meanwhile: what a figure lacks on a machine of its own. */
  readonly coresOfOthers: number;
}

export interface Report {
  readonly at: string;
  readonly events: number;
  readonly full: boolean;
  readonly machine: Machine;
  readonly measures: readonly ReportedMeasure[];
}

const README = join(BENCH, 'README.md');
const BEGIN = '<!-- figures: written by npm run bench -- --write -->';
const END = '<!-- end of figures -->';

/** bench/out/report.json: the measures of this run, and of earlier runs of the same size what this one left out. */
export function writeReport(report: Report): void {
  mkdirSync(OUT, { recursive: true });
  writeFileSync(reportPath(report.events), `${JSON.stringify(withEarlier(report), null, 2)}\n`);
  writeFileSync(join(OUT, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
}

export function printReport(report: Report): void {
  const { machine } = report;
  console.log(`\n${report.events.toLocaleString('en')} events; ${machineText(machine)}\n`);
  for (const measure of report.measures) {
    const { title, figures } = measure;
    console.log(`${title} (${circumstances(measure)})`);
    const width = Math.max(...figures.map(({ name }) => name.length), 0);
    for (const figure of figures) {
      const met = isMet(figure);
      const verdict = met === null ? '' : `${barText(figure).padEnd(18)} ${met ? 'met' : 'MISSED'}`;
      const note = figure.note === undefined ? '' : `  (${figure.note})`;
      console.log(
        `  ${figure.name.padEnd(width)}  ${formatValue(figure.value, figure.unit).padStart(16)}  ${verdict}${note}`,
      );
    }
    for (const table of measure.tables ?? []) printTable(table);
  }
  const missed = report.measures.flatMap(({ figures }) => figures.filter((figure) => isMet(figure) === false));
  console.log(
    `\n${missed.length === 0 ? 'every bar is met' : `${missed.length} bars are missed`}; bench/out/report.json`,
  );
}

function printTable({ title, header, rows }: FigureTable): void {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const pad = (line: readonly string[]) =>
    widths.map((width, column) =>
      column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width),
    );
  console.log(`\n  ${title}`);
  for (const line of lines) console.log(`  ${pad(line).join('  ')}`);
}

/** Puts the figures of this size into bench/README.md, between the markers; those of other sizes stay. */
export function writeReadme(report: Report): void {
  const text = readFileSync(README, 'utf8');
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('bench/README.md has lost its markers');
  const sections = new Map([[report.events, markdown(withEarlier(report))]]);
  for (const section of text.slice(begin + BEGIN.length, end).split(SECTION)) {
    const events = eventsOf(section);
    if (events > 0 && !sections.has(events)) sections.set(events, section);
  }
  const largestFirst = [...sections].toSorted(([left], [right]) => right - left).map(([, section]) => section.trim());
  writeFileSync(README, `${text.slice(0, begin + BEGIN.length)}\n\n${largestFirst.join('\n\n')}\n\n${text.slice(end)}`);
}

/** The first line of a section of figures begins with its size. */
const SECTION = /^(?=[\d,]+ events, )/m;

function eventsOf(section: string): number {
  return Number(/^[\d,]+/.exec(section.trim())?.[0].replaceAll(',', '') ?? 0);
}

function markdown(report: Report): string {
  const lines = [
    `${report.events.toLocaleString('en')} events, ${report.at.slice(0, 10)}; ${machineText(report.machine)}.`,
    '',
    '| Measure | Value | Bar | |',
    '| --- | ---: | ---: | --- |',
  ];
  for (const measure of report.measures) {
    const { title, figures } = measure;
    lines.push(`| **${title}** | | | ${circumstances(measure)} |`);
    for (const figure of figures) {
      const met = isMet(figure);
      const cells = [figure.name, formatValue(figure.value, figure.unit), barText(figure)];
      const verdict = [met === null ? '' : met ? 'met' : '**missed**', figure.note ?? ''].filter((part) => part !== '');
      lines.push(`| ${[...cells, verdict.join(': ')].join(' | ')} |`);
    }
  }
  for (const { title, tables = [] } of report.measures) {
    for (const table of tables) lines.push('', `**${title}: ${table.title}**`, '', ...tableLines(table));
  }
  return `${lines.join('\n')}\n`;
}

function tableLines({ header, rows }: FigureTable): string[] {
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function circumstances({ seconds, coresOfOthers, loadBefore, calibration }: ReportedMeasure): string {
  const { parseEventUs, insertRowUs, syncMs } = calibration;
  const [parse, insert] = [formatValue(parseEventUs, 'µs'), formatValue(insertRowUs, 'µs')];
  const before = `load ${loadBefore}, parse ${parse}, insert ${insert}, sync ${formatValue(syncMs, 'ms')}`;
  return `${seconds} s; others used ${formatValue(coresOfOthers, 'cores')}; before: ${before}`;
}

function withEarlier(report: Report): Report {
  const path = reportPath(report.events);
  if (!existsSync(path)) return report;
  const earlier = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const current = new Map(report.measures.map((measure) => [measure.name, measure]));
  const kept = earlier.measures.map((measure) => current.get(measure.name) ?? measure);
  const added = report.measures.filter(({ name }) => !earlier.measures.some((measure) => measure.name === name));
  return { ...report, measures: [...kept, ...added] };
}

function reportPath(events: number): string {
  return join(OUT, `report-${events}.json`);
}

function machineText(machine: Machine): string {
  const { platform, cpu, cores, avx2, memoryGib, runtime, sqlite } = machine;
  return `${platform}, ${cores} cores (${cpu}, ${avx2 ? 'AVX2' : 'no AVX2'}), ${memoryGib} GiB, ${runtime}, SQLite ${sqlite}`;
}
